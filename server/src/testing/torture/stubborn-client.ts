import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** A caller that asks again, at any process of the API, until it is answered. */
export interface StubbornClient {
  /** The body of a successful answer. With a key for what must not happen twice. Throws for an answer that is final. */
  send<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  /** Sends bytes to an upload address. */
  put(url: string, headers: Readonly<Record<string, string>>, bytes: string): Promise<void>;
  /** The bytes at an address. */
  bytes(path: string): Promise<string>;
  until<Body>(path: string, condition: (body: Body) => boolean): Promise<Body>;
}

export interface Trouble {
  /** Answers that said that something is unavailable, and requests without an answer. */
  unanswered: number;
  refused: Record<string, number>;
  /** Requests under way by the address they were sent to, and the addresses that answered last time. */
  readonly open: Map<string, number>;
  readonly answering: Set<string>;
  /** While processes are killed: nothing counts as stuck that may only have been interrupted again and again. */
  killing: boolean;
}

export const noTrouble = (): Trouble => ({
  unanswered: 0,
  refused: {},
  open: new Map(),
  answering: new Set(),
  killing: false,
});

const REQUEST_MILLISECONDS = 30_000;
const PATIENCE_MILLISECONDS = 180_000;
const PAUSE_MILLISECONDS = 100;

export function stubbornClient(
  addresses: readonly string[],
  { token, trouble }: { readonly token?: string; readonly trouble: Trouble },
): StubbornClient {
  let turn = 0;
  const ask = async (
    what: string,
    request: (address: string, signal: AbortSignal) => Promise<Response>,
  ): Promise<string> => {
    const until = performance.now() + PATIENCE_MILLISECONDS;
    let last = '';
    while (performance.now() < until) {
      const address = addresses[turn++ % addresses.length]!;
      const opened = (more: number) => trouble.open.set(address, (trouble.open.get(address) ?? 0) + more);
      opened(1);
      try {
        const response = await request(address, AbortSignal.timeout(REQUEST_MILLISECONDS));
        const text = await response.text();
        trouble.answering.add(address);
        if (response.ok) return text;
        last = `${response.status} ${text.slice(0, 500)}`;
        const isStillRunning = response.status === 409 && text.includes('idempotency key');
        if (response.status < 500 && !isStillRunning) throw new Refused(`${what} was answered ${last}`);
        trouble.unanswered++;
        trouble.refused[response.status] = (trouble.refused[response.status] ?? 0) + 1;
      } catch (error) {
        if (error instanceof Refused) throw error;
        trouble.unanswered++;
        trouble.answering.delete(address);
        last = String(error);
      } finally {
        opened(-1);
      }
      await delay(PAUSE_MILLISECONDS);
    }
    throw new Error(`${what} was never answered: ${last}`);
  };
  const bearer: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  const client: StubbornClient = {
    async send<Body>(method: string, path: string, body?: unknown) {
      const key: Record<string, string> = method === 'GET' ? {} : { 'idempotency-key': randomUUID() };
      const text = await ask(`${method} ${path}`, (address, signal) =>
        fetch(`${address}/api/v1${path}`, {
          method,
          signal,
          headers: {
            ...bearer,
            ...key,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      return (text === '' ? undefined : JSON.parse(text)) as Body;
    },
    async put(url, headers, bytes) {
      const { pathname, search } = new URL(url);
      await ask('PUT of a file', (address, signal) =>
        fetch(`${address}${pathname}${search}`, {
          method: 'PUT',
          headers: { ...headers },
          body: bytes,
          signal,
        }),
      );
    },
    bytes: (path) =>
      ask(`GET ${path}`, (address, signal) => fetch(`${address}/api/v1${path}`, { headers: bearer, signal })),
    async until(path, condition) {
      let late = performance.now() + PATIENCE_MILLISECONDS * 2;
      for (;;) {
        if (trouble.killing) late = performance.now() + PATIENCE_MILLISECONDS * 2;
        const body = await client.send<never>('GET', path);
        if (condition(body)) return body;
        if (performance.now() > late)
          throw new Error(`Stuck: ${path} is still ${JSON.stringify(body).slice(0, 800)}`);
        await delay(200);
      }
    },
  };
  return client;
}

class Refused extends Error {
  override readonly name = 'Refused';
}
