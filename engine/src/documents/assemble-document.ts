import { worded } from '../sentences/worded.js';
import { assembleBlocks, type DraftNote, type ReadingNote } from './block.js';
import type { Document } from './document.js';
import { hiddenNotes } from './hidden-notes.js';
import { detectLanguage } from './language.js';
import type { RecognisedDraft } from './read-draft.js';

/** Joins the texts of a draft, fixes every range, recognises the language and tells what is hidden. */
export function assembleDocument({ format, draft }: RecognisedDraft): Document {
  const { text, blocks } = assembleBlocks(draft.blocks);
  return {
    format,
    text,
    blocks,
    language: detectLanguage(text),
    properties: draft.properties,
    ...(draft.pageCount === undefined ? {} : { pageCount: draft.pageCount }),
    notes: [...draft.notes, ...hiddenNotes(text, blocks)].map(inWords),
  };
}

/** With its message in English, and what it says for other languages. */
const inWords = ({ code, message, location }: DraftNote): ReadingNote => ({
  code,
  ...worded({ message }),
  ...(location ? { location } : {}),
});
