import { createHash, randomBytes } from 'node:crypto';
import type { Configuration } from '../configuration/configuration.js';

/** Bytes of the secret in a cookie: nobody guesses 256 bits, so a plain hash of it is kept. */
const SECRET_BYTES = 32;
const FORM = /^[\w-]{43}$/;

/** The cookie of a browser's session (decision 315). */
export interface SessionCookie {
  /** Of the `Cookie` header; undefined where it has none of ours. */
  read(header: string | undefined): string | undefined;
  /** `Set-Cookie` for this secret, until the browser ends; the service knows when the session does. */
  set(secret: string): string;
  /** `Set-Cookie` that takes it away. */
  clear(): string;
}

/**
 * With HTTPS the name begins with `__Host-`: a browser takes such a cookie from this very host alone, never from one beside
 * it. Without, on this machine or in a closed network, it cannot be had.
 */
export function sessionCookie({ baseUrl }: Pick<Configuration, 'baseUrl'>): SessionCookie {
  const isSecure = new URL(baseUrl).protocol === 'https:';
  const name = isSecure ? '__Host-normtrace' : 'normtrace';
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return {
    read(header) {
      const pair = header?.split(/; */).find((part) => part.startsWith(`${name}=`));
      return pair?.slice(name.length + 1);
    },
    set: (secret) => `${name}=${secret}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
  };
}

export const newCookieSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** What is kept of a secret; undefined for what can be none of ours. */
export const cookieHash = (secret: string): Buffer | undefined =>
  FORM.test(secret) ? createHash('sha256').update(secret).digest() : undefined;
