import pg from 'pg';
import type { Logger } from 'pino';
import type { DatabaseConnections } from './connections.js';
import type { Actor, Database, Statement, Transaction } from './database.js';
import { isWorthRepeating, translateError } from './errors.js';
import { listen } from './listen.js';
import { prepared } from './prepared.js';

export interface DatabaseOptions {
  readonly connections: Pick<DatabaseConnections, 'application' | 'system'>;
  readonly log: Logger;
  /** Connections of the application role at most; the system role gets a quarter. */
  readonly poolSize?: number;
  /** Milliseconds after which the server gives up a statement. */
  readonly statementTimeout?: number;
}

type Scope = { readonly user: string } | { readonly workspace: string } | { readonly reason: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ATTEMPTS = 4;

// Local to the transaction, so a connection that goes back to the pool carries no scope.
const SET_USER = prepared(
  `select set_config('app.user_id', $1, true), set_config('app.workspace_id', '', true)`,
);
const SET_WORKSPACE = prepared(
  `select set_config('app.workspace_id', $1, true), set_config('app.user_id', '', true)`,
);
const SET_NOTHING = prepared(
  `select set_config('app.workspace_id', '', true), set_config('app.user_id', '', true)`,
);

/**
 * Opens the doors to a database whose migrations have run. Connections are made on demand and replaced when they
 * break; while none can be made, every door throws `DatabaseUnavailable`.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { connections, log, poolSize = 12, statementTimeout = 60_000 } = options;
  const pool = (config: pg.ClientConfig, max: number): pg.Pool =>
    new pg.Pool({
      ...config,
      max,
      // Statements are written without waiting for the answer to the one before: begin, the scope and the first
      // statement travel together.
      pipeline: true,
      statement_timeout: statementTimeout,
      // A transaction of ours never waits for anything but the database.
      idle_in_transaction_session_timeout: 60_000,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 60_000,
      application_name: 'normtrace',
    } as pg.PoolConfig).on('error', (error) => log.warn({ err: error }, 'a database connection was lost'));
  const application = pool(connections.application, poolSize);
  const system = pool(connections.system, Math.max(2, Math.ceil(poolSize / 4)));

  return {
    withActor: (actor, work) => inTransaction(application, { user: uuid(actor.userId) }, work),
    withWorkspace: (workspaceId, work) => inTransaction(application, { workspace: uuid(workspaceId) }, work),
    asSystem: (reason, work) => {
      log.debug({ reason }, 'acting as the system');
      return inTransaction(system, { reason }, work);
    },
    readAs: (actor, statement) => readOnce(application, actor, statement),
    listen: (channel, onNotification, onReconnect) =>
      listen({ connection: connections.application, channel, onNotification, onReconnect, log }),
    close: async () => {
      await Promise.all([application.end(), system.end()]);
    },
  };
}

async function inTransaction<T>(
  pool: pg.Pool,
  scope: Scope,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptTransaction(pool, scope, work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isWorthRepeating(error)) throw translateError(error);
    }
  }
}

async function attemptTransaction<T>(
  pool: pg.Pool,
  scope: Scope,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    // Not awaited one by one: when one fails, the statements behind it fail too, because the transaction is aborted.
    const opening = Promise.all([client.query('begin'), client.query(scopeStatement(scope))]);
    opening.catch(() => undefined);
    const result = await work(transactionOn(client));
    await opening;
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function readOnce<Row>(pool: pg.Pool, actor: Actor, statement: Statement): Promise<Row[]> {
  const userId = uuid(actor.userId);
  const client = await pool.connect().catch((error) => {
    throw translateError(error);
  });
  const results = await Promise.allSettled([
    client.query('begin read only'),
    client.query(scopeStatement({ user: userId })),
    client.query(prepared(statement.text, statement.values)),
    client.query('commit'),
  ]);
  const failure = results.find((result) => result.status === 'rejected');
  const ended = results[3];
  client.release(ended.status === 'rejected' ? ended.reason : undefined);
  if (failure) throw translateError(failure.reason);
  return results[2].status === 'fulfilled' ? results[2].value.rows : [];
}

function scopeStatement(scope: Scope): pg.QueryConfig {
  if ('user' in scope) return { ...SET_USER, values: [scope.user] };
  if ('workspace' in scope) return { ...SET_WORKSPACE, values: [scope.workspace] };
  return SET_NOTHING;
}

function transactionOn(client: pg.PoolClient): Transaction {
  const query = (statement: Statement) => client.query(prepared(statement.text, statement.values));
  const atMostOne = async <Row>(statement: Statement): Promise<Row | undefined> => {
    const { rows } = await query(statement);
    if (rows.length > 1) throw new Error(`Expected one row at most, got ${rows.length}: ${statement.text}`);
    return rows[0] as Row | undefined;
  };
  return {
    many: async (statement) => (await query(statement)).rows,
    maybeOne: atMostOne,
    one: async <Row>(statement: Statement) => {
      const row = await atMostOne<Row>(statement);
      if (row === undefined) throw new Error(`Expected one row, got none: ${statement.text}`);
      return row;
    },
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}

function uuid(text: string): string {
  if (!UUID.test(text)) throw new Error('A scope must be a UUID.');
  return text;
}
