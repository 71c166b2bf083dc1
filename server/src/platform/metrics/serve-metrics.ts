import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { describeError } from '../queue/describe-error.js';
import type { PrometheusMetrics } from './prometheus-metrics.js';

export interface MetricsServer {
  close(): Promise<void>;
}

/**
 * Answers `GET /metrics` at an address of its own, which is for the monitoring of the house and no one else: there is
 * no token. Throws when the address is taken.
 */
export async function serveMetrics(
  metrics: PrometheusMetrics,
  { host, port, log }: { readonly host: string; readonly port: number; readonly log: Logger },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isAsked =
      request.url?.split('?')[0] === '/metrics' && ['GET', 'HEAD'].includes(request.method ?? '');
    if (!isAsked) {
      response.writeHead(404).end();
      return;
    }
    metrics.render().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error) => {
        log.error({ error: describeError(error) }, 'the metrics could not be told');
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException): void =>
      reject(new Error(`METRICS_PORT ${port} cannot be opened on ${host} (${cause.code}).`, { cause }));
    server.once('error', refuse).listen({ host, port }, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
