import type { DocumentStatus } from '../documents/document-status.js';
import { type Sentence, say } from '../sentences/sentence.js';
import { normaliseText } from '../text/normalise.js';
import { patternOf } from '../words/read-words.js';
import { stateWords } from './section-state.js';

/** What a status field says; `unknown` for words that say nothing about maturity. */
export function parseStatus(value: string | undefined): DocumentStatus {
  if (value === undefined) return 'unknown';
  const text = normaliseText(value);
  const says = (words: readonly string[]) =>
    patternOf(`(?<!\\p{L})(?:${words.map((word) => normaliseText(word)).join('|')})(?!\\p{L})`, 'u').test(
      text,
    );
  const { obsolete, draft, reviewed, released } = stateWords();
  // "not approved" and "nicht freigegeben" are drafts.
  if (says(obsolete)) return 'obsolete';
  if (says(draft) || /(?<!\p{L})(?:not|nicht|noch)(?!\p{L})/u.test(text)) return 'draft';
  if (says(released)) return 'released';
  return says(reviewed) ? 'reviewed' : 'unknown';
}

/** Versions of one document compared: `1.10` is newer than `1.9`. */
export function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0;
}

/**
 * Ids of documents that a newer version under the same name replaces (trap T6), with the newer version.
 */
export function supersededVersions(
  documents: readonly { readonly id: string; readonly name: string; readonly version: string }[],
): ReadonlyMap<string, string> {
  const newest = new Map<string, { version: string; name: string }>();
  const key = (name: string) => normaliseText(name);
  for (const { name, version } of documents) {
    const known = newest.get(key(name));
    if (!known || isNewer(version, known.version)) newest.set(key(name), { version, name });
  }
  const superseded = new Map<string, string>();
  for (const { id, name, version } of documents) {
    const latest = newest.get(key(name))!;
    if (isNewer(latest.version, version)) superseded.set(id, latest.version);
  }
  return superseded;
}

/** A status as a word in a sentence. */
export const statusWord = (status: DocumentStatus): Sentence => say(`checks.word-${status}`);
