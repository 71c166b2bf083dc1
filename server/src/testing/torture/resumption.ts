import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { CLAIMS_OF } from '../../platform/queue/job-claims.js';

/** Watches jobs from outside: how long each one stood without a living worker after it had one. */
export interface ResumptionWatch {
  /** Seconds of every interruption that has ended. */
  readonly seconds: readonly number[];
  /** The same, without the time in which no worker was up: every one of them had been killed, or was still starting. */
  readonly attended: readonly number[];
  /** Of those, until somebody noticed and gave the job to others; the rest is waiting for a worker that is free. */
  readonly noticed: readonly number[];
  stop(): Promise<void>;
}

const LOOK_MILLISECONDS = 200;

const JOBS = `
  select (select count(*)::int from pg_stat_activity where application_name like '${CLAIMS_OF}%') as workers, job.*
  from (select 1) as always left join (
  select j.id, j.state = 'active' as active,
         exists (select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 2 and l.granted
                   and l.objid::bigint = ('x' || left(j.id::text, 8))::bit(32)::bigint) as claimed
  from pgboss.job j
  where j.state = 'active' or (j.state = 'retry' and j.name not like '%.given-up')) as job on true`;

interface Look {
  readonly workers: number;
  /** Null where there is no job at all. */
  readonly id: string | null;
  readonly active: boolean;
  readonly claimed: boolean;
}

export function watchResumption(connection: pg.ClientConfig): ResumptionWatch {
  const seconds: number[] = [];
  const attended: number[] = [];
  const noticed: number[] = [];
  const interrupted = new Map<string, { readonly since: number; attended: number; noticed?: number }>();
  let before = performance.now();
  const claimedOnce = new Set<string>();
  let stopped = false;

  const look = (looks: readonly Look[], now: number): void => {
    const rows = looks.flatMap((one) => (one.id === null ? [] : [{ ...one, id: one.id }]));
    const passed = looks[0]!.workers > 0 ? now - before : 0;
    before = now;
    for (const one of interrupted.values()) one.attended += passed;
    const present = new Map(rows.map((row) => [row.id, row]));
    for (const { id, active, claimed } of rows) {
      if (active && claimed) claimedOnce.add(id);
      else if (claimedOnce.has(id) && !interrupted.has(id)) interrupted.set(id, { since: now, attended: 0 });
    }
    for (const [id, one] of interrupted) {
      const { since } = one;
      const row = present.get(id);
      if (row && !row.active) one.noticed ??= one.attended;
      if (row && !(row.active && row.claimed)) continue;
      // Ended between two looks: it had given back its claim and was just being written down as done.
      if (row || now - since > 1_000) {
        seconds.push((now - since) / 1000);
        attended.push(one.attended / 1000);
        noticed.push((one.noticed ?? one.attended) / 1000);
      }
      interrupted.delete(id);
    }
    for (const id of claimedOnce) if (!present.has(id)) claimedOnce.delete(id);
  };
  const run = async (): Promise<void> => {
    while (!stopped) {
      const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        while (!stopped) {
          look((await client.query(JOBS)).rows, performance.now());
          await delay(LOOK_MILLISECONDS);
        }
      } catch {
        // The database was killed: look again when it is back.
        await delay(LOOK_MILLISECONDS);
      } finally {
        client.end().catch(() => undefined);
      }
    }
  };
  const running = run();
  return {
    seconds,
    attended,
    noticed,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}
