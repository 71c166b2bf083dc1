import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const Attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z.union([
        z.strictObject({ stringValue: z.string() }).transform((value) => value.stringValue),
        z.strictObject({ intValue: z.coerce.number() }).transform((value) => value.intValue),
        z.strictObject({ doubleValue: z.number() }).transform((value) => value.doubleValue),
        z.strictObject({ boolValue: z.boolean() }).transform((value) => value.boolValue),
      ]),
    }),
  )
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value])));

/** A span as OTLP has it in JSON. */
const Span = z.object({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: z.union([hex(16), z.literal('')]).optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string().regex(/^\d+$/),
  endTimeUnixNano: z.string().regex(/^\d+$/),
  attributes: Attributes,
  status: z.object({ code: z.number() }),
});
export type ReceivedSpan = z.infer<typeof Span>;

const Message = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

export interface OtlpReceiver {
  readonly address: string;
  /** Every span so far. */
  readonly spans: readonly ReceivedSpan[];
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** Everything that came, as it came. */
  readonly bodies: readonly string[];
  /** What it is answered from now on; 200 at first. */
  answerWith(status: number): void;
  stop(): void;
}

/** A collector of traces that speaks OTLP over HTTP in JSON; what it cannot decode it answers with 400. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const resources: Readonly<Record<string, unknown>>[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const bodies: string[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const isOurs = request.method === 'POST' && request.url === '/v1/traces';
    const message = isOurs ? Message.safeParse(JSON.parse(body)) : undefined;
    bodies.push(body);
    headers.push(request.headers);
    for (const { resource, scopeSpans } of message?.data?.resourceSpans ?? []) {
      resources.push(resource.attributes);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    response.writeHead(message?.success ? status : 400, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    headers,
    bodies,
    answerWith: (next) => {
      status = next;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
