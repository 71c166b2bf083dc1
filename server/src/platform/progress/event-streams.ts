import { createRequire } from 'node:module';
import type { fastifySSE, SSEReplyInterface } from '@fastify/sse';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/database.js';
import { ApiError, invalid } from '../http/api-error.js';
import { tooMany } from '../http/rate-limit.js';
import type { Metrics } from '../metrics/metrics.js';
import { createEventFeed, type EventFeed } from './event-feed.js';

// The package's typed exports are the plugin without its wrapper, which would keep it in a scope of its own.
const sse: typeof fastifySSE = createRequire(import.meta.url)('@fastify/sse');

const HEARTBEAT_MILLISECONDS = 15_000;
/** Streams of one person at one process: tabs and tools, not an attack. */
const MOST_STREAMS = 50;
const STREAM_RETRY_SECONDS = 30;
/** Timers of Node.js take 31 bits. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** An event as it is stored. */
export interface StreamedEvent {
  /** Rises from event to event of one stream. */
  readonly id: number;
  readonly type: string;
  readonly data: unknown;
}

export interface EventSource {
  /** Who watches; nobody watches more than a few dozen at once. */
  readonly watcher: string;
  /** Ids of the analyses or workspaces whose events are told. */
  readonly topics: readonly string[];
  /** Where a watcher begins who has not seen anything. */
  readonly start: number;
  /** Until the caller's token ends: the stream ends too, and goes on with a new one. */
  readonly milliseconds: number;
  /** Events after this id in order, some at a time; `ended` when no others will follow the ones given. */
  read(after: number): Promise<{ readonly events: readonly StreamedEvent[]; readonly ended: boolean }>;
}

declare module 'fastify' {
  interface FastifyInstance {
    eventFeed: EventFeed;
    /** How to end each open stream, and whose it is. */
    openStreams: Map<() => void, string>;
  }
}

/** Lets routes stream events; call it before the routes are added. */
export async function acceptEventStreams(
  app: FastifyInstance,
  database: Database,
  metrics?: Metrics,
): Promise<void> {
  await app.register(sse, { heartbeatInterval: HEARTBEAT_MILLISECONDS });
  const feed = await createEventFeed(database);
  app.decorate('eventFeed', feed);
  const open = new Map<() => void, string>();
  app.decorate('openStreams', open);
  metrics?.watch(() => [{ state: 'eventStreams', labels: {}, value: open.size }]);
  // Streams would keep the server from closing.
  app.addHook('preClose', async () => endStreams(app, undefined));
  app.addHook('onClose', async () => feed.close());
}

/**
 * Ends the streams of a person whose standing changed, or of everybody: a watcher comes back with `Last-Event-ID`, if
 * the session or token is still accepted then.
 */
export function endStreams(app: FastifyInstance, watcher: string | undefined): void {
  for (const [end, of] of app.openStreams) if (watcher === undefined || of === watcher) end();
}

/** For the `fastify` settings of a route that streams. */
export const STREAMING = { sse: { kind: 'manual' } } as const;

/** Throws 406 when the caller accepts other media types only. */
export function assertStreamWanted({ headers }: FastifyRequest): void {
  const ranges = (headers.accept ?? '*/*').toLowerCase().split(',');
  const best = ['text/event-stream', 'text/*', '*/*']
    .map((type) => ranges.find((range) => range.split(';')[0]?.trim() === type))
    .find((range) => range !== undefined);
  if (best !== undefined && !/;\s*q=0(\.0*)?\s*(;|$)/.test(best)) return;
  throw new ApiError('NOT_ACCEPTABLE', 'This is an event stream: send the header Accept: text/event-stream.');
}

/** The id after which the caller wants to go on, from `Last-Event-ID`. */
export function lastEventId(request: FastifyRequest): number | undefined {
  const header = request.headers['last-event-id'];
  if (header === undefined || header === '') return undefined;
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  throw invalid('headers.last-event-id', 'Send back an id of this stream.', 'invalid_format');
}

/** Sends the stored events and every new one until the source has ended or the caller has gone. */
export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  source: EventSource,
): Promise<void> {
  const stream = streamOf(reply);
  if (!stream) throw new Error('Check with assertStreamWanted first.');
  const { openStreams, eventFeed } = request.server;
  const own = [...openStreams.values()].filter((watcher) => watcher === source.watcher).length;
  if (own >= MOST_STREAMS) throw tooMany('event streams at once', STREAM_RETRY_SECONDS);
  let after = lastEventId(request) ?? source.start;
  let isNews = true;
  let isOver = false;
  let wake: (() => void) | undefined;
  const news = (): void => {
    isNews = true;
    wake?.();
  };
  const end = (): void => {
    isOver = true;
    wake?.();
  };
  const subscriptions = source.topics.map((topic) => eventFeed.subscribe(topic, news));
  openStreams.set(end, source.watcher);
  stream.onClose(end);
  const timer = setTimeout(end, Math.max(0, Math.min(source.milliseconds, LONGEST_TIMER)));
  try {
    stream.sendHeaders();
    // Otherwise the caller would learn with the first event only that the stream is open.
    reply.raw.flushHeaders();
    while (!isOver) {
      if (!isNews) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      isNews = false;
      const { events, ended } = await source.read(after);
      for (const { id, type, data } of events) {
        if (isOver) return;
        await stream.send({ id: String(id), event: type, data });
        after = id;
      }
      if (ended) return;
      if (events.length > 0) isNews = true;
    }
  } catch (error) {
    // The headers are out: the caller comes back with Last-Event-ID.
    if (!isOver) request.log.warn({ err: error }, 'the event stream ended early');
  } finally {
    clearTimeout(timer);
    openStreams.delete(end);
    for (const unsubscribe of subscriptions) unsubscribe();
    stream.close();
    // A stream's connection is not used again; left open, it would hold up a shutdown.
    request.raw.socket.destroySoon();
  }
}

/** Absent when the `Accept` header did not name the type. */
const streamOf = (reply: FastifyReply): SSEReplyInterface | undefined =>
  (reply as { sse?: SSEReplyInterface }).sse;
