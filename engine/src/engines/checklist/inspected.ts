import { z } from 'zod';
import { documentOf } from '../../corpus/corpus.js';
import type { ReadDocument } from '../../corpus/passages/passages-of.js';
import { passageAt } from '../../corpus/passages/passages-of.js';
import type { Table } from '../../corpus/passages/tables.js';
import type { Block, Cell } from '../../documents/document.js';
import type { ArtifactType } from '../../facts/artifacts/artifact.js';
import type { ExtractedArtifact } from '../../facts/artifacts/statement.js';
import { compactTitle } from '../../words/column-titles.js';
import { qualityWords } from '../../words/quality-words.js';
import { listSchema, readWords } from '../../words/read-words.js';
import type { ChecklistContext } from './context.js';

const attributeSchema = z.strictObject({ titles: listSchema, inherited: listSchema });
const wordsSchema = z.strictObject({
  attributes: z.strictObject({ safety: attributeSchema, security: attributeSchema }),
  parts: listSchema,
});
/** Titles and values that an inspection looks for. */
export const inspectionWords = () => readWords('inspection', wordsSchema);

type Context = Pick<ChecklistContext, 'corpus' | 'trace'>;

const REQUIREMENT = /requirement$|_goal$/;
const found = new WeakMap<ChecklistContext['trace'], readonly ExtractedArtifact[]>();

const NAME_WORDS = 3;

/** Whether an artifact demands something: by its type, or where no type is known by its words. A mere name demands nothing. */
function isDemand({ type, text }: ExtractedArtifact): boolean {
  if (text.trim().split(/\s+/).length <= NAME_WORDS) return false;
  if (REQUIREMENT.test(type)) return true;
  return type === 'unknown' && text.search(qualityWords().expressions.normative) >= 0;
}

/** Everything that the documents demand. */
export function allDemands({ corpus, trace }: Context): readonly ExtractedArtifact[] {
  const known = new Set(corpus.documents.map(({ id }) => id));
  return trace.artifacts.filter((one) => known.has(one.documentId) && isDemand(one));
}

/**
 * The demands that an inspection is about: those of the lowest level among the documents. A document whose demands are
 * refined by those of another one is there as the source, not as what is inspected. With `types`, those of the types where
 * there are any.
 */
export function inspectedDemands(
  context: Context,
  types: readonly ArtifactType[] = [],
): readonly ExtractedArtifact[] {
  const { trace } = context;
  if (types.length > 0) {
    const named = allDemands(context).filter(({ type }) => types.includes(type));
    if (named.length > 0) return named;
  }
  let inspected = found.get(trace);
  if (!inspected) {
    const demands = allDemands(context);
    const sources = new Set(
      demands.flatMap((one) =>
        (trace.up.get(one.id) ?? []).flatMap(({ id }) => {
          const above = trace.byId.get(id);
          return above && above.documentId !== one.documentId && isDemand(above) ? [above.documentId] : [];
        }),
      ),
    );
    const lowest = demands.filter((one) => !sources.has(one.documentId));
    inspected = lowest.length > 0 ? lowest : demands;
    found.set(trace, inspected);
  }
  return inspected;
}

/** What an artifact of several paragraphs demands: those with a normative verb; the others explain. */
export function demandText(
  artifact: ExtractedArtifact,
  { corpus }: Pick<ChecklistContext, 'corpus'>,
): { readonly text: string; readonly at?: { readonly start: number; readonly end: number } } {
  const { read } = documentOf(corpus, artifact.documentId);
  const { blocks } = read.document;
  const { normative } = qualityWords().expressions;
  const own: Block[] = [];
  let at = passageAt(read.passages, artifact.start)?.blockIndex ?? 0;
  for (; at < blocks.length && blocks[at]!.start < artifact.end; at++) {
    const block = blocks[at]!;
    if (block.start >= artifact.start && (block.kind === 'paragraph' || block.kind === 'list_item'))
      own.push(block);
  }
  const demanding = own.filter(({ text }) => text.search(normative) >= 0);
  if (own.length < 2 || demanding.length === 0) return { text: artifact.text };
  return { text: demanding.map(({ text }) => text).join('\n'), at: demanding[0]! };
}

const tablesByBlock = new WeakMap<ReadDocument, ReadonlyMap<number, Table>>();

function tableOf(read: ReadDocument, block: number): Table | undefined {
  let byBlock = tablesByBlock.get(read);
  if (!byBlock) {
    byBlock = new Map(read.tables.flatMap((table) => table.rows.map((row) => [row.block, table] as const)));
    tablesByBlock.set(read, byBlock);
  }
  return byBlock.get(block);
}

/** Attributes of an artifact as its document writes them: by title of the column or key, compact. */
export function attributesOf(
  artifact: ExtractedArtifact,
  { corpus }: Pick<ChecklistContext, 'corpus'>,
): ReadonlyMap<string, Cell> {
  const { read } = documentOf(corpus, artifact.documentId);
  const attributes = new Map<string, Cell>();
  const first = passageAt(read.passages, artifact.start)?.blockIndex ?? 0;
  const { blocks } = read.document;
  for (let at = first; at < blocks.length && blocks[at]!.start < artifact.end; at++) {
    const { cells, index } = blocks[at]!;
    const table = tableOf(read, index);
    const [key, value] = cells ?? [];
    if (cells?.length === 2 && !table?.columns.some((title) => title)) {
      attributes.set(compactTitle(key!.text), value!);
      continue;
    }
    for (const cell of cells ?? []) {
      const title = table?.columns[cell.column];
      if (title) attributes.set(compactTitle(title), cell);
    }
  }
  return attributes;
}
