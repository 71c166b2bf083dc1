import { say } from '../../../sentences/sentence.js';
import type { DraftNote } from '../../block.js';
import { DocumentError } from '../../document-error.js';
import { noteOf, pageRanges } from '../../reading-notes.js';
import type { PageContent } from './page-content.js';

/** A page is a picture when pictures take this share of it. */
const PICTURE_PAGE = 0.5;
/** When pages that are pictures make this share of all, most of the document was not read. */
const MOST_PAGES = 0.7;
/** A page is only partly readable past this share of characters without letters, and this many. */
const UNMAPPED_SHARE = 0.2;
const UNMAPPED_CHARACTERS = 40;

/**
 * What could not be read of the pages, for notes. Throws `DocumentError` where most of the document could not: its
 * pages are empty or pictures, or its fonts do not tell which letters they draw.
 */
export function judgeReadability(pages: readonly PageContent[]): readonly DraftNote[] {
  const silent = pages.filter((page) => page.segments.length === 0);
  const pictures = silent.filter((page) => page.letters.pictured >= PICTURE_PAGE);
  const hint = 'If they are scans, run text recognition (OCR) and upload the result.';
  if (silent.length === pages.length && pages.every((page) => page.hidden.length === 0)) {
    throw new DocumentError('no_text', 'The PDF holds no text: its pages are empty or pictures.', hint);
  }
  if (pictures.length >= MOST_PAGES * pages.length && pages.length > 1) {
    throw new DocumentError(
      'no_text',
      `${pictures.length} of the ${pages.length} pages of the PDF are pictures without text.`,
      hint,
    );
  }
  const drawn = sum(pages.map((page) => page.letters.drawn));
  const unmapped = sum(pages.map((page) => page.letters.unmapped));
  if (unmapped > 0.5 * drawn) {
    throw new DocumentError(
      'no_text',
      `${unmapped} of ${drawn} characters of the PDF could not be read: its fonts do not say which letters they draw.`,
      'Export the document again with fonts that carry their letters (PDF/A-2u does), or run text recognition (OCR).',
    );
  }
  const notes: DraftNote[] = [];
  if (silent.length > 0) {
    const values = { pages: pageRanges(numbers(silent)), pictures: pictures.length || undefined };
    notes.push(
      noteOf('page_without_text', say('reading.page-without-text', values), { page: silent[0]!.number }),
    );
  }
  const partly = pages.filter(
    ({ letters }) =>
      letters.unmapped >= UNMAPPED_CHARACTERS && letters.unmapped > UNMAPPED_SHARE * letters.drawn,
  );
  if (partly.length > 0) {
    const values = { unmapped, characters: drawn, pages: pageRanges(numbers(partly)) };
    notes.push(noteOf('unmapped_text', say('reading.unmapped-text', values), { page: partly[0]!.number }));
  }
  return notes;
}

const numbers = (pages: readonly PageContent[]): number[] => pages.map((page) => page.number);

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
