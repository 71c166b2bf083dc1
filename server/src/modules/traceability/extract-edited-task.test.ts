import { readDocument, readDocumentStatements } from '@normtrace/engine';
import { describe, expect, test } from 'vitest';
import type { PackedDocument } from '../documents/packed-documents.js';
import { packDocument } from '../documents/parsed-document.js';
import {
  type AskedPlaces,
  type EditedOutput,
  extractEditedTask,
  type NamedIds,
  type StoredPlaces,
} from './extract-edited-task.js';
import {
  extractTraceTask,
  type KnownDocuments,
  type SaidInTrace,
  type StoredRows,
  type TraceExtractionOutput,
} from './extract-trace-task.js';
import { valuesOf } from './trace-columns.js';
import type { ChangedRows } from './trace-differences.js';
import { type LinkRow, rowsAbout } from './trace-rows.js';

const WORKSPACE = '00000000-0000-4000-8000-000000000099';
const idOf = (at: number): string => `00000000-0000-4000-8000-0000000000${String(at).padStart(2, '0')}`;

async function packed(at: number, version: number, text: string): Promise<PackedDocument> {
  const fileName = text.startsWith('<') ? 'a.xml' : text.startsWith('ID;') ? 'a.csv' : 'a.md';
  const document = await readDocument(new TextEncoder().encode(text), { fileName });
  const statements = readDocumentStatements({ id: '', document });
  return {
    ...{ id: idOf(at), name: fileName, version: String(version), sha256: 'x' },
    packed: await packDocument(document, { engine: 'e', documentType: null, statements }),
  };
}

const rowsOf = ({ written }: ChangedRows): string[][] =>
  written.flatMap((columns) => {
    const values = columns.map((column) => valuesOf(new TextDecoder().decode(column)));
    return values[0]!.map((_, row) => values.map((column) => column[row]!));
  });

/** What the database holds after the first extraction. */
function databaseOf({ artifacts, links }: TraceExtractionOutput) {
  const [ofArtifacts, ofLinks] = [rowsOf(artifacts), rowsOf(links)];
  const bytes = (rows: readonly string[][], known: readonly string[], document: number): Uint8Array =>
    Buffer.concat(
      rows
        .filter((row) => !known.includes(row[document]!))
        .map((row) => Buffer.from(row[0]!.replaceAll('-', '') + row.at(-1)!, 'hex')),
    );
  const ordinal = (text: string) => (text === '' ? null : Number(text));
  return {
    rows: (known: KnownDocuments): StoredRows => ({
      artifacts: bytes(ofArtifacts, known.artifacts, 11),
      links: bytes(ofLinks, known.links, 9),
    }),
    named: (ids: NamedIds, document: string) =>
      ofArtifacts
        .filter((row) => ids.includes(row[2]!) && row[11] !== document)
        .map((row) => [row[2], row[3]]),
    places: (asked: AskedPlaces): StoredPlaces => ({
      artifacts: asked.artifacts.map((id) => {
        const row = ofArtifacts.find((one) => one[0] === id);
        return row ? { ordinal: Number(row[1]), work_product_id: row[11]!, said: row.at(-1)! } : null;
      }),
      links: asked.links.map((id) => {
        const row = ofLinks.find((one) => one[0] === id);
        if (!row) return null;
        const stated_at = row[7] as 'source';
        const assumed = row[8] === '' ? null : (row[8] as 'place');
        return {
          ...{ ordinal: Number(row[1]), work_product_id: row[9]!, said: row.at(-1)!, stated_at, assumed },
          ...{ source: ordinal(row[4]!), target: ordinal(row[5]!) },
        };
      }),
    }),
  };
}

const context = (ask: (question: { readonly kind: string; readonly asked: never }) => unknown) => ({
  signal: new AbortController().signal,
  progress: () => undefined,
  ask: async (question: unknown) => ask(question as { kind: string; asked: never }),
});

async function whole(
  documents: readonly PackedDocument[],
  said: SaidInTrace | null,
  stored: (known: KnownDocuments) => StoredRows,
): Promise<TraceExtractionOutput> {
  const input = { workspaceId: WORKSPACE, engine: 'e', documents, said };
  return (
    await extractTraceTask.work(
      input,
      context(({ asked }) => stored(asked)),
    )
  ).result;
}

/** Edits one of some documents: what the join of all gives, and what is made of the one alone. */
async function edit(texts: readonly string[], at: number, text: string) {
  const documents = await Promise.all(texts.map((one, index) => packed(index, 1, one)));
  const first = await whole(documents, null, () => ({ artifacts: null, links: null }));
  const database = databaseOf(first);
  const now = await packed(at, 2, text);
  const joined = await whole(documents.with(at, now), first.said, database.rows);
  // Every row compared with what is stored, by the same numbers.
  const { numbered } = first.said;
  const unsaid = { artifacts: {}, links: {}, weighed: null, ...(numbered ? { numbered } : {}) };
  const anew = await whole(documents.with(at, now), unsaid, database.rows);
  expect(joined).toEqual(anew);
  const id = idOf(at);
  const { result: alone } = await extractEditedTask.work(
    {
      workspaceId: WORKSPACE,
      engine: 'e',
      before: documents[at]!,
      now,
      said: { artifacts: first.said.artifacts[id], links: first.said.links[id] },
      isFree: first.said.weighed?.includes(id) === false,
      notes: first.notes.filter((note) => note.work_product_id === id),
    },
    context(({ kind, asked }) =>
      kind === 'named artifacts of the trace' ? database.named(asked, id) : database.places(asked),
    ),
  );
  return { first, joined, alone, id };
}

/** Where the one alone gives anything, it is what the join of all gives, to the byte. */
function expectSame({ first, joined, alone, id }: Awaited<ReturnType<typeof edit>>): EditedOutput {
  expect(alone).not.toBeNull();
  const { artifacts, links, said, notes } = alone!;
  expect({ artifacts, links }).toEqual({ artifacts: joined.artifacts, links: joined.links });
  const of = <Of extends Readonly<Record<string, string>>>(all: Of, one: string | undefined) =>
    one === undefined ? all : { ...all, [id]: one };
  expect({
    ...{ artifacts: of(first.said.artifacts, said.artifacts), links: of(first.said.links, said.links) },
    weighed: first.said.weighed,
    numbered: first.said.numbered,
  }).toEqual(joined.said);
  const left = [...notes];
  expect(first.notes.map((note) => (note.work_product_id === id ? left.shift() : note))).toEqual(
    joined.notes,
  );
  expect([first.artifactCount, first.linkCount, first.noteCounts]).toEqual([
    joined.artifactCount,
    joined.linkCount,
    joined.noteCounts,
  ]);
  return alone!;
}

const GOALS =
  '# Goals\n\n| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-1 | Stop. | D |\n| SG-2 | Stay. | B |\n';
const REQUIREMENTS =
  '# Requirements\n\n| ID | Requirement | Derived from | Verified by |\n|---|---|---|---|\n| FSR-1 | It shall stop. | SG-1, SG-9 | TC-1 |\n| FSR-2 | It shall stay. | SG-2 | TC-1 |\n';
const TESTS =
  '# Tests\n\n## TC-1: Brake\n\nBrake the car.\n\nVerifies: FSR-1, FSR-2\n\n## TC-2: Wait\n\nWait. See FSR-2.\n';
const ALL = [GOALS, REQUIREMENTS, TESTS];

describe('one edited document', () => {
  test.each([
    ['words', ALL, 1, REQUIREMENTS.replace('shall stop', 'shall stop at once'), 7],
    ['places', ALL, 1, REQUIREMENTS.replace('# Requirements', '# All requirements\n\nOf the brake.'), 7],
    ['links that another document states too', ALL, 2, TESTS.replace('Brake the car', 'Brake'), 2],
    ['names', ALL, 2, TESTS.replace('TC-2: Wait', 'TC-2: Waiting'), 1],
    ['goals, to which others lead', ALL, 0, GOALS.replace('Stay.', 'Stay where it is.'), 1],
  ])('is written alone, as it is beside all: %s', async (_, texts, at, text, count) => {
    const { artifacts, links } = expectSame(await edit(texts, at, text));
    expect(rowsOf(artifacts).length + rowsOf(links).length).toBe(count);
  });

  test.each([
    ['an artifact more', ALL, 1, `${REQUIREMENTS}| FSR-3 | It shall go. | SG-1 | |\n`],
    ['another link', ALL, 1, REQUIREMENTS.replace('SG-9', 'SG-2')],
    ['another level', ALL, 0, GOALS.replace('| D |', '| C |')],
    ['another id', ALL, 0, GOALS.replace('SG-2', 'SG-3')],
    ['no words any more', ALL, 1, REQUIREMENTS.replace('It shall stay.', '')],
    [
      'words of an id that another document defines, too',
      [...ALL, GOALS.replace('Stop.', 'Halt.')],
      0,
      GOALS.replace('Stop.', 'Stop at once.'),
    ],
    [
      'words that a link is found by',
      [
        GOALS.replace('Stop.', 'The car shall stop.'),
        REQUIREMENTS.replace('SG-1, SG-9', 'The car shall stop.'),
      ],
      0,
      GOALS.replace('Stop.', 'The car shall stay.'),
    ],
  ])('has all joined again for %s', async (_, texts, at, text) => {
    expect((await edit(texts, at, text)).alone).toBeNull();
  });

  test('has all joined again where it is stored otherwise than it says', async () => {
    const documents = await Promise.all(ALL.map((one, at) => packed(at, 1, one)));
    const first = await whole(documents, null, () => ({ artifacts: null, links: null }));
    const database = databaseOf(first);
    const run = async (said: SaidInTrace) =>
      extractEditedTask.work(
        {
          workspaceId: WORKSPACE,
          engine: 'e',
          before: documents[1]!,
          now: await packed(1, 2, REQUIREMENTS.replace('stop', 'halt')),
          said: { artifacts: said.artifacts[idOf(1)], links: said.links[idOf(1)] },
          isFree: true,
          notes: [],
        },
        context(({ kind, asked }) =>
          kind === 'named artifacts of the trace' ? database.named(asked, idOf(1)) : database.places(asked),
        ),
      );
    expect((await run(first.said)).result).not.toBeNull();
    const other = { ...first.said, links: { ...first.said.links, [idOf(1)]: '00' } };
    expect((await run(other)).result).toBeNull();
  });

  test('has other rows when another document states a link that was assumed before', () => {
    const places = { artifacts: [], links: [1], endsOf: () => ['1', '2'] as const };
    const { links } = rowsAbout(WORKSPACE, new Map(), places);
    const row: LinkRow = {
      ...{ sourceId: 'FSR-1', targetId: 'SG-1', statedAt: 'source', assumed: 'place' },
      link: {
        ...{ sourceId: 'FSR-1', targetId: 'SG-1', type: 'derives_from', documentId: idOf(1) },
        ...{ location: { line: 3 }, start: 1, end: 2, assumed: 'place' },
      },
    };
    const stated = { ...row, assumed: undefined };
    expect(links.joinedOf(stated, 0)).not.toBe(links.joinedOf(row, 0));
    expect(links.joinedOf({ ...row, statedAt: 'both' }, 0)).not.toBe(links.joinedOf(row, 0));
  });

  test('is the same alone and beside all, for any edits of any documents', async () => {
    let seed = 7;
    const random = (count: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (seed >> 8) % count;
    };
    const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)]!;
    const WORDS = ['stop', 'brake', 'hold SG-1', 'wait', 'steer', 'Halt'];
    const id = () => `${pick(['SG', 'FSR', 'TSR', 'TC'])}-${1 + random(5)}`;
    const table = () =>
      `| ID | Requirement | ${pick(['Derived from', 'Verified by', 'Allocated to'])} | ASIL |\n|---|---|---|---|\n${Array.from(
        { length: 1 + random(4) },
        () =>
          `| ${id()} | ${pick(['It shall ', ''])}${pick(WORDS)} | ${pick([id(), `${id()}, ${id()}`, '', 'Brake unit', 'the goal to stop'])} | ${pick(['', 'D', 'B'])} |`,
      ).join('\n')}\n`;
    const section = () =>
      `## ${id()}: ${pick(WORDS)}\n\nIt shall ${pick(WORDS)}.\n\n${pick(['Satisfies', 'Verifies', 'ASIL'])}: ${pick([id(), 'C'])}\n`;
    const text = () =>
      `# ${pick(WORDS)}\n\n${Array.from({ length: 1 + random(3) }, () => pick([table, section])()).join('\n')}`;
    let alone = 0;
    for (let round = 0; round < 120; round++) {
      const texts = Array.from({ length: 2 + random(3) }, text);
      const at = random(texts.length);
      const before = texts[at]!;
      const edited = pick([
        () => before.replace(pick(WORDS), pick(WORDS)),
        () => before.replace(/^# .*$/mu, '# Another title'),
        () => before.replace(id(), id()),
        () => before.replace('It shall', 'The brake shall'),
        () => `Before all.\n\n${before}`,
      ])();
      const result = await edit(texts, at, edited);
      if (!result.alone) continue;
      alone++;
      expectSame(result);
    }
    expect(alone).toBeGreaterThan(20);
  });
});
