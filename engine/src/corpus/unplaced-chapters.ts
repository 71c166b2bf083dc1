import { type Corpus, documentOf, templateTablesOf } from './corpus.js';
import type { DocumentPart } from './detect-document-types.js';
import { roleOfHeading } from './passages/section-roles.js';
import { contentOf, matchSections } from './section-state.js';

/** Chapters of a document beside the template of its type. */
interface PlacedChapters {
  /** Headed as a section of the template is, or with a table of the template; with all that is below. */
  readonly placed: number;
  /** With content under a heading that no section of the template is known by. */
  readonly unplaced: number;
}

/** At most so many placed chapters for each under a heading of the author's own: what was not found may stand there in other words. */
const PLACED_FOR_EACH = 2;

/**
 * Whether a third of what a part holds, or more, stands under headings that its template does not know. What was not found by the names of
 * sections and by words is then no proof that it is not there (ours; fitted on projects of the tests, none of the gold sets is so).
 */
export function isHeadedOtherwise(corpus: Corpus, part: DocumentPart): boolean {
  const { placed, unplaced } = chaptersOf(corpus, part);
  return unplaced > 0 && unplaced * PLACED_FOR_EACH >= placed;
}

const chaptersByPart = new WeakMap<DocumentPart, PlacedChapters>();

/** How much of a part stands where its template expects something, chapter by chapter; what is beside the content is none. Linear. */
function chaptersOf(corpus: Corpus, part: DocumentPart): PlacedChapters {
  const known = chaptersByPart.get(part);
  if (known) return known;
  const found = placeChapters(corpus, part);
  chaptersByPart.set(part, found);
  return found;
}

/** "FSR-3 Keep the lamp lit", also behind the number of a chapter: a requirement or a test, no chapter. */
const HEADS_AN_ARTIFACT = /^(?:\d+(?:\.\d+)*\.?\s+)?\p{L}[\p{L}_.-]*\d/u;

function placeChapters(corpus: Corpus, part: DocumentPart): PlacedChapters {
  const { read } = documentOf(corpus, part.documentId);
  const type = corpus.documentTypes.get(part.typeId);
  if (!type) return { placed: 0, unplaced: 0 };
  const marks = [
    ...matchSections(read, part, type).map(({ section }) => section.heading ?? section.start),
    ...templateTablesOf(corpus, part).flatMap(
      ({ table }) => table.headerBlocks[0] ?? table.rows[0]?.block ?? [],
    ),
  ].sort((a, b) => a - b);
  let placed = 0;
  let unplaced = 0;
  /** Where the last chapter ends that stands where the template expects it: what is below it belongs to it. */
  let behind = 0;
  let next = 0;
  for (const { title, heading, start, ownEnd, end } of read.sections) {
    const at = heading ?? start;
    if (at < part.start || at >= part.end || at < behind) continue;
    while (next < marks.length && marks[next]! < at) next++;
    if (next < marks.length && marks[next]! < ownEnd) {
      placed++;
      behind = end;
    } else if (
      roleOfHeading(title) === undefined &&
      !HEADS_AN_ARTIFACT.test(title) &&
      contentOf(read, start, ownEnd).state === 'complete'
    )
      unplaced++;
  }
  return { placed, unplaced };
}
