import { describe, expect, test } from 'vitest';
import { BETWEEN } from './trace-columns.js';
import {
  type ChangedRows,
  changesOf,
  rowPacker,
  saidByDocument,
  spacedOrdinals,
  unchangedDocuments,
} from './trace-differences.js';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
/** An id and a hash, as they are stored. */
const STORED_BYTES = 32;

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
  const { changed, removed } = changesOf(rows, stored, {
    saysOf: (row) => row.join(' '),
    idOf: ([one]) => one!,
  });
  const packer = rowPacker();
  for (const { row, said } of changed) packer.add([...row, said]);
  return { written: packer.whole(), removed };
};

describe('the differences of a trace', () => {
  const rows = Array.from({ length: 45_000 }, (_, n) => [id(n), `text ${n}`]);

  test('are everything at first, then nothing, then what is new, changed and gone', () => {
    const all = changes(rows, null);
    expect(all.written.map((columns) => texts(columns[0]).length)).toEqual([20_000, 20_000, 5_000]);
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
      saysOf: ([one, text]: readonly string[]) => `${one} ${text}`,
      idOf: ([one]: readonly string[]) => one!,
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

    const stored = storedOf(changes(rows, null));
    const ofOther = Buffer.concat(
      rows.flatMap((row, at) =>
        about.documentOf(row) === 'other'
          ? [stored.subarray(at * STORED_BYTES, (at + 1) * STORED_BYTES)]
          : [],
      ),
    );
    const whole = changesOf(next, stored, about);
    expect(whole.changed.map(({ id: one }) => one)).toEqual([id(8)]);
    expect(
      changesOf(next, ofOther, about, { isKnown: (row) => unchanged.has(about.documentOf(row)) }),
    ).toEqual(whole);
  });

  test('leave rows of other documents where they are', () => {
    const of = (...counts: readonly number[]) =>
      spacedOrdinals(counts.flatMap((count, document) => Array<string>(count).fill(`document ${document}`)));
    const before = of(3, 1000, 5);
    expect([...before.slice(0, 4)]).toEqual([1, 2, 3, before[3]]);
    expect([...before]).toEqual([...before].sort((a, b) => a - b));
    const after = of(3, 1003, 5);
    expect([...after.slice(0, 1003)]).toEqual([...before.slice(0, 1003)]);
    expect([...after.slice(-5)]).toEqual([...before.slice(-5)]);
  });
});
