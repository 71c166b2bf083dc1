import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BETWEEN } from './trace-columns.js';
import {
  type ChangedRows,
  type OrdinalsOfDocuments,
  rowComparer,
  rowPacker,
  saidByDocument,
  spacedOrdinals,
  storedHashes,
  unchangedDocuments,
} from './trace-differences.js';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const texts = (column: Uint8Array | undefined): string[] => new TextDecoder().decode(column).split(BETWEEN);

/** As the database answers what was written. */
const storedOf = (rows: ChangedRows): Uint8Array =>
  Buffer.concat(
    rows.written.flatMap((columns) => {
      const said = texts(columns.at(-1));
      return texts(columns[0]).map((one, at) => Buffer.from(one.replaceAll('-', '') + said[at], 'hex'));
    }),
  );

/** Rows of an id and what it says. */
const changes = (rows: readonly (readonly string[])[], stored: Uint8Array | null): ChangedRows => {
  const { changed, removed } = rowComparer(storedHashes(stored));
  const packer = rowPacker();
  for (const [one, ...values] of rows) {
    const row = changed(values, () => one!);
    if (row) packer.add(row);
  }
  return { written: packer.whole(), removed: removed() };
};

type Counts = Readonly<Record<string, number>>;

/** The document of each row. */
const rowsOf = (counts: Counts): string[] =>
  Object.entries(counts).flatMap(([document, count]) => Array<string>(count).fill(document));

describe('the differences of a trace', () => {
  const rows = Array.from({ length: 12_000 }, (_, n) => [id(n), `text ${n}`]);

  test('are everything at first, then nothing, then what is new, changed and gone', () => {
    const all = changes(rows, null);
    expect(all.written.map((columns) => texts(columns[0]).length)).toEqual([5_000, 5_000, 2_000]);
    expect(all.removed).toHaveLength(0);
    const stored = storedOf(all);
    expect(changes(rows, stored)).toEqual({ written: [], removed: new Uint8Array() });
    const next = [[id(99_999), 'new'], ...rows.slice(1)].map((row) =>
      row[0] === id(7) ? [id(7), 'changed'] : row,
    );
    const { written, removed } = changes(next, stored);
    expect(written).toHaveLength(1);
    expect(texts(written[0]![0])).toEqual([id(99_999), id(7)]);
    expect(texts(removed)).toEqual([id(0).replaceAll('-', '')]);
  });

  test('write rows that bear no hash, and remove those that nothing says', () => {
    const stored = Buffer.from(
      [1, 2, 3].map((n) => id(n).replaceAll('-', '') + '0'.repeat(32)).join(''),
      'hex',
    );
    const { written, removed } = changes([rows[2]!], stored);
    expect(texts(written[0]![0])).toEqual([id(2)]);
    expect(texts(removed)).toEqual([id(1), id(3)].map((one) => one.replaceAll('-', '')));
  });

  test('are told by document, whichever rows of it lie between those of another', () => {
    const about = {
      documentOf: ([one]: readonly string[]) => (Number(one!.slice(-4)) % 7 === 0 ? 'seventh' : 'other'),
      sourceOf: (document: string) => `${document} 1`,
      joinedOf: ([one, text]: readonly string[]) => `${one} ${text}`,
    };
    const before = saidByDocument(rows, about);
    const next = rows.map((row) => (row[0] === id(8) ? [id(8), 'changed'] : row));
    const now = saidByDocument(next, about);
    expect([...unchangedDocuments(now, undefined)]).toEqual([]);
    const unchanged = unchangedDocuments(now, before);
    expect([...unchanged]).toEqual(['seventh']);
    const swapped = rows.with(0, rows[7]!).with(7, rows[0]!);
    expect([...unchangedDocuments(saidByDocument(swapped, about), before)]).toEqual(['other']);
    const readAgain = {
      ...about,
      sourceOf: (document: string) => `${document} ${document === 'other' ? 1 : 2}`,
    };
    expect([...unchangedDocuments(saidByDocument(rows, readAgain), before)]).toEqual(['other']);
  });

  test('leave rows of other documents where they are', () => {
    const numbered = spacedOrdinals(rowsOf({ a: 3, c: 1000, e: 5 }));
    const before = [...numbered.ordinals];
    expect(before.slice(0, 4)).toEqual([1, 2, 3, before[3]]);
    expect(before).toEqual([...before].sort((a, b) => a - b));
    const after = (counts: Counts) => [...spacedOrdinals(rowsOf(counts), numbered.documents).ordinals];
    // A few rows more, documents in between, before and behind, and one that is gone.
    const more = after({ a: 3, c: 1003, e: 5 });
    expect([...more.slice(0, 1003), ...more.slice(-5)]).toEqual(before);
    const others = after({ a: 3, b: 5, c: 1000, d: 2, e: 5, f: 7 });
    expect([...others.slice(0, 3), ...others.slice(8, 1008), ...others.slice(1010, 1015)]).toEqual(before);
    expect(after({ c: 1000, e: 5 })).toEqual(before.slice(3));
    // Another order moves the one that is elsewhere.
    const moved = after({ c: 1000, e: 5, a: 3 });
    expect(moved.slice(0, 1005)).toEqual(before.slice(3));
    // One that has outgrown its place moves alone, as long as there is room.
    const grown = after({ a: 30, c: 1000, e: 5 });
    expect(grown.slice(30)).toEqual(before.slice(3));
    // Rows of others between those of one document.
    const mixed = [...rowsOf({ a: 3, c: 4 }), 'a', 'c', 'a'];
    const first = spacedOrdinals(mixed);
    expect(spacedOrdinals(mixed, first.documents)).toEqual(first);
    // No room: all are numbered anew.
    expect(after({ a: 3, b: 5000, c: 1000, e: 5 })).toEqual([
      ...spacedOrdinals(rowsOf({ a: 3, b: 5000, c: 1000, e: 5 })).ordinals,
    ]);
  });

  test('are numbered in their order, whatever documents come, go and grow', () => {
    const counts = fc.array(fc.tuple(fc.constantFrom(...'abcdefgh'), fc.integer({ min: 1, max: 60 })), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 12 }), (steps) => {
        let known: OrdinalsOfDocuments | undefined;
        for (const step of steps) {
          const rows = rowsOf(Object.fromEntries([...step].sort(([a], [b]) => (a < b ? -1 : 1))));
          const { ordinals, documents } = spacedOrdinals(rows, known);
          expect(ordinals.every((ordinal, at) => ordinal > (ordinals[at - 1] ?? 0))).toBe(true);
          const ranges = Object.values(documents).sort(([a], [b]) => a - b);
          expect(
            ranges.every(([first], n) => n === 0 || first >= ranges[n - 1]![0] + ranges[n - 1]![1]),
          ).toBe(true);
          known = documents;
        }
      }),
    );
  });
});
