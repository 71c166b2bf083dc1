import { compactTitle } from '../../artifacts/extraction-words.js';
import type { ExtractedArtifact } from '../../artifacts/statement.js';
import type { Cell } from '../../documents/document.js';
import { documentOf } from '../../judgement/corpus.js';
import { qualityWords } from '../../requirement-quality/quality-words.js';
import type { ChecklistContext } from './context.js';

type Context = Pick<ChecklistContext, 'corpus' | 'trace'>;

const REQUIREMENT = /requirement$|_goal$/;
const found = new WeakMap<ChecklistContext['trace'], readonly ExtractedArtifact[]>();

/** Whether an artifact demands something: by its type, or where no type is known by its words. */
function isDemand({ type, text }: ExtractedArtifact): boolean {
  if (REQUIREMENT.test(type)) return true;
  return type === 'unknown' && text.search(qualityWords().expressions.normative) >= 0;
}

/**
 * The demands that an inspection is about: those of the lowest level among the documents. A document whose demands are
 * refined by those of another one is there as the source, not as what is inspected.
 */
export function inspectedDemands({ corpus, trace }: Context): readonly ExtractedArtifact[] {
  let inspected = found.get(trace);
  if (!inspected) {
    const usable = new Set(corpus.documents.map(({ id }) => id));
    const demands = trace.artifacts.filter((one) => usable.has(one.documentId) && isDemand(one));
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

/** Attributes of an artifact as its document writes them: by title of the column or key, compact. */
export function attributesOf(
  artifact: ExtractedArtifact,
  { corpus }: Pick<ChecklistContext, 'corpus'>,
): ReadonlyMap<string, Cell> {
  const { read } = documentOf(corpus, artifact.documentId);
  const attributes = new Map<string, Cell>();
  for (const block of read.document.blocks) {
    if (block.end <= artifact.start || block.start >= artifact.end || !block.cells) continue;
    const table = read.tables.find((one) => one.rows.some((row) => row.block === block.index));
    const [key, value] = block.cells;
    const isPair = block.cells.length === 2 && !table?.columns.some((title) => title);
    if (isPair) {
      attributes.set(compactTitle(key!.text), value!);
      continue;
    }
    for (const cell of block.cells) {
      const title = table?.columns[cell.column];
      if (title) attributes.set(compactTitle(title), cell);
    }
  }
  return attributes;
}

/** Where the words of an artifact stand: the range of its text, else all that states it. */
export function placeOfText(
  artifact: ExtractedArtifact,
  { corpus }: Pick<ChecklistContext, 'corpus'>,
): { readonly start: number; readonly end: number } {
  const { text } = documentOf(corpus, artifact.documentId).read.document;
  const start = text.indexOf(artifact.text, artifact.start);
  return start >= 0 && start < artifact.end ? { start, end: start + artifact.text.length } : artifact;
}
