import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Statement, Transaction } from '../database/database.js';
import type { Dependencies } from '../dependencies.js';
import type { Caller } from '../identity/callers.js';
import type { Identity } from '../identity/identity.js';
import type { Grant, PermissionTable } from '../identity/permissions.js';
import { type Authorizer, askIn, createAuthorizer } from './authorize.js';
import type { CursorCodec } from './cursor.js';
import { etagOf, matchesNone, readPrecondition } from './etag.js';
import { asGuest } from './guest-reach.js';
import { claimKey, type RememberedAnswer, readIdempotencyKey, rememberAnswer } from './idempotency.js';
import { type Language, languageOf } from './language.js';
import type { Context, ReadRoute, Route, RouteInput, WriteContext, WriteRoute } from './route.js';
import { varyBy } from './vary.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
    /** For pages that are no routes of the API and cost something: the rate limit counts them too. */
    counted?: true;
  }
  interface FastifyRequest {
    /** The person behind the request; set before the body is read. */
    caller?: Caller;
  }
}

/** What every handler is given beside its request. */
export interface RouteTools {
  readonly dependencies: Dependencies;
  readonly identity: Identity;
  readonly cursors: CursorCodec;
  readonly permissions: PermissionTable;
}

export const PREFIX = '/api/v1';
const NOTHING = z.strictObject({});

/** Headers that a remembered answer repeats. */
const REMEMBERED_HEADERS = ['location', 'etag'];

/** Puts the routes on the server. Throws when a permission does not fit or an operation appears twice. */
export function registerRoutes(app: FastifyInstance, routes: readonly Route[], tools: RouteTools): void {
  const seen = new Set<string>();
  for (const route of routes) {
    if (seen.has(route.operation)) throw new Error(`Two routes are called ${route.operation}.`);
    seen.add(route.operation);
    const authorizer = createAuthorizer(route, tools.permissions);
    const urls = [PREFIX + route.path, ...(route.kind === 'plain' && route.alsoAtRoot ? [route.path] : [])];
    for (const url of urls) {
      putOn(app, route.rawBody === true, (scope) =>
        scope.route({
          ...route.fastify,
          method: route.method,
          url,
          config: { route },
          schema: {
            params: route.params ?? NOTHING,
            querystring: route.query ?? NOTHING,
            ...(route.body && !route.rawBody ? { body: route.body } : {}),
            response: {
              ...route.otherAnswers,
              ...(route.answer ? { [route.status ?? 200]: route.answer } : {}),
            },
          },
          handler: (request, reply) =>
            answer(route, authorizer, { request, reply, tools, language: languageFor(route, request) }),
        }),
      );
    }
  }
}

/** A route that wants the bytes of its body gets a scope of its own, in which nothing parses them. */
function putOn(app: FastifyInstance, isRaw: boolean, put: (scope: FastifyInstance) => void): void {
  if (!isRaw) {
    put(app);
    return;
  }
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    put(scope);
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly tools: RouteTools;
  readonly language: Language;
}

async function answer(
  route: Route,
  authorizer: Authorizer | undefined,
  exchange: Exchange,
): Promise<unknown> {
  const { request, reply, tools } = exchange;
  reply.code(route.status ?? 200);
  nameLanguage(route, exchange);
  if (!authorizer) return route.handle(contextOf(exchange, {}) as never);
  if (!request.caller) throw new Error(`Nobody was authenticated for ${route.operation}.`);
  const guest = await asGuest(route, {
    caller: request.caller,
    input: inputOf(request),
    database: tools.dependencies.database,
  });
  const caller = guest ?? request.caller;
  if (route.kind === 'read') return answerRead(route, authorizer, { ...exchange, caller });
  if (route.kind === 'write') return answerWrite(route, authorizer, { ...exchange, caller });
  const grant = await authorizer.authorize({
    caller,
    input: inputOf(request),
    ask: askOnce(exchange, caller),
  });
  const body = await route.handle(
    contextOf(exchange, { caller, grant, operation: route.operation }) as never,
  );
  return route.etag ? withTag(exchange, body) : body;
}

type Known = Exchange & { readonly caller: Caller };

async function answerRead(route: ReadRoute, authorizer: Authorizer, exchange: Known): Promise<unknown> {
  const { request, tools, caller } = exchange;
  const grant = await authorizer.authorize({
    caller,
    input: inputOf(request),
    ask: askOnce(exchange, caller),
  });
  const read = (statement: Statement) => tools.dependencies.database.readAs(caller, statement);
  const body = await route.handle(
    contextOf(exchange, { caller, grant, operation: route.operation, read }) as never,
  );
  return route.etag ? withTag(exchange, body) : body;
}

const languageFor = (route: Route, request: FastifyRequest): Language =>
  route.worded ? languageOf(request.headers['accept-language']) : 'en';

/** Says which language the answer is in; what is told of errors is English. */
function nameLanguage(route: Route, { reply, language }: Exchange): void {
  if (!route.worded) return;
  reply.header('content-language', language);
  varyBy(reply, 'Accept-Language');
}

/**
 * The answer with its tag; 304 when a reader has it already. Names beside a resource (`refs`) are no part of it: the tag
 * is that of the resource, so that it guards a change, and who asks for names gets them as they are now.
 */
function withTag({ request, reply, language }: Exchange, body: unknown): unknown {
  const hasNames = typeof body === 'object' && body !== null && 'refs' in body;
  const { refs: _, ...resource } = hasNames ? body : { refs: undefined };
  const tag = etagOf(hasNames ? resource : body, language);
  reply.header('etag', tag);
  const isKnown = !hasNames && request.method === 'GET' && matchesNone(request.headers['if-none-match'], tag);
  return isKnown ? reply.code(304).send() : body;
}

async function answerWrite(route: WriteRoute, authorizer: Authorizer, exchange: Known): Promise<unknown> {
  const { request, reply, tools, caller } = exchange;
  const input = inputOf(request);
  const key = route.idempotent ? readIdempotencyKey(request.headers['idempotency-key']) : undefined;
  const idempotent = key && {
    userId: caller.userId,
    key,
    operation: route.operation,
    params: request.params,
    body: request.body,
  };
  // The transaction may be repeated after a deadlock: everything that an attempt leaves behind is its own.
  const { body, remembered, after } = await tools.dependencies.database.withActor(
    caller,
    async (transaction) => {
      const grant = await authorizer.authorize({ caller, input, ask: askIn(transaction) });
      const remembered = idempotent ? await claimKey(transaction, idempotent) : undefined;
      if (remembered) return { body: remembered.body, remembered, after: [] };
      const { context, after } = writeContext(exchange, {
        transaction,
        grant,
        route,
      });
      const body = await route.handle(context as never);
      if (!context.precondition.settled) throw new Error(`Route ${route.operation} did not check If-Match.`);
      if (route.etag && body !== undefined) reply.header('etag', etagOf(body, exchange.language));
      if (idempotent) await rememberAnswer(transaction, idempotent, answerOf(route, reply, body));
      return { body, remembered, after };
    },
  );
  for (const work of after) await work();
  if (remembered) {
    reply.code(remembered.status).headers({ ...remembered.headers, 'idempotency-replayed': 'true' });
  }
  return route.status === 204 ? reply.send() : body;
}

function writeContext(
  exchange: Known,
  parts: { readonly transaction: Transaction; readonly grant: Grant; readonly route: WriteRoute },
): { readonly context: WriteContext; readonly after: (() => void | Promise<void>)[] } {
  const after: (() => void | Promise<void>)[] = [];
  const { transaction, grant, route } = parts;
  const isChange = route.etag === true && route.method !== 'POST';
  const context: WriteContext = contextOf(exchange, {
    caller: exchange.caller,
    grant,
    operation: route.operation,
    transaction,
    precondition: readPrecondition(
      isChange ? exchange.request.headers['if-match'] : undefined,
      exchange.language,
    ),
    afterCommit: (work: () => void | Promise<void>) => {
      after.push(work);
    },
  });
  return { context, after };
}

function answerOf(route: Route, reply: FastifyReply, body: unknown): RememberedAnswer {
  const headers = REMEMBERED_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const hidden = Object.fromEntries((route.shownOnce ?? []).map((field) => [field, null]));
  const remembered = route.shownOnce ? { ...(body as object), ...hidden } : body;
  return { status: route.status ?? 200, headers: Object.fromEntries(headers), body: remembered };
}

const askOnce =
  ({ tools }: Exchange, caller: Caller) =>
  async <Row>(statement: Statement): Promise<Row | undefined> =>
    (await tools.dependencies.database.readAs<Row>(caller, statement))[0];

const inputOf = ({ params, query, body }: FastifyRequest): RouteInput<never, never, never> =>
  ({ params, query, body }) as RouteInput<never, never, never>;

function contextOf<More extends object>(
  { request, reply, tools, language }: Exchange,
  more: More,
): Context & More {
  const { params, query, body } = inputOf(request);
  let now: Date | undefined;
  return {
    params,
    query,
    body,
    request,
    reply,
    dependencies: tools.dependencies,
    identity: tools.identity,
    cursors: tools.cursors,
    permissions: tools.permissions,
    language,
    log: request.log,
    // Few ask; whoever does is told one time.
    get now() {
      now ??= tools.dependencies.clock();
      return now;
    },
    ...more,
  };
}
