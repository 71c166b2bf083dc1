import { columnValueWords } from '../../words/column-values.js';
import { patternOf } from '../../words/read-words.js';
import { separatorKey } from './id-keys.js';

/** An id by its form alone: letters, groups between signs, a number. */
const CODE =
  /(?<![\p{L}\p{N}_./-])[\p{L}][\p{L}\p{N}]{0,11}(?:[-_.]\p{L}{1,8}){0,3}[-_. ]?\d{1,5}(?:[.\-_]\d{1,4}){0,3}[a-z]?(?![\p{L}\p{N}_])/gu;

/** Everything in a text that has the form of an id, by place. Linear. */
export const placesOfCodes = (
  text: string,
): readonly { readonly id: string; readonly start: number; readonly end: number }[] =>
  [...text.matchAll(CODE)].map(({ 0: id, index }) => ({ id, start: index, end: index + id.length }));

const LONGEST = 400;
/** The same of a cell of links. */
export const codesIn = (written: string): readonly string[] =>
  placesOfCodes(written.slice(0, LONGEST)).map(({ id }) => id);

/** What ids of one kind have in common: the letters before their number. */
export const stemOf = (id: string): string => separatorKey(id).replace(/-?\d[\d-]*[A-Z]?$/u, '');

/** Whether a text demands something. */
export const isDemand = (text: string): boolean =>
  patternOf(columnValueWords().values.demand!, 'u').test(text);
