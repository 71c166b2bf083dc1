import type { Metrics } from '../platform/metrics/metrics.js';
import { productVersion } from '../platform/product-version.js';
import type { Traces } from '../platform/traces/traces.js';
import type { Process } from './run.js';

/**
 * Opens metrics and traces where the settings ask for them. Their packages are loaded only then: whoever does not use
 * them pays neither time at the start nor memory.
 */
export async function observe({ configuration, log, shutdown }: Process): Promise<{
  readonly metrics?: Metrics;
  readonly traces?: Traces;
}> {
  return {
    ...(configuration.traces ? { traces: await openTraces(configuration.traces) } : {}),
    ...(configuration.metrics ? { metrics: await openMetrics(configuration.metrics) } : {}),
  };

  async function openTraces(collector: NonNullable<typeof configuration.traces>): Promise<Traces> {
    const { openOtlpTraces } = await import('../platform/traces/otlp-traces.js');
    const traces = openOtlpTraces({ ...collector, version: productVersion(), log });
    shutdown.add({ what: 'traces', milliseconds: 500, close: traces.close });
    return traces;
  }

  async function openMetrics(address: NonNullable<typeof configuration.metrics>): Promise<Metrics> {
    const [{ createPrometheusMetrics }, { serveMetrics }] = await Promise.all([
      import('../platform/metrics/prometheus-metrics.js'),
      import('../platform/metrics/serve-metrics.js'),
    ]);
    const metrics = createPrometheusMetrics(log);
    const server = await serveMetrics(metrics, { ...address, log });
    shutdown.add({ what: 'metrics', milliseconds: 200, close: server.close });
    return metrics;
  }
}
