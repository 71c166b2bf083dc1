import pg from 'pg';
import type { Logger } from 'pino';
import type { Metrics, Reading } from '../metrics/metrics.js';
import type { DatabaseConnections } from './connections.js';
import type { Actor, Database, Statement, Transaction } from './database.js';
import {
  DatabaseUnavailable,
  isStalePlan,
  isWorthRepeating,
  OutcomeUnknown,
  translateError,
} from './errors.js';
import { isLarge, queryWithLarge } from './large-values.js';
import { listen } from './listen.js';
import { forgetPlans, prepared } from './prepared.js';
import { prepareScopedReads, readScoped } from './scoped-read.js';
import { CONNECT_MILLISECONDS, KEEP_ALIVE, watchSilence } from './silent-connections.js';

export interface DatabaseOptions {
  readonly connections: Pick<DatabaseConnections, 'application' | 'system'>;
  readonly log: Logger;
  /** Connections of the application role at most; the system role gets a quarter. */
  readonly poolSize?: number;
  /** Milliseconds after which the server gives up a statement. */
  readonly statementTimeout?: number;
  /** Milliseconds of silence of a server that owes an answer, after which it is asked whether it is still there. */
  readonly silence?: number;
  readonly metrics?: Metrics | undefined;
}

type Scope = { readonly actor: Actor } | { readonly workspace: string } | { readonly reason: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ATTEMPTS = 4;

// Local to the transaction, so a connection that goes back to the pool carries no scope.
const SET_ACTOR = `select set_config('app.user_id', $1, true), set_config('app.workspace_id', $2, true),
  set_config('app.token_id', $3, true), set_config('transaction_read_only', $4, true), set_config('app.guest_id', $5, true)`;
const SET_WORKSPACE = `select set_config('app.workspace_id', $1, true), set_config('app.user_id', '', true)`;
const SET_NOTHING = `select set_config('app.workspace_id', '', true), set_config('app.user_id', '', true)`;

/**
 * Opens the doors to a database whose migrations have run. Connections are made on demand and replaced when they
 * break; while none can be made, every door throws `DatabaseUnavailable`.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { connections, log, poolSize = 12, statementTimeout = 60_000, silence, metrics } = options;
  // One for each login: the server tells a login about its own connections only.
  const watches = {
    application: watchSilence({ connection: connections.application, log, milliseconds: silence }),
    system: watchSilence({ connection: connections.system, log, milliseconds: silence }),
  };
  const pool = (
    of: 'application' | 'system',
    max: number,
    onConnect?: (client: pg.Client) => unknown,
  ): pg.Pool =>
    new pg.Pool({
      ...connections[of],
      Client: watches[of].Client,
      max,
      // Statements are written without waiting for the answer to the one before: begin, the scope and the first
      // statement travel together.
      pipeline: true,
      onConnect,
      statement_timeout: statementTimeout,
      // A transaction of ours never waits for anything but the database.
      idle_in_transaction_session_timeout: 60_000,
      ...KEEP_ALIVE,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      idleTimeoutMillis: 60_000,
      application_name: 'normtrace',
    } as pg.PoolConfig)
      // Who holds the connection is told by the failing statement; without a listener Node.js would end the process.
      .on('connect', (client) => client.on('error', () => undefined))
      .on('error', (error) => log.warn({ err: error }, 'a database connection was lost'));
  const application = pool('application', poolSize, prepareScopedReads);
  const system = pool('system', Math.max(2, Math.ceil(poolSize / 4)));
  metrics?.watch(() => [...useOf('application', application), ...useOf('system', system)]);

  return {
    withActor: (actor, work) => inTransaction(application, { actor: checked(actor) }, work),
    withWorkspace: (workspaceId, work) => inTransaction(application, { workspace: uuid(workspaceId) }, work),
    asSystem: (reason, work) => {
      log.debug({ reason }, 'acting as the system');
      return inTransaction(system, { reason }, work);
    },
    readAs: async (actor, statement) => {
      const scope = checked(actor);
      return repeating(() => readOnce(application, scope, statement));
    },
    listen: (channel, onNotification, onReconnect) =>
      listen({
        connection: connections.application,
        Client: watches.application.Client,
        channel,
        onNotification,
        onReconnect,
        log,
      }),
    close: async () => {
      await Promise.all([application.end(), system.end()]);
      for (const watch of Object.values(watches)) watch.stop();
    },
  };
}

const useOf = (name: string, pool: pg.Pool): readonly Reading[] => {
  const { totalCount, idleCount, waitingCount, options } = pool;
  const states = { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  return [
    ...Object.entries(states).map(
      ([state, value]): Reading => ({ state: 'connections', labels: { pool: name, state }, value }),
    ),
    { state: 'connectionsMost', labels: { pool: name }, value: options.max },
  ];
};

const inTransaction = <T>(
  pool: pg.Pool,
  scope: Scope,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> => repeating(() => attemptTransaction(pool, scope, work));

/** Again after a deadlock and the like, and after a migration has changed what a prepared statement answers. */
async function repeating<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (count === ATTEMPTS || !isWorthRepeating(error)) throw translateError(error);
      if (isStalePlan(error)) forgetPlans();
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
    const { command } = await client.query('commit').catch((error: unknown) => {
      const translated = translateError(error);
      throw translated instanceof DatabaseUnavailable ? new OutcomeUnknown(error) : error;
    });
    // After a failed statement PostgreSQL answers a commit by rolling back, without an error.
    if (command === 'ROLLBACK')
      throw new Error('The transaction went on after a statement of it had failed.');
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
  const client = await pool.connect();
  try {
    return await readScoped<Row>(client, actor, statement);
  } finally {
    client.release();
  }
}

function scopeStatement(scope: Scope): pg.QueryConfig {
  if ('actor' in scope) {
    const { userId, through, guest } = scope.actor;
    const readOnly = guest || through?.access === 'read' ? 'on' : 'off';
    return prepared(SET_ACTOR, [
      userId,
      through?.workspaceId ?? '',
      through?.id ?? '',
      readOnly,
      guest?.id ?? '',
    ]);
  }
  if ('workspace' in scope) return prepared(SET_WORKSPACE, [scope.workspace]);
  return prepared(SET_NOTHING);
}

function transactionOn(client: pg.PoolClient): Transaction {
  const query = ({ text, values }: Statement) => {
    const config = prepared(text, values);
    return (isLarge(values) ? queryWithLarge(client, config) : client.query(config)).catch((error) => {
      throw translateError(error);
    });
  };
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

function checked(actor: Actor): Actor {
  uuid(actor.userId);
  if (actor.through?.workspaceId) uuid(actor.through.workspaceId);
  if (actor.guest) uuid(actor.guest.id);
  return actor;
}

function uuid(text: string): string {
  if (!UUID.test(text)) throw new Error('A scope must be a UUID.');
  return text;
}
