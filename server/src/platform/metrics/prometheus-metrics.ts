import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { describeError } from '../queue/describe-error.js';
import { COUNTERS, DURATIONS, type Metrics, type Reading, STATES } from './metrics.js';

/** A reading that takes longer is left out: the scraper gives up soon after. */
const PATIENCE_MILLISECONDS = 2_000;

export interface PrometheusMetrics extends Metrics {
  readonly contentType: string;
  /** The text that a Prometheus server reads. */
  render(): Promise<string>;
}

/** Metrics for Prometheus, with those of the process itself: event loop lag, memory, processor, garbage collection. */
export function createPrometheusMetrics(log: Logger): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counters = each(COUNTERS, ({ name, help, labels }) => {
    return new Counter({ name, help, labelNames: labels, registers });
  });
  const durations = each(DURATIONS, ({ name, help, labels, buckets }) => {
    return new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers });
  });
  const states = each(STATES, ({ name, help, labels }) => {
    return new Gauge<string>({ name, help, labelNames: labels, registers });
  });
  const watched: (() => readonly Reading[] | Promise<readonly Reading[]>)[] = [];

  const readNow = async (read: (typeof watched)[number]): Promise<readonly Reading[]> => {
    const patience = new AbortController();
    const late = delay(PATIENCE_MILLISECONDS, undefined, { signal: patience.signal }).then(() => {
      throw new Error('no answer in time');
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([read(), late]);
    } catch (error) {
      log.warn({ error: describeError(error) }, 'a metric could not be read');
      return [];
    } finally {
      patience.abort();
    }
  };

  return {
    contentType: registry.contentType,
    count: (counter, labels) => counters[counter].inc(labels),
    time: (duration, seconds, labels) => durations[duration].observe(labels, seconds),
    watch: (read) => {
      watched.push(read);
    },
    render: async () => {
      const readings = (await Promise.all(watched.map(readNow))).flat();
      // From here to the end without waiting, so that two who ask at once do not take values from each other.
      for (const state of Object.values(states)) state.reset();
      for (const { state, labels, value } of readings) states[state].set(labels, value);
      return registry.metrics();
    },
  };
}

function each<Definitions extends object, Metric>(
  definitions: Definitions,
  make: (definition: Definitions[keyof Definitions]) => Metric,
): { readonly [Name in keyof Definitions]: Metric } {
  const made = Object.entries(definitions).map(([name, definition]) => [name, make(definition)]);
  return Object.fromEntries(made) as { readonly [Name in keyof Definitions]: Metric };
}
