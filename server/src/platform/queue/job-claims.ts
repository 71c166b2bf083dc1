import type pg from 'pg';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { CONNECT_MILLISECONDS, KEEP_ALIVE } from '../database/silent-connections.js';
import { describeError } from './describe-error.js';

/** Says which jobs this process works on, for as long as it lives: the database forgets it with the connection. */
export interface JobClaims {
  hold(jobId: string): void;
  release(jobId: string): void;
  stop(): Promise<void>;
}

interface Statements {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** First key of every claim; the second one is made from the id of the job. */
export const CLAIM = 1_853_450_868;
/** Name of the connection of a process for its claims, before the number of the process. */
export const CLAIMS_OF = 'normtrace claims of ';
const RETRY_MILLISECONDS = 250;
const LOOK_MILLISECONDS = 1_500;
/** A job that has cost so many workers is left to the queue, which gives it up. */
const MOST_ATTEMPTS = 200;
/** After a start of the database everybody gets so long to claim again what they work on. */
const GRACE_SECONDS = 5;

const CLAIMS = `
  select case when holds then pg_try_advisory_lock($1, key) else pg_advisory_unlock($1, key) end
  from unnest($2::int[], $3::bool[]) as said (key, holds)`;

/** Opens a connection for claims, and another one whenever it is lost. */
export function openJobClaims(
  connection: ClientConfig,
  { Client, log }: { readonly Client: typeof pg.Client; readonly log: Pick<Logger, 'warn'> },
): JobClaims {
  const held = new Set<string>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let unsaid: { readonly key: number; readonly holds: boolean }[] = [];
  let saying = false;
  const say = (jobId: string, holds: boolean): void => {
    if (!client) return;
    unsaid.push({ key: keyOf(jobId), holds });
    if (!saying) void sayAll();
  };
  /** In their order, as many at once as there are. What cannot be said now is said by the next connection. */
  const sayAll = async (): Promise<void> => {
    saying = true;
    for (let said = client; said && unsaid.length > 0; said = client) {
      const now = unsaid;
      unsaid = [];
      const keys = now.map(({ key }) => key);
      const holds = now.map((one) => one.holds);
      await said.query({ name: 'claims', text: CLAIMS, values: [CLAIM, keys, holds] }).catch(() => undefined);
    }
    saying = false;
  };
  const connect = async (): Promise<void> => {
    const fresh = new Client({
      ...connection,
      ...KEEP_ALIVE,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      // Who looks at the database sees which process works on what.
      application_name: `${CLAIMS_OF}${process.pid}`,
    });
    fresh.on('error', (error) =>
      log.warn({ error: describeError(error) }, 'the connection for claims was lost'),
    );
    fresh.once('end', () => {
      if (client === fresh) client = undefined;
      if (!stopped) timer = setTimeout(connect, RETRY_MILLISECONDS);
    });
    try {
      await fresh.connect();
    } catch {
      // Ends by itself, and is tried again.
      return;
    }
    if (stopped) return fresh.end();
    client = fresh;
    unsaid = [];
    for (const jobId of held) say(jobId, true);
  };
  void connect();
  return {
    hold: (jobId) => {
      held.add(jobId);
      say(jobId, true);
    },
    release: (jobId) => {
      held.delete(jobId);
      say(jobId, false);
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}

/**
 * Gives jobs back at once whose worker is gone: those that are under way and that nobody claims, at two looks with some time
 * between them. Which worker looked does not matter: the first look is written down, so that it outlives whoever looked.
 * The heartbeat of the queue finds them too, much later, and counts them as failed attempts with pauses that grow. `taken`
 * is called with the kinds of what was given back.
 */
export function watchAbandonedJobs(
  statements: () => Statements,
  {
    schema,
    names,
    log,
    taken,
  }: {
    readonly schema: string;
    readonly names: readonly string[];
    readonly log: Pick<Logger, 'info' | 'warn'>;
    taken(names: readonly string[]): void;
  },
): { stop(): void } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    try {
      const { rows } = await statements().executeSql(abandoned(schema), [names]);
      if (rows.length > 0) {
        log.info({ jobs: rows.length }, 'jobs of a worker that is gone are given to others');
        taken([...new Set((rows as { readonly name: string }[]).map(({ name }) => name))]);
      }
    } catch (error) {
      if (!stopped) log.warn({ error: describeError(error) }, 'jobs of lost workers could not be looked for');
    }
    if (!stopped) timer = setTimeout(look, LOOK_MILLISECONDS).unref();
  };
  void look();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** The statement that gives one job back at once: neither a death nor a lost database counts as a failed attempt. */
export const giveBack = (schema: string): string => `
  update ${schema}.job set ${again(1)} where name = $1 and id = $2 and state = 'active' and retry_count = $3`;

const again = (seconds: number): string => `
  state = 'retry', start_after = now() + interval '${seconds} second', heartbeat_on = null, retry_limit = retry_limit + 1`;

const abandoned = (schema: string): string => `
  with gone as materialized (
    select id from ${schema}.job
    where state = 'active' and name = any ($1::text[]) and retry_count < ${MOST_ATTEMPTS}
      and started_on < now() - interval '1 second'
      and pg_postmaster_start_time() < now() - interval '${GRACE_SECONDS} seconds'
      and not exists (
        select from pg_locks l
        where l.locktype = 'advisory' and l.classid = ${CLAIM} and l.objsubid = 2 and l.granted
          and l.objid::bigint = ('x' || left(id::text, 8))::bit(32)::bigint
          and l.database = (select oid from pg_database where datname = current_database()))
  ), taken as (
    update ${schema}.job set ${again(0)}
    where state = 'active' and name = any ($1::text[]) and id in (
      select id from gone join ${schema}.unclaimed using (id)
      where since < now() - interval '${LOOK_MILLISECONDS - 100} milliseconds')
    returning id, name
  ), claimed_again as (
    delete from ${schema}.unclaimed
    where id not in (select id from gone) or id in (select id from taken)
  ), seen as (
    insert into ${schema}.unclaimed (id) select id from gone where id not in (select id from taken)
    on conflict do nothing
  )
  select name from taken`;

/** Jobs under way that nobody claimed at the last look, since which. Not worth a crash of the database: looked at again. */
export const unclaimedTable = (schema: string): string => `
  create unlogged table if not exists ${schema}.unclaimed (
    id uuid primary key,
    since timestamptz not null default now()
  )`;

/** The first eight digits, as the integer of 32 bits that PostgreSQL takes. */
const keyOf = (jobId: string): number => Number.parseInt(jobId.slice(0, 8), 16) | 0;
