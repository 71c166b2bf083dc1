import { isFilled } from '../corpus/placeholders/emptiness.js';
import { findPlaceholders } from '../corpus/placeholders/find-placeholders.js';
import { normaliseText } from '../text/normalise.js';
import { checkWords } from './check-words.js';

/**
 * Whether a text names a person: two capitalised words or an initial and one ("Jane Doe", "J. Weber", "Weber, J."), none of which is
 * a word for a role or an organisation. A role alone ("safety manager") names nobody.
 */
export function isPersonName(text: string): boolean {
  return personNamesIn(text).length > 0;
}

/** Words of titles before a name are no part of it. */
const TITLE = /^(?:dr|prof|mr|mrs|ms|dipl|ing|herr|frau)\.?$/iu;
const NAME =
  /(?<![\p{L}\p{N}])(?:\p{Lu}\.\s?){1,2}(?:(?:von|van|de|der|zu)\s)?\p{Lu}\p{Ll}[\p{L}'’-]+|(?<![\p{L}\p{N}])\p{Lu}[\p{Ll}'’-]+(?:\s(?:\p{Lu}\.|von|van|de|der|zu))*(?:,)?[ \u00a0](?:\p{Lu}[\p{Ll}'’]+(?:-\p{Lu}[\p{Ll}]+)?|\p{Lu}\.)(?![\p{Ll}])/gu;

/** Names of persons in a short text, as written. */
export function personNamesIn(text: string): readonly string[] {
  // Every clause of every document is asked, and few hold what looks like a name.
  const names = text.match(NAME)?.filter(isNoRole) ?? [];
  if (names.length === 0) return [];
  return isFilled(text) && findPlaceholders(`x: ${text}`, { metadata: true }).length === 0 ? names : [];
}

let roles: { readonly of: readonly string[]; readonly words: ReadonlySet<string> } | undefined;

function isNoRole(name: string): boolean {
  const { roleWords } = checkWords();
  if (roles?.of !== roleWords) roles = { of: roleWords, words: new Set(roleWords.map(normaliseText)) };
  const { words: known } = roles;
  const words = name.split(/[\s,]+/u).filter((word) => word !== '' && !TITLE.test(word));
  return words.length >= 2 && words.every((word) => !known.has(normaliseText(word.replace(/\.$/, ''))));
}

/** The same person, whatever the order of the names and whether they are written out. */
export function isSamePerson(a: string, b: string): boolean {
  const parts = (name: string) =>
    normaliseText(name)
      .split(/[^\p{L}]+/u)
      .filter((word) => word !== '');
  const [one, other] = [parts(a), parts(b)];
  if (one.length === 0 || other.length === 0) return false;
  const longer = one.length >= other.length ? one : other;
  const shorter = longer === one ? other : one;
  const fits = shorter.every((word) =>
    longer.some(
      (full) =>
        full === word ||
        (word.length === 1 && full.startsWith(word)) ||
        (full.length === 1 && word.startsWith(full)),
    ),
  );
  // Initials alone say too little.
  return fits && shorter.some((word) => word.length > 1 && longer.includes(word));
}
