/**
 * What is kept of the pages of a document lies in a folder beside what was read of it, and goes with it. All of it can be made
 * again from the file: nothing is lost when it is swept away.
 */
const FOLDER = '.pages/';

export const pagesPrefix = (parsedKey: string): string => `${parsedKey}${FOLDER}`;

/** Pages and the places of their text (see `openPages`). */
export const placesKey = (parsedKey: string): string => `${parsedKey}${FOLDER}places`;

/** Pages alone: today's reader reads another text in the file than the one that is kept, so that no place of it would be right. */
export const shapesKey = (parsedKey: string): string => `${parsedKey}${FOLDER}shapes`;

export const pictureKey = (parsedKey: string, page: number, width: number): string =>
  `${parsedKey}${FOLDER}${page}-${width}.png`;

/** The key of the parsed document beside which an object lies; undefined for objects that are nothing of pages. */
export function parsedKeyOfPages(key: string): string | undefined {
  const at = key.indexOf(FOLDER);
  return at === -1 ? undefined : key.slice(0, at);
}
