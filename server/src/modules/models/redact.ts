import { createHash } from 'node:crypto';
import type { ModelRequest } from '@normtrace/engine';
import type { PolicyRow } from './policy.repository.js';

/** What is not sent: addresses of mails, and words that a workspace names. */
export interface Redaction {
  readonly addresses: boolean;
  readonly words: readonly string[];
}

export interface Redacted {
  readonly text: string;
  /** What stands for what, to put it back into an answer. */
  readonly placeholders: ReadonlyMap<string, string>;
}

const ADDRESS = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/**
 * Puts placeholders in place of what must not leave: the same for the same words in every question of a workspace, whatever
 * their case; longer words first. Ids stay, and quotes are cut from the documents: nothing is lost.
 */
export function redact(text: string, { addresses, words }: Redaction, workspaceId: string): Redacted {
  const placeholders = new Map<string, string>();
  const replace = (kind: string) => (found: string) => {
    const normal = found.toLowerCase().replace(/\s+/g, ' ');
    const digest = createHash('sha256').update(`${workspaceId} ${normal}`).digest('hex').slice(0, 6);
    const placeholder = `[${kind}-${digest}]`;
    placeholders.set(placeholder, found);
    return placeholder;
  };
  let redacted = addresses ? text.replace(ADDRESS, replace('address')) : text;
  const named = words.map((word) => word.trim()).filter((word) => word !== '');
  if (named.length > 0) {
    const longestFirst = [...named].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    const either = longestFirst
      .map((word) => word.replace(SPECIAL, '\\$&').replace(/\s+/g, '\\s+'))
      .join('|');
    // Whole words, and the beginning of longer ones: "Aurora" is in "Aurora-Projekt" and in "Auroras".
    redacted = redacted.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${either})`, 'giu'), replace('name'));
  }
  return { text: redacted, placeholders };
}

/** The answer in the words of the workspace. */
export const restore = (answer: string, placeholders: ReadonlyMap<string, string>): string =>
  answer.replace(/\[(?:address|name)-[0-9a-f]{6}\]/g, (placeholder) => {
    const found = placeholders.get(placeholder);
    // Inside of JSON: what stands for it must not end the text that it is in.
    return found === undefined ? placeholder : JSON.stringify(found).slice(1, -1);
  });

/** A question as it is sent under a policy, with what its placeholders stand for. */
export function redactRequest(
  request: ModelRequest,
  {
    redact_addresses: addresses,
    redacted_words: words,
  }: Pick<PolicyRow, 'redact_addresses' | 'redacted_words'>,
  workspaceId: string,
): { readonly request: ModelRequest; readonly placeholders: ReadonlyMap<string, string> } {
  const { text, placeholders } = redact(request.variable, { addresses, words }, workspaceId);
  return { request: { ...request, variable: text }, placeholders };
}
