import type { FastifyInstance } from 'fastify';

/**
 * What browsers are told with every answer; a page that shows something says its own policy. Fixed texts: to put them
 * together anew for each request took as long as reading a row.
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'none';object-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
} as const;

/** A year, with everything below the host. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const;

/** Sends the headers of security with every answer, its number, and that nobody keeps what belongs to somebody. */
export function sendConstantHeaders(
  app: FastifyInstance,
  { requireHttps }: { readonly requireHttps: boolean },
): void {
  const forEverybody = { ...HEADERS, ...(requireHttps ? HTTPS_ONLY : {}) };
  const forSomebody = { ...forEverybody, 'cache-control': 'no-store' };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isForEverybody(request.url) ? forEverybody : forSomebody);
    reply.header('x-request-id', request.id);
    done();
  });
}

/** The pages and the description of the API, which say when they may be kept. */
const isForEverybody = (url: string): boolean => !/^\/(api|uploads|health)\b/.test(url);
