import type { CorpusDocument } from '../../corpus/corpus.js';
import { passageAt } from '../../corpus/passages/passages-of.js';
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
