import { readDocument, readDocumentStatements } from '@normtrace/engine';
import { expect, test } from 'vitest';
import type { PackedDocument } from '../documents/packed-documents.js';
import { packDocument } from '../documents/parsed-document.js';
import {
  extractTraceTask,
  type KnownDocuments,
  type RowsAhead,
  rowsAhead,
  type SaidInTrace,
  type StoredRows,
  type TraceExtractionOutput,
} from './extract-trace-task.js';
import { valuesOf } from './trace-columns.js';
import type { ChangedRows } from './trace-differences.js';

const workProduct = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
/** Position of the work product among the columns. */
const WORK_PRODUCT = { artifacts: 11, links: 9 } as const;

async function packed(n: number, text: string): Promise<PackedDocument> {
  const document = await readDocument(new TextEncoder().encode(text), { fileName: 'a.md' });
  const statements = readDocumentStatements({ id: '', document });
  return {
    ...{ id: workProduct(n), name: 'a.md', version: '1', sha256: 'x' },
    packed: await packDocument(document, { engine: 'e', documentType: null, statements }),
  };
}

const texts = (column: Uint8Array | undefined) => valuesOf(new TextDecoder().decode(column));

/** What the database holds after it was written, and answers for other documents than the known ones. */
function databaseOf({ artifacts, links }: TraceExtractionOutput) {
  const rows = ({ written }: ChangedRows, known: readonly string[], at: number): Uint8Array =>
    Buffer.concat(
      written.flatMap((columns) => {
        const [ids, said, documents] = [texts(columns[0]), texts(columns.at(-1)), texts(columns[at])];
        return ids.flatMap((id, row) =>
          known.includes(documents[row]!) ? [] : [Buffer.from(id.replaceAll('-', '') + said[row], 'hex')],
        );
      }),
    );
  return (known: KnownDocuments): StoredRows => ({
    artifacts: rows(artifacts, known.artifacts, WORK_PRODUCT.artifacts),
    links: rows(links, known.links, WORK_PRODUCT.links),
  });
}

test('an edited document and one that is gone: only their rows are asked for and written', async () => {
  const asked: KnownDocuments[] = [];
  const extract = async (
    documents: readonly PackedDocument[],
    said: SaidInTrace | null,
    stored: (known: KnownDocuments) => StoredRows,
  ) => {
    const { result } = await extractTraceTask.work(
      { workspaceId: workProduct(9), engine: 'e', documents, said },
      {
        signal: new AbortController().signal,
        progress: () => undefined,
        ask: async (question) => {
          const { asked: known } = question as { readonly asked: KnownDocuments };
          asked.push(known);
          return stored(known);
        },
      },
    );
    return result;
  };
  const goals = await packed(1, '| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-1 | Stop. | D |\n');
  const requirements = (words: string) =>
    packed(2, `| ID | Requirement | Derived from |\n|---|---|---|\n| FSR-1 | ${words} | SG-1 |\n`);
  const gone = await packed(3, '| ID | Test | Verifies |\n|---|---|---|\n| TC-1 | Brake. | FSR-1 |\n');
  const all = [goals, await requirements('It shall stop.'), gone];
  const first = await extract(all, null, () => ({ artifacts: null, links: null }));
  expect([first.artifactCount, first.linkCount]).toEqual([3, 2]);

  const stored = databaseOf(first);
  const same = await extract(all, first.said, stored);
  expect([same.artifacts.written, same.links.written, same.artifacts.removed.length]).toEqual([[], [], 0]);
  expect(asked.at(-1)!.artifacts).toEqual([workProduct(1), workProduct(2), workProduct(3)]);

  const edited = [goals, await requirements('It shall stop at once.')];
  const next = await extract(edited, first.said, stored);
  expect(asked.at(-1)).toEqual({ artifacts: [workProduct(1)], links: [] });
  expect(next.artifacts.written.map((columns) => texts(columns[2]))).toEqual([['FSR-1']]);
  expect(texts(next.artifacts.removed)).toHaveLength(1);
  expect(texts(next.links.removed)).toHaveLength(1);
  expect(next).toEqual(await extract(edited, null, stored));
});

test('full batches go ahead while others are made; what is to be gone is told at the end', async () => {
  const rows = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => `| FSR-${first + n} | It shall stop. | SG-1, SG-2 |\n`).join('');
  const table = '| ID | Requirement | Derived from |\n|---|---|---|\n';
  const documents = await Promise.all([
    packed(1, '| ID | Safety goal |\n|---|---|\n| SG-1 | Stop. |\n| SG-2 | Stand. |\n'),
    packed(2, `${table}${rows(1, 1_500)}`),
    packed(3, `${table}${rows(10_000, 1_500)}`),
  ]);
  const ahead: RowsAhead[] = [];
  const gone = Buffer.alloc(32, 7);
  const { result } = await extractTraceTask.work(
    { workspaceId: workProduct(9), engine: 'e', documents, said: null },
    {
      signal: new AbortController().signal,
      progress: () => undefined,
      ask: async (question) => {
        const { kind, asked } = question as { readonly kind: string; readonly asked: RowsAhead };
        if (kind !== rowsAhead.kind) return { artifacts: gone, links: null };
        ahead.push(asked);
        return null;
      },
    },
  );
  expect(ahead.map(({ table, columns }) => [table, texts(columns[0]).length])).toEqual([['links', 5_000]]);
  expect([texts(result.artifacts.removed), result.links.removed.length]).toEqual([['07'.repeat(16)], 0]);
  const idsOf = (written: ChangedRows['written']) => written.flatMap((columns) => texts(columns[0]));
  const links = [...idsOf(ahead.map(({ columns }) => columns)), ...idsOf(result.links.written)];
  expect([links.length, new Set(links).size, result.linkCount]).toEqual([6_000, 6_000, 6_000]);
  expect(idsOf(result.artifacts.written)).toHaveLength(3_002);
});
