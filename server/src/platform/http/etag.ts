import { hash } from 'node:crypto';
import { ApiError } from './api-error.js';
import type { Language } from './language.js';

/** Strong entity tag of a resource as it is answered, in a language. */
export function etagOf(resource: unknown, language: Language = 'en'): string {
  const tag = `"${hash('sha256', JSON.stringify(resource), 'base64url').slice(0, 22)}"`;
  return language === 'en' ? tag : taggedAs(tag, language);
}

/** The condition that a caller put on a change. */
export interface Precondition {
  /**
   * Throws 412 `PRECONDITION_FAILED` when `If-Match` was sent and does not name the resource as it is now. Give it
   * the resource exactly as `GET` answers it, made from the row locked with `for update`.
   */
  check(resource: unknown): void;
  /** True when there was nothing to check, or `check` was called. */
  readonly settled: boolean;
}

/**
 * From the `If-Match` header: absent, `*`, or a list of tags. Weak tags never match (RFC 9110, 13.1.1).
 * @param language Of the request: a tag names the resource in the language that it was read in.
 */
export function readPrecondition(ifMatch: string | undefined, language: Language = 'en'): Precondition {
  let settled = ifMatch === undefined;
  return {
    check(resource) {
      settled = true;
      if (ifMatch === undefined || ifMatch.trim() === '*') return;
      if (tagsOf(ifMatch).includes(etagOf(resource, language))) return;
      throw new ApiError(
        'PRECONDITION_FAILED',
        'The resource has changed since it was read. Read it again and repeat the change with its new ETag.',
      );
    },
    get settled() {
      return settled;
    },
  };
}

/** True when `If-None-Match` names the tag, so that 304 is the answer. Weak comparison (RFC 9110, 13.1.2). */
export const matchesNone = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' ||
    tagsOf(ifNoneMatch)
      .map((other) => other.replace(/^W\//, ''))
      .includes(tag));

/** The tag of the same resource in a coding such as `gzip` or in another language, which are other bytes (RFC 9110, 8.8.3.3). */
export const taggedAs = (tag: string, form: string): string => tag.replace(/"$/, `-${form}"`);

/** Tags of a header, those of codings as that of their resource. */
const tagsOf = (header: string): string[] =>
  header.split(',').map((tag) => tag.trim().replace(/-gzip"$/, '"'));
