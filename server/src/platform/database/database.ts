/** Who asks. The database decides from it which workspaces are visible. */
export interface Actor {
  readonly userId: string;
  /** The API token through which they ask: its workspace is all that is visible, and with `read` nothing is written. */
  readonly through?: ActorToken | undefined;
  /** The access of a guest through which they ask: its workspace is all that is visible, and nothing is written. */
  readonly guest?: ActorGuest | undefined;
}

export interface ActorGuest {
  readonly id: string;
}

export interface ActorToken {
  readonly id: string;
  readonly access: 'read' | 'write';
  /** Null: every workspace of the user. */
  readonly workspaceId: string | null;
}

/** A statement with its parameters; made by `sql`. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs statements inside one scope. Repositories accept nothing else. */
export interface Transaction {
  /** All rows. The name of the repository function says whether their number is bounded. */
  many<Row>(statement: Statement): Promise<Row[]>;
  /** Exactly one row; anything else is an error of ours. */
  one<Row>(statement: Statement): Promise<Row>;
  /** One row or none. */
  maybeOne<Row>(statement: Statement): Promise<Row | undefined>;
  /** Runs the statement and returns the number of rows touched. */
  run(statement: Statement): Promise<number>;
}

/**
 * The only doors to data. Each opens a transaction of the application role in which row-level security
 * sees exactly one scope; with no scope set nothing is visible.
 */
export interface Database {
  /** What this user may see: the own profile and everything in the workspaces they are a member of. */
  withActor<T>(actor: Actor, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** One reading statement as this user, in one round trip. */
  readAs<Row>(actor: Actor, statement: Statement): Promise<Row[]>;
  /** Everything of one workspace and nothing else: for jobs, which act for the workspace. */
  withWorkspace<T>(workspaceId: string, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Across workspaces, with the reason in the log. For the few tasks that have no workspace:
   * making a profile, handing out a queued job, housekeeping.
   */
  asSystem<T>(reason: string, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Calls back for every notification on the channel; reconnects by itself and then calls `onReconnect`. */
  listen(
    channel: string,
    onNotification: (payload: string) => void,
    onReconnect?: () => void,
  ): Promise<{ stop(): Promise<void> }>;
  close(): Promise<void>;
}
