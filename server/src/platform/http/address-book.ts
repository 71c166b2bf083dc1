import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';

/**
 * What an address takes, whoever asks: the answer to `OPTIONS` carries `Allow`, a method that the address does not have
 * is answered 405 with `Allow`, an address that there is not 404. Call it before the routes are added.
 */
export function keepAddressBook(app: FastifyInstance): {
  /** For `setNotFoundHandler`: nothing was found under this method. */
  answerUnknown(request: FastifyRequest, reply: FastifyReply): never;
} {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') tellAllowed(reply, allowedAt(pathOf(request)));
    done();
  });
  let patterns: readonly (readonly [RegExp, ReadonlySet<string>])[] | undefined;
  const allowedAt = (path: string): readonly string[] => {
    patterns ??= [...methods]
      .filter(([url]) => url !== '*')
      .map(([url, known]) => [patternOf(url), known] as const);
    const found = new Set(patterns.flatMap(([pattern, known]) => (pattern.test(path) ? [...known] : [])));
    return found.size === 0 ? [] : [...found.add('OPTIONS')].sort();
  };
  return {
    answerUnknown(request, reply) {
      const allowed = allowedAt(pathOf(request));
      if (allowed.length === 0) throw new ApiError('NOT_FOUND', 'There is nothing at this address.');
      tellAllowed(reply, allowed);
      throw new ApiError(
        'METHOD_NOT_ALLOWED',
        `This address does not take ${request.method}, but ${allowed.join(', ')}.`,
        { allowed },
      );
    },
  };
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '';

function tellAllowed(reply: FastifyReply, allowed: readonly string[]): void {
  if (allowed.length > 0) reply.header('allow', allowed.join(', '));
}

/** Which paths a route is about: a parameter is one step, `*` any rest. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map((step) => {
        if (step === '*') return '.*';
        return step.startsWith(':') ? '[^/]+' : step.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
      })
      .join('/')}$`,
  );
