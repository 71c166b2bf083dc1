import type { CorpusDocument } from '../../corpus/corpus.js';
import type { Segment } from '../../corpus/evidence.js';
import { passageAt } from '../../corpus/passages/passages-of.js';
import { blockAt } from '../../documents/block-at.js';
import type { Document } from '../../documents/document.js';
import type { ExtractedArtifact } from './statement.js';

/** A record has no more rows of attributes than this. */
const MOST_ROWS = 60;
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
  if (at >= 0 && at < artifact.end) {
    return { start: at, end: Math.min(at + text.length, artifact.end, placeAt(read.document, at).end) };
  }
  const first = passageAt(read.passages, artifact.start);
  if (!first) return artifact;
  const own = read.passages
    .slice(first.blockIndex, first.blockIndex + MOST_ROWS)
    .filter((passage) => passage.start < artifact.end);
  // The first paragraph is shorter than the beginning.
  const told = own.find((passage) => passage.text.trim() !== '' && text.startsWith(passage.text.trim()));
  if (told) return { start: told.start, end: told.end };
  const cells = own.flatMap((passage) => read.document.blocks[passage.blockIndex]!.cells ?? []);
  const named = [artifact.name, artifact.id].filter((one) => one !== undefined && one.trim() !== '');
  for (const name of named) {
    const cell = cells.find((one) => one.text.includes(name!));
    if (cell) return cell;
  }
  return { start: artifact.start, end: Math.min(artifact.end, placeAt(read.document, artifact.start).end) };
}

/** The cell, else the block, that a place of the text stands in. */
function placeAt(document: Document, at: number): Segment {
  const block = blockAt(document, at)!;
  return block.cells?.find((cell) => cell.start <= at && at <= cell.end) ?? block;
}
