import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  type ExportResult,
  ExportResultCode,
  parseKeyPairsIntoRecord,
  parseTraceParent,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { describeError } from '../queue/describe-error.js';
import type { Traces } from './traces.js';

export interface OtlpTracesOptions {
  /** Base address of the collector; `/v1/traces` is put behind it. */
  readonly endpoint: string;
  /** `name=value` pairs, separated by commas, percent-encoded, as the OpenTelemetry specification has it. */
  readonly headers: string;
  readonly version: string;
  readonly log: Logger;
}

export interface OtlpTraces extends Traces {
  /** Sends what is still here. */
  close(): Promise<void>;
}

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const;

/**
 * Spans to an OpenTelemetry collector, by OTLP over HTTP in JSON. Which span is open is kept here and not in the
 * library's global state, so that several of these live in one process. A caller's decision not to sample is kept.
 */
export function openOtlpTraces(options: OtlpTracesOptions): OtlpTraces {
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint}/v1/traces`,
    headers: parseKeyPairsIntoRecord(options.headers),
  });
  const named = resourceFromAttributes({ 'service.name': 'normtrace', 'service.version': options.version });
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which orchestrators set, win.
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: tellingFailures(exporter, options.log) })],
  });
  const tracer = provider.getTracer('normtrace', options.version);
  const open = new AsyncLocalStorage<SpanContext>();

  return {
    start({ name, kind, attributes = {}, parent }) {
      const above = (parent && parseTraceParent(parent)) || open.getStore();
      const context = above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
      return {
        run: (work) => open.run(span.spanContext(), work),
        end: ({ failed, attributes: more = {} } = {}) => {
          span.setAttributes(more);
          if (failed) span.setAttribute('error.type', failed).setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    current() {
      const context = open.getStore();
      if (!context) return undefined;
      const flags = context.traceFlags.toString(16).padStart(2, '0');
      return `00-${context.traceId}-${context.spanId}-${flags}`;
    },
    close: () => provider.shutdown(),
  };
}

/** The library keeps quiet when nobody takes its spans: the first failure is logged, and the first success after it. */
function tellingFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  const told = (result: ExportResult): void => {
    const failed = result.code !== ExportResultCode.SUCCESS;
    if (failed && !isFailing) log.warn({ error: describeError(result.error) }, 'traces cannot be sent');
    if (!failed && isFailing) log.info('traces are sent again');
    isFailing = failed;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        told(result);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
