import type pg from 'pg';
import type { Logger } from 'pino';
import { CONNECT_MILLISECONDS, KEEP_ALIVE } from './silent-connections.js';

export interface Listening {
  readonly connection: pg.ClientConfig;
  /** A client that ends when the server falls silent. */
  readonly Client: typeof pg.Client;
  readonly channel: string;
  readonly onNotification: (payload: string) => void;
  readonly onReconnect?: (() => void) | undefined;
  readonly log: Logger;
}

const RETRY_MILLISECONDS = 250;
/** Nothing has to be said on this connection for hours: it is asked whether it still is one. */
const PULSE_MILLISECONDS = 5_000;

/**
 * Listens on a channel with a connection of its own. Resolves when the first connection listens. Notifications sent
 * while the connection is down are lost, therefore `onReconnect` follows every new connection: read again then.
 */
export async function listen(listening: Listening): Promise<{ stop(): Promise<void> }> {
  const { connection, Client, channel, onNotification, onReconnect, log } = listening;
  let client: pg.Client | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const fresh = new Client({
      ...connection,
      ...KEEP_ALIVE,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      application_name: 'normtrace listen',
    });
    fresh.on('notification', (message) => onNotification(message.payload ?? ''));
    fresh.on('error', (error) => log.warn({ err: error }, 'the listening connection was lost'));
    try {
      await fresh.connect();
      await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`);
    } catch (error) {
      await fresh.end().catch(() => undefined);
      throw error;
    }
    if (stopped) return fresh.end();
    // An answer that does not come ends the client, as does an error.
    const pulse = setInterval(() => fresh.query('select 1').catch(() => undefined), PULSE_MILLISECONDS);
    fresh.on('end', () => {
      clearInterval(pulse);
      retryLater();
    });
    client = fresh;
  };
  const retryLater = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      connect().then(onReconnect, retryLater);
    }, RETRY_MILLISECONDS);
  };

  await connect();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
