import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ClientConfig } from 'pg';
import { inject } from 'vitest';
import type { DatabaseConnections } from '../platform/database/connections.js';

/** The server of this test run, and the name of the database to copy. */
export interface TestServer {
  readonly connections: DatabaseConnections;
  readonly template: string;
}

/** Asks the main process of vitest for its server; the first to ask waits until it has started. */
export async function testServer(): Promise<TestServer> {
  const answer = JSON.parse(await text(connect(inject('testServerSocket')))) as {
    server?: TestServer;
    error?: string;
  };
  if (!answer.server) throw new Error(`The database for tests did not start: ${answer.error}`);
  return answer.server;
}

/** The same server and logins, another database. */
export function inDatabase(connections: DatabaseConnections, database: string): DatabaseConnections {
  const moved = (config: ClientConfig): ClientConfig => {
    if (config.connectionString === undefined) return { ...config, database };
    const url = new URL(config.connectionString);
    url.pathname = `/${database}`;
    return { ...config, connectionString: url.href };
  };
  return {
    migration: moved(connections.migration),
    application: moved(connections.application),
    system: moved(connections.system),
  };
}

/** A connection as an address; a socket's directory is written with its slashes encoded. */
export function addressOf(connection: ClientConfig): string {
  if (connection.connectionString) return connection.connectionString;
  const { user = '', password, host = '', port, database } = connection;
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}
