import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Configuration } from '../configuration/configuration.js';
import type { Dependencies } from '../dependencies.js';
import type { Identity } from '../identity/identity.js';
import { keepAddressBook } from './address-book.js';
import { ApiError } from './api-error.js';
import { compressAnswers } from './compress.js';
import { sendConstantHeaders } from './constant-headers.js';
import { envelope, sendError } from './error-envelope.js';
import { acceptForms } from './forms.js';
import { measureRequests, traceRequests } from './observe-requests.js';
import { requireOwnPage } from './own-page.js';
import { networkOf, type RateLimiter, rateLimitHeaders, tooMany } from './rate-limit.js';
import { guardOf } from './route.js';
import { serializer } from './serialize.js';
import { refuseUnstorableText } from './storable-text.js';
import { passGate } from './subscription-gate.js';
import { validateRequest } from './validate-request.js';

const CALLERS_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const MAX_JSON_BYTES = 1024 * 1024;
/** Of Node.js: a request line is not longer. */
const MAX_HEADER_BYTES = 16 * 1024;
/** A connection on which nothing moves: streams have a heartbeat, and the longest answers take less. */
const IDLE_MILLISECONDS = 120_000;
/** From the first byte of a request to the last: the largest file over a slow line. */
const ARRIVAL_MILLISECONDS = 3_600_000;

/** Headers of ours that a browser may show to a page of another origin. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'ETag',
  'Location',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'Content-Disposition',
  'WWW-Authenticate',
  'Allow',
  'Deprecation',
  'Sunset',
];

export interface ServerParts {
  readonly dependencies: Dependencies;
  readonly identity: Pick<Identity, 'authenticate'>;
  readonly limiter: RateLimiter;
  /** For requests with the cookie of a browser's session. */
  readonly browserLimiter: RateLimiter;
}

/** The HTTP server with everything that holds on every route (contract §1), and no routes yet. */
export async function createServer({
  dependencies,
  identity,
  limiter,
  browserLimiter,
}: ServerParts): Promise<FastifyInstance> {
  const { configuration, log, metrics, traces } = dependencies;
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    // The nearest proxy only: what came to it in X-Forwarded-For is whatever the client wrote.
    trustProxy: configuration.trustProxy && ((_address: string, hop: number) => hop === 0),
    bodyLimit: MAX_JSON_BYTES,
    connectionTimeout: IDLE_MILLISECONDS,
    requestTimeout: ARRIVAL_MILLISECONDS,
    // Whatever stands in the place of an id is told by its route that it is none, like every other text.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    genReqId: ({ headers }) => {
      const own = headers['x-request-id'];
      return typeof own === 'string' && CALLERS_REQUEST_ID.test(own) ? own : randomUUID();
    },
    requestIdHeader: false,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendError(error, request, reply);
    },
    clientErrorHandler: answerUnreadable,
  });
  // Idle connections end with the server; one whose answer is still being sent ends after it, not after its idle time.
  app.addHook('preClose', (done) => {
    app.server.keepAliveTimeout = 1;
    done();
  });
  app.setValidatorCompiler(validateRequest);
  app.setSerializerCompiler(serializer(log));
  app.setErrorHandler(sendError);
  const addresses = keepAddressBook(app);
  app.setNotFoundHandler((request, reply) => addresses.answerUnknown(request, reply));
  acceptJson(app);
  await acceptForms(app);
  refuseUnstorableText(app);

  sendConstantHeaders(app, configuration);
  if (traces) traceRequests(app, traces);
  if (metrics) measureRequests(app, metrics);
  await app.register(cors, {
    origin: [...configuration.allowedOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // As one text: the plugin would join a list for each request.
    exposedHeaders: EXPOSED_HEADERS.join(', '),
    maxAge: 600,
    // An OPTIONS request that is no preflight is asked of the address itself.
    strictPreflight: false,
  });
  compressAnswers(app);
  if (configuration.requireHttps) refuseHttp(app);
  countAndAuthenticate(app, { identity, limiter, browserLimiter, configuration });
  if (log.isLevelEnabled('info')) logRequests(app);
  return app;
}

/** JSON and nothing else, unless a route says so. A missing body is left to the route's schema. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    return parse(request, body.toString(), (error, value) => {
      if (error) return done(new ApiError('BAD_REQUEST', 'The body is not valid JSON.'));
      return done(null, value);
    });
  });
}

function refuseHttp(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { route } = request.routeOptions.config;
    const isProbe = route?.kind === 'plain' && route.probe === true;
    if (request.protocol === 'https' || isProbe) return;
    throw new ApiError('BAD_REQUEST', 'This service answers over HTTPS only.');
  });
}

/**
 * Who is calling, whether they may call so often (per user, per client address where there is no user), and whether
 * they have a subscription where one is needed. Before the body is read, so that nobody without a token can make the
 * service parse anything.
 */
function countAndAuthenticate(
  app: FastifyInstance,
  {
    identity,
    limiter,
    browserLimiter,
    configuration,
  }: {
    readonly identity: Pick<Identity, 'authenticate'>;
    readonly limiter: RateLimiter;
    readonly browserLimiter: RateLimiter;
    readonly configuration: Configuration;
  },
): void {
  const ownOrigin = new URL(configuration.baseUrl).origin;
  app.addHook('onRequest', async (request, reply) => {
    const { route, counted } = request.routeOptions.config;
    const isCounted =
      request.is404 ||
      counted === true ||
      (route !== undefined && !(route.kind === 'plain' && route.probe === true));
    if (!isCounted) {
      reply.headers(rateLimitHeaders(limiter.size, undefined));
      return;
    }
    const failure = route && guardOf(route) ? await authenticate(identity, request, ownOrigin) : undefined;
    const { caller } = request;
    const [counting, key] = !caller
      ? [limiter, `address ${networkOf(request.ip)}`]
      : caller.byCookie
        ? [browserLimiter, `${route?.picture ? 'pictures' : 'browser'} ${caller.userId}`]
        : [limiter, `user ${caller.userId}`];
    const decision = await counting.take(key);
    reply.headers(rateLimitHeaders(counting.size, decision));
    if (!decision.allowed) throw tooMany('requests', decision.retryAfterSeconds);
    if (failure) throw failure;
    if (caller && route?.gate !== 'open') passGate(configuration, caller);
  });
}

/** Sets the caller; gives the refusal back instead of throwing it, because refused requests count as well. */
async function authenticate(
  identity: Pick<Identity, 'authenticate'>,
  request: FastifyRequest,
  ownOrigin: string,
): Promise<ApiError | undefined> {
  try {
    const { headers, ip: address } = request;
    const caller = await identity.authenticate(headers, { address, userAgent: headers['user-agent'] });
    if (caller.byCookie) requireOwnPage(request, ownOrigin);
    request.caller = caller;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** One line per request: the operation and how it went, never content. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const { route } = request.routeOptions.config;
    request.log.info(
      {
        operation: route?.operation,
        method: request.method,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        userId: request.caller?.userId,
        tokenId: request.caller?.through?.id,
      },
      'request',
    );
  });
}

/** What is not even HTTP still gets the envelope. */
function answerUnreadable(error: Error & { code?: string }, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const requestId = randomUUID();
  const message = isTooLarge ? 'The request headers are too large.' : 'The request is not valid HTTP.';
  const body = JSON.stringify(envelope(new ApiError('BAD_REQUEST', message), requestId));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
