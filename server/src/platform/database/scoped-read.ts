import pg from 'pg';
import type { Actor, Statement } from './database.js';
import { prepared } from './prepared.js';

/** Made on every connection of the application role; see `prepareScopedReads`. */
const SCOPE = 'scope_of_reader';

/** What the driver's queries do inside; its types show the outside only. Held to by the tests of the doors. */
interface DriverQuery {
  callback: (error: Error | null, result?: pg.QueryResult) => void;
  prepare(connection: DriverConnection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: DriverConnection): void;
}
interface DriverConnection {
  bind(bound: { statement: string; values: readonly string[] }): void;
  execute(executed: Readonly<Record<string, never>>): void;
}
const NewQuery = pg.Query as unknown as new (config: pg.QueryConfig) => DriverQuery & pg.Submittable;

/** To be run first on every new connection that `readScoped` will use. */
export const prepareScopedReads = (client: pg.ClientBase): Promise<unknown> =>
  client.query(
    `prepare ${SCOPE} (text, text, text) as select
       set_config('app.user_id', $1, true),
       set_config('app.workspace_id', $2, true),
       set_config('app.guest_id', $3, true),
       set_config('transaction_read_only', 'on', true)`,
  );

/**
 * Sets the actor and reads in one message to the server and one answer. Everything before the message's single Sync
 * is one transaction for PostgreSQL, so the settings end with it. Against begin, set_config, select and commit one
 * behind the other: half as much again per second, two thirds of the time on the processor.
 */
export function readScoped<Row>(client: pg.ClientBase, actor: Actor, statement: Statement): Promise<Row[]> {
  const query = new NewQuery(prepared(statement.text, statement.values));
  const { prepare, handleDataRow, handleCommandComplete } = query;
  let scoped = false;
  query.prepare = (connection) => {
    connection.bind({
      statement: SCOPE,
      values: [actor.userId, actor.through?.workspaceId ?? '', actor.guest?.id ?? ''],
    });
    connection.execute({});
    prepare.call(query, connection);
  };
  query.handleDataRow = (message) => {
    if (scoped) handleDataRow.call(query, message);
  };
  query.handleCommandComplete = (message, connection) => {
    if (scoped) handleCommandComplete.call(query, message, connection);
    scoped = true;
  };
  return new Promise((resolve, reject) => {
    query.callback = (error, result) => (error ? reject(error) : resolve((result?.rows ?? []) as Row[]));
    client.query(query);
  });
}
