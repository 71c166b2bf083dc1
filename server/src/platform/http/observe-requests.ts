import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics.js';
import type { OpenSpan, Traces } from '../traces/traces.js';

/** Counts and times every request by its operation. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const operation = operationOf(request);
    metrics.count('requests', { operation, status: String(reply.statusCode) });
    // A stream lasts as long as somebody watches.
    if (!('sse' in (request.routeOptions.config.route?.fastify ?? {})))
      metrics.time('requests', reply.elapsedTime / 1000, { operation });
  });
}

/** One span for each request but those of probes; what the handler does belongs to it. Goes on with a caller's trace. */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { route } = request.routeOptions.config;
    const { traceparent } = request.headers;
    if (!(route?.kind === 'plain' && route.probe)) {
      const span = traces.start({
        name: operationOf(request),
        kind: 'server',
        parent: typeof traceparent === 'string' ? traceparent : undefined,
        attributes: {
          'http.request.method': request.method,
          'normtrace.request_id': request.id,
          ...(request.routeOptions.url ? { 'http.route': request.routeOptions.url } : {}),
        },
      });
      spans.set(request, span);
    }
    done();
  });
  // Not earlier: reading the body comes back from the socket, which knows nothing of the request's span.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    spans.get(request)?.end({
      attributes: { 'http.response.status_code': reply.statusCode },
      failed: reply.statusCode >= 500 ? String(reply.statusCode) : undefined,
    });
  });
}

/** One of as many names as there are operations. */
const operationOf = (request: FastifyRequest): string =>
  request.routeOptions.config.route?.operation ?? (request.is404 ? 'unknown' : 'page');
