import type { Socket } from 'node:net';
import pg from 'pg';
import type { Actor, Statement } from './database.js';
import { nameOf } from './prepared.js';
import { boundValues, createMessageWriter } from './read-messages.js';

/** Made on every connection of the application role; see `prepareScopedReads`. */
const SCOPE = 'scope_of_reader';

/** What the driver's connection does inside; its types show the outside only. Held to by the tests of the doors. */
interface DriverConnection {
  readonly stream: Socket;
  /** Texts of statements by their names: those that the server has, and those that are on their way. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The columns of a statement, and what makes a value of the text of each. */
interface Columns {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

/** To be run first on every new connection that `readScoped` will use. */
export const prepareScopedReads = (client: pg.ClientBase): Promise<unknown> =>
  client.query(
    `prepare ${SCOPE} (text, text, text) as select
       set_config('app.user_id', $1, true),
       set_config('app.workspace_id', $2, true),
       set_config('app.guest_id', $3, true),
       set_config('transaction_read_only', 'on', true)`,
  );

const writer = createMessageWriter();

/**
 * Sets the actor and reads in one message to the server and one answer. Everything before the message's single Sync
 * is one transaction for PostgreSQL, so the settings end with it. Against begin, set_config, select and commit one
 * behind the other: half as much again per second, two thirds of the time on the processor.
 */
export const readScoped = <Row>(client: pg.ClientBase, actor: Actor, statement: Statement): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    client.query(
      new ReadQuery(actor, statement, (error, rows) => (error ? reject(error) : resolve(rows as Row[]))),
    );
  });

type Callback = (error: unknown, rows: readonly object[]) => void;

/** Columns of statements that a connection has prepared: they cannot change, PostgreSQL would refuse the statement. */
const columnsOn = new WeakMap<DriverConnection, Map<string, Columns>>();

/**
 * A class, because the driver asks it for each message. It leaves out what the driver's own query does for every read: to
 * copy its configuration, to tell listeners, and to ask for the columns again each time.
 */
class ReadQuery implements pg.Submittable {
  readonly name: string | undefined;
  readonly text: string;
  readonly #actor: Actor;
  readonly #statement: Statement;
  readonly #callback: Callback;
  readonly #rows: object[] = [];
  #known: Map<string, Columns> | undefined;
  #columns: Columns | undefined;
  #isScoped = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(actor: Actor, statement: Statement, callback: Callback) {
    this.#actor = actor;
    this.#statement = statement;
    this.#callback = callback;
    this.text = statement.text;
    this.name = nameOf(this.text);
  }

  submit(driver: unknown): Error | null {
    const connection = driver as DriverConnection;
    const { name } = this;
    this.#known = columnsOn.get(connection) ?? new Map();
    columnsOn.set(connection, this.#known);
    this.#columns = name === undefined ? undefined : this.#known.get(name);
    try {
      const message = this.#message(connection);
      if (connection.stream.writable) connection.stream.write(message);
      return null;
    } catch (error) {
      // Nothing of it stands before the next one.
      writer.take();
      return error as Error;
    }
  }

  /** Throws for a value that cannot be sent, before anything of it is. */
  #message(connection: DriverConnection): Buffer {
    const { name = '', text } = this;
    const { userId, through, guest } = this.#actor;
    const values = boundValues(this.#statement.values);
    writer.bind(SCOPE, [userId, through?.workspaceId ?? '', guest?.id ?? '']);
    writer.execute();
    if (!isPrepared(connection, this.name)) {
      writer.parse(name, text);
      if (name) connection.submittedNamedStatements[name] = text;
    }
    writer.bind(name, values);
    if (!this.#columns) writer.describe();
    writer.execute();
    writer.sync();
    return writer.take();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text')),
    };
    if (this.name !== undefined) this.#known?.set(this.name, this.#columns);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (!this.#isScoped || this.#failure) return;
    try {
      this.#rows.push(rowOf(this.#columns, fields));
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** First of the scope, then of the statement. */
  handleCommandComplete(): void {
    this.#isScoped = true;
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#callback(this.#failure.error, []);
    else this.#callback(undefined, this.#rows);
  }

  handleError(error: unknown): void {
    this.#callback(error, []);
  }
}
// The driver sends nothing but queries of its own kind before those in front of them are answered.
Object.setPrototypeOf(ReadQuery.prototype, pg.Query.prototype);

const isPrepared = (connection: DriverConnection, name: string | undefined): boolean =>
  name !== undefined &&
  (connection.parsedStatements[name] !== undefined ||
    connection.submittedNamedStatements[name] !== undefined);

function rowOf(columns: Columns | undefined, fields: readonly (string | null)[]): object {
  if (!columns) throw new Error('A row came whose columns nobody had told.');
  const { names, parsers } = columns;
  const row: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at++) {
    const text = fields[at] ?? null;
    row[names[at] as string] = text === null ? null : parsers[at]?.(text);
  }
  return row;
}
