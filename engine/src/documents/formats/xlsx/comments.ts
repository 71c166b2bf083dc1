import { cleanText } from '../../clean-text.js';
import type { OfficePackage } from '../../files/office-package.js';

/** Reviewers' comments of one sheet: cell reference → texts, oldest first. */
export async function readComments(file: OfficePackage, sheetPart: string): Promise<Map<string, string[]>> {
  const comments = new Map<string, string[]>();
  const related = [...(await file.relationships(sheetPart)).values()];
  // Threads are stored twice: in full, and as a note for older programs that only says so.
  const threads = related.filter((entry) => entry.type === 'threadedComment');
  for (const thread of threads) await readPart(file, thread.target, 'threadedComment', 'text', comments);
  const threaded = new Set(comments.keys());
  for (const note of related.filter((entry) => entry.type === 'comments')) {
    const notes = new Map<string, string[]>();
    await readPart(file, note.target, 'comment', 't', notes);
    for (const [cell, texts] of notes) if (!threaded.has(cell)) comments.set(cell, texts);
  }
  return comments;
}

async function readPart(
  file: OfficePackage,
  part: string,
  element: string,
  textElement: string,
  into: Map<string, string[]>,
): Promise<void> {
  if (!file.has(part)) return;
  let cell = '';
  let text = '';
  let collecting = false;
  await file.parse(part, {
    open(name, attributes) {
      if (name === element) {
        cell = attributes.ref ?? '';
        text = '';
      }
      if (name === textElement) collecting = true;
    },
    text(piece) {
      if (collecting) text += piece;
    },
    close(name) {
      if (name === textElement) collecting = false;
      if (name === element && cleanText(text)) into.set(cell, [...(into.get(cell) ?? []), cleanText(text)]);
    },
  });
}
