import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * A browser sends its cookie with whatever any page asks it to send. What changes something with it has to come from a page
 * of ours: `Sec-Fetch-Site` says so, which no page can write; a browser that does not send it says the `Origin`. Throws
 * 403 `cross_site_request`.
 */
export function requireOwnPage({ method, headers }: FastifyRequest, ownOrigin: string): void {
  if (READING.includes(method)) return;
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === ownOrigin : site === 'same-origin';
  if (isOwn) return;
  throw new ApiError(
    'AUTHORIZATION_ERROR',
    'With the cookie of a session only pages of this service change something. Elsewhere use a token.',
    { reason: 'cross_site_request' },
  );
}
