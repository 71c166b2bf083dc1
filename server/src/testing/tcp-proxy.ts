import { connect, createServer, type Socket } from 'node:net';
import type { ClientConfig } from 'pg';
import type { DatabaseConnections } from '../platform/database/connections.js';

/** A network between two programs, and what can happen to it. */
export interface TcpProxy {
  readonly port: number;
  /** Connections of now carry nothing any more, in neither direction, and stay open; new ones work. */
  freeze(): void;
  /** New connections are accepted and never answered, until it is called with false. */
  holdNew(hold: boolean): void;
  /**
   * When a client has sent these texts one after the other, they arrive, and the answer to the last one does not: it is
   * lost together with the connection. Resolves when that has happened.
   */
  swallowAnswerTo(...texts: readonly string[]): Promise<void>;
  /** Whatever a client sends is answered with these bytes, and the connection ends; undefined: it arrives again. */
  answerWith(bytes: string | undefined): void;
  /** Every connection is cut after so many more bytes of answers; undefined: none is. */
  cutAnswersAfter(bytes: number | undefined): void;
  stop(): Promise<void>;
}

type Target = { readonly host: string; readonly port: number } | { readonly path: string };

/** A proxy on a free port of 127.0.0.1. */
export async function startTcpProxy(target: Target): Promise<TcpProxy> {
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket; frozen: boolean }>();
  let hold = false;
  let cutAfter: number | undefined;
  let answer: string | undefined;
  let swallowing: { readonly texts: readonly string[]; readonly done: () => void } | undefined;
  const held = new Set<Socket>();

  const proxy = createServer((client) => {
    client.on('error', () => undefined);
    if (hold) {
      held.add(client.once('close', () => held.delete(client)));
      return;
    }
    const server = connect(target);
    const pair = { client, server, frozen: false };
    pairs.add(pair);
    let lostAnswer: (() => void) | undefined;
    let said = 0;
    /** Whether all texts were said on this connection with these bytes. */
    const saysAll = (bytes: Buffer, texts: readonly string[]): boolean => {
      let from = 0;
      for (; said < texts.length; said++) {
        const at = bytes.indexOf(texts[said]!, from);
        if (at === -1) return false;
        from = at + 1;
      }
      return true;
    };
    const end = (): void => {
      if (pair.frozen) return;
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on('data', (bytes) => {
      if (pair.frozen) return;
      if (answer !== undefined) {
        client.end(answer);
        return;
      }
      if (swallowing && saysAll(bytes, swallowing.texts)) {
        lostAnswer = swallowing.done;
        swallowing = undefined;
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (pair.frozen) return;
      if (lostAnswer) {
        end();
        lostAnswer();
        return;
      }
      if (cutAfter !== undefined) {
        cutAfter -= bytes.length;
        if (cutAfter < 0) return end();
      }
      client.write(bytes);
    });
    client.on('close', end);
    server.on('close', end).on('error', end);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));

  return {
    port: (proxy.address() as { port: number }).port,
    freeze: () => {
      for (const pair of pairs) pair.frozen = true;
    },
    holdNew: (wanted) => {
      hold = wanted;
    },
    swallowAnswerTo: (...texts) =>
      new Promise((done) => {
        swallowing = { texts, done };
      }),
    answerWith: (bytes) => {
      answer = bytes;
    },
    cutAnswersAfter: (bytes) => {
      cutAfter = bytes;
    },
    stop: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.destroy();
      for (const client of held) client.destroy();
      await closed;
    },
  };
}

/** Where a database is, for a proxy before it. */
export function targetOf(connection: ClientConfig): Target {
  if (connection.connectionString) {
    const { hostname, port } = new URL(connection.connectionString);
    return { host: hostname, port: Number(port || 5432) };
  }
  const { host = '127.0.0.1', port = 5432 } = connection;
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

/** The same database through a proxy. */
export function through(connections: DatabaseConnections, { port }: TcpProxy): DatabaseConnections {
  const moved = (config: ClientConfig): ClientConfig => {
    if (config.connectionString === undefined) return { ...config, host: '127.0.0.1', port };
    const url = new URL(config.connectionString);
    url.host = `127.0.0.1:${port}`;
    return { ...config, connectionString: url.href };
  };
  return {
    migration: moved(connections.migration),
    application: moved(connections.application),
    system: moved(connections.system),
  };
}
