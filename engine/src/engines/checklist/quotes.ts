import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { Passage } from '../../corpus/passages/passage.js';
import type { Cell } from '../../documents/document.js';
import type { ExtractedArtifact } from '../../facts/artifacts/statement.js';
import type { Evidence } from '../../findings/finding.js';

type Role = Evidence['role'];

/** A record has no more rows of attributes than this. */
const MOST_ROWS = 60;

/** Evidence for a range of a document: the cell or paragraph in which it begins. */
export function quoteRange(
  { read }: CorpusDocument,
  range: { readonly start: number; readonly end: number },
  { role, note }: { readonly role: Role; readonly note: string },
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
    readonly note: string;
    readonly at?: { readonly start: number; readonly end: number };
  },
): readonly Evidence[] {
  const document = corpus.documents.find((one) => one.id === artifact.documentId);
  if (!document) return [];
  const range = rest.at ?? textRange(document, artifact);
  const evidence = quoteRange(document, range, rest);
  return evidence ? [evidence] : [];
}

const BEGINNING = 40;

/** Where the words of an artifact stand; the cell with its id where it has none; else all that states it. */
export function textRange(
  { read }: CorpusDocument,
  artifact: ExtractedArtifact,
): { readonly start: number; readonly end: number } {
  const text = artifact.text.trim();
  // Several paragraphs are joined in the artifact: then the beginning tells the first of them.
  const beginning = text.slice(0, BEGINNING);
  const at = beginning === '' ? -1 : read.document.text.indexOf(beginning, artifact.start);
  if (at >= 0 && at < artifact.end) return { start: at, end: Math.min(at + text.length, artifact.end) };
  const first = passageAt(read.passages, artifact.start);
  if (!first) return artifact;
  const own = read.passages.slice(first.blockIndex, first.blockIndex + MOST_ROWS);
  const cells = own
    .filter((passage) => passage.start < artifact.end)
    .flatMap((passage) => read.document.blocks[passage.blockIndex]!.cells ?? []);
  const named = [artifact.name, artifact.id].filter((one) => one !== undefined && one.trim() !== '');
  for (const name of named) {
    const cell = cells.find((one) => one.text.includes(name!));
    if (cell) return cell;
  }
  return artifact;
}

/** The first words of a document that say what it is. */
export function quoteDocument(document: CorpusDocument, role: Role, note: string): readonly Evidence[] {
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
  rest: { readonly role: Role; readonly note: string },
): Evidence {
  return quote(read.document, read.passages[cell.block]!, cell, rest);
}

/** The passage in which a position of the text lies. */
export function passageAt(passages: readonly Passage[], position: number): Passage | undefined {
  let low = 0;
  let high = passages.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (passages[middle]!.start <= position) low = middle;
    else high = middle - 1;
  }
  return passages[low];
}

function longestCell(cells: readonly Cell[] | undefined): Cell | undefined {
  const filled = (cells ?? []).filter((cell) => cell.text.trim() !== '');
  return filled.sort((a, b) => b.text.length - a.text.length)[0];
}
