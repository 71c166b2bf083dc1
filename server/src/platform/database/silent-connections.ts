import type { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from 'pino';

export interface SilenceOptions {
  /** How the connections are made that are watched; the server is asked about them over a new one. */
  readonly connection: pg.ClientConfig;
  readonly log: Pick<Logger, 'warn'>;
  /** So long a server that owes an answer may be silent before it is asked whether it still works on it. */
  readonly milliseconds?: number;
}

export interface SilenceWatch {
  /** For `pg.Pool` and in place of `pg.Client`: clients that are watched until they end. */
  readonly Client: typeof pg.Client;
  stop(): void;
}

/** What the driver's client keeps inside; its types show the outside only. Held to by the tests of silence. */
interface DriverClient {
  /** False from the moment something was asked until everything was answered. */
  readonly readyForQuery?: boolean;
  readonly processID: number | null;
  readonly connection: { readonly stream: Socket };
}

interface Watched {
  readonly client: DriverClient;
  /** What it had last said and been told; as long as this changes, somebody is there. */
  mark: string;
  quietSince: number;
}

const SILENCE_MILLISECONDS = 3_000;

/** For every lasting connection: what the system itself can notice of a path that is gone. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;
/** For every connection. */
export const CONNECT_MILLISECONDS = 5_000;

/**
 * Ends connections whose other side has fallen silent: a path that a firewall dropped, a machine that is gone. The
 * system would notice after a quarter of an hour. A statement may rightly take long, so the server is asked over a new
 * connection whether it still works on it. If it does not, or cannot be reached either, the statement fails as on any
 * lost connection, and those that nobody used meanwhile are thrown away too: they went the same way.
 */
export function watchSilence({
  connection,
  log,
  milliseconds = SILENCE_MILLISECONDS,
}: SilenceOptions): SilenceWatch {
  const watched = new Set<Watched>();
  let looking = false;
  const look = async (): Promise<void> => {
    const now = performance.now();
    for (const one of watched) {
      const mark = markOf(one.client);
      if (mark === one.mark) continue;
      one.mark = mark;
      one.quietSince = now;
    }
    const quiet = [...watched].filter((one) => now - one.quietSince >= milliseconds);
    const owed = quiet.filter(({ client }) => client.readyForQuery === false);
    if (looking || owed.length === 0) return;
    looking = true;
    try {
      const busy = await findBusy(
        connection,
        owed.map(({ client }) => client.processID),
      );
      const dead = owed.filter(
        ({ client, mark }) => markOf(client) === mark && busy !== 'all' && !busy.has(client.processID),
      );
      if (dead.length === 0) return;
      const idle = quiet.filter(({ client }) => client.readyForQuery === true);
      log.warn(
        { connections: dead.length, idle: idle.length },
        'the database fell silent; its connections are thrown away',
      );
      const gone = [...dead, ...idle].map(({ client }) => client);
      for (const { connection: lost } of gone) {
        lost.stream.destroy(new Error('Connection terminated: the database fell silent'));
      }
      await endTransactions(
        connection,
        gone.map(({ processID }) => processID),
      );
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(look, milliseconds / 3).unref();
  // A class, because the pool makes its clients itself.
  class Client extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const client = this as unknown as DriverClient;
      const one: Watched = { client, mark: '', quietSince: performance.now() };
      watched.add(one);
      this.once('end', () => watched.delete(one));
    }
  }
  return { Client, stop: () => clearInterval(timer) };
}

const markOf = ({ readyForQuery, connection: { stream } }: DriverClient): string =>
  `${readyForQuery} ${stream.bytesRead} ${stream.bytesWritten} ${stream.writableLength}`;

/**
 * Which of these the server works on. It is not working when it waits for a statement that never arrives, or to be
 * rid of an answer. All, when the server is there and takes no more connections: nothing is proved then.
 */
async function findBusy(
  connection: pg.ClientConfig,
  pids: readonly (number | null)[],
): Promise<ReadonlySet<number | null> | 'all'> {
  try {
    const pidsAtWork = await ask(
      connection,
      `select pid from pg_stat_activity
       where pid = any ($1) and (state is null or state = 'active' and wait_event is distinct from 'ClientWrite')`,
      pids,
    );
    return new Set(pidsAtWork);
  } catch (error) {
    const state = (error as { code?: unknown }).code;
    return typeof state === 'string' && /^53/.test(state) ? 'all' : new Set();
  }
}

/**
 * Ends what these have begun and cannot end any more: the server would keep their locks until it notices by itself, and
 * everybody who needs one would wait.
 */
async function endTransactions(connection: pg.ClientConfig, pids: readonly (number | null)[]): Promise<void> {
  await ask(
    connection,
    `select pid, pg_terminate_backend(pid) from pg_stat_activity
     where pid = any ($1) and usename = current_user and state like 'idle in transaction%'`,
    pids,
  ).catch(() => undefined);
}

/** The pids that a statement answers, over a new connection. */
async function ask(
  connection: pg.ClientConfig,
  statement: string,
  pids: readonly (number | null)[],
): Promise<readonly number[]> {
  const asking = new pg.Client({
    ...connection,
    // As the login itself: it sees its own connections, which the roles that they act in do not.
    options: undefined,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    query_timeout: CONNECT_MILLISECONDS,
    application_name: 'normtrace silence',
  });
  asking.on('error', () => undefined);
  try {
    await asking.connect();
    const { rows } = await asking.query<{ pid: number }>(statement, [pids]);
    return rows.map(({ pid }) => pid);
  } finally {
    // Not awaited: a server that fell silent now would hold everything up.
    asking.end().catch(() => undefined);
  }
}
