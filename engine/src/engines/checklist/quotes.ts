import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { passageAt } from '../../corpus/passages/passages-of.js';
import type { Cell } from '../../documents/document.js';
import { textRange } from '../../facts/artifacts/artifact-text.js';
import type { ExtractedArtifact } from '../../facts/artifacts/statement.js';
import type { Evidence } from '../../findings/finding.js';
import type { Prose } from '../../sentences/sentence.js';

type Role = Evidence['role'];

/** Evidence for a range of a document: the cell or paragraph in which it begins. */
export function quoteRange(
  { read }: CorpusDocument,
  range: { readonly start: number; readonly end: number },
  { role, note }: { readonly role: Role; readonly note: Prose },
): Evidence | undefined {
  const passage = passageAt(read.passages, range.start);
  if (!passage) return undefined;
  const cells = read.document.blocks[passage.blockIndex]!.cells;
  const own = cells?.find((cell) => cell.start <= range.start && range.start < cell.end);
  const filled = own ?? longestCell(cells) ?? passage;
  const start = Math.max(filled.start, range.start);
  const end = Math.min(filled.end, range.end);
  const place = start < end && !(own === undefined && cells) ? { start, end } : filled;
  const evidence = quote(read.document, passage, place, { role, note });
  return evidence.quote === '' ? undefined : evidence;
}

/** Evidence for an artifact: the words that state it, or its integrity level. */
export function quoteArtifact(
  corpus: Corpus,
  artifact: ExtractedArtifact,
  rest: {
    readonly role: Role;
    readonly note: Prose;
    readonly at?: { readonly start: number; readonly end: number };
  },
): readonly Evidence[] {
  const document = corpus.documents.find((one) => one.id === artifact.documentId);
  if (!document) return [];
  const range = rest.at ?? textRange(document, artifact);
  const evidence = quoteRange(document, range, rest);
  return evidence ? [evidence] : [];
}

/** The first words of a document that say what it is. */
export function quoteDocument(document: CorpusDocument, role: Role, note: Prose): readonly Evidence[] {
  const { read } = document;
  const first =
    read.passages.find((passage) => passage.role === 'heading' && passage.text.trim() !== '') ??
    read.passages.find((passage) => passage.text.trim() !== '');
  if (!first) return [];
  const cell = longestCell(read.document.blocks[first.blockIndex]!.cells);
  return [quote(read.document, first, cell ?? first, { role, note })];
}

export function quoteCell(
  { read }: CorpusDocument,
  cell: { readonly block: number; readonly start: number; readonly end: number },
  rest: { readonly role: Role; readonly note: Prose },
): Evidence {
  return quote(read.document, read.passages[cell.block]!, cell, rest);
}

function longestCell(cells: readonly Cell[] | undefined): Cell | undefined {
  const filled = (cells ?? []).filter((cell) => cell.text.trim() !== '');
  return filled.sort((a, b) => b.text.length - a.text.length)[0];
}
