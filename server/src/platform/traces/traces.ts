/** What a span says about itself: names and ids, never content. */
export interface SpanAbout {
  /** The operation, the kind of job, the task: one of few. */
  readonly name: string;
  /** `server`: a request; `consumer`: a job that was enqueued earlier; `internal`: a part of either. */
  readonly kind: 'server' | 'consumer' | 'internal';
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** `traceparent` (W3C Trace Context) of what caused it elsewhere; without one it belongs to the span open here. */
  readonly parent?: string | undefined;
}

export interface OpenSpan {
  /** Does the work with this span as the open one: spans that it starts belong to it. */
  run<Result>(work: () => Result): Result;
  /** `failed`: the type of the error, not its words. */
  end(outcome?: {
    readonly failed?: string | undefined;
    readonly attributes?: Readonly<Record<string, string | number>>;
  }): void;
}

/**
 * Where spans go. Who makes them takes it as an argument that may be absent: without `OTEL_EXPORTER_OTLP_ENDPOINT`
 * there are none.
 */
export interface Traces {
  start(about: SpanAbout): OpenSpan;
  /** `traceparent` of the span that is open here, for what goes on in another process. */
  current(): string | undefined;
}

/** Does the work within a span, which fails when the work does. */
export async function inSpan<Result>(
  traces: Traces | undefined,
  about: SpanAbout,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!traces) return work();
  const span = traces.start(about);
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({ failed: error instanceof Error ? error.constructor.name : typeof error });
    throw error;
  }
}
