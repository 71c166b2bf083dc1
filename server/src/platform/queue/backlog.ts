import type { Reading } from '../metrics/metrics.js';

interface Counted {
  readonly job: string;
  readonly waiting: number;
  readonly running: number;
  readonly later: number;
  readonly oldest: number;
}

interface Statements {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Of jobs of one kind: how many wait, run, are not due yet, and failed for good lately; how long the oldest has waited in seconds. */
export interface JobCounts extends Counted {
  readonly failed: number;
}

/** Counts of jobs of these kinds; of failed ones those that the queue still keeps. */
export async function countJobs(
  database: Statements,
  schema: string,
  kinds: readonly string[],
): Promise<readonly JobCounts[]> {
  const { rows } = await database.executeSql(
    `select name, count(*)::int as failed from ${schema}.job where state = 'failed' and name = any ($1) group by name`,
    [kinds],
  );
  const failed = new Map((rows as { name: string; failed: number }[]).map((row) => [row.name, row.failed]));
  return (await countWaiting(database, schema, kinds)).map((one) => ({
    ...one,
    failed: failed.get(one.job) ?? 0,
  }));
}

async function countWaiting(
  database: Statements,
  schema: string,
  kinds: readonly string[],
): Promise<readonly Counted[]> {
  const { rows } = await database.executeSql(
    `select kind.name as job,
       count(*) filter (where job.state in ('created', 'retry') and job.start_after <= now())::int as waiting,
       count(*) filter (where job.state = 'active')::int as running,
       count(*) filter (where job.state in ('created', 'retry') and job.start_after > now())::int as later,
       coalesce(extract(epoch from now() - min(job.start_after)
         filter (where job.state in ('created', 'retry') and job.start_after <= now())), 0)::float8 as oldest
     from unnest($1::text[]) as kind (name)
     left join ${schema}.job on job.name = kind.name and job.state < 'completed'
     group by kind.name`,
    [kinds],
  );
  return rows as Counted[];
}

/** The same as readings of metrics. */
export async function readBacklog(
  database: Statements,
  schema: string,
  kinds: readonly string[],
): Promise<readonly Reading[]> {
  return (await countWaiting(database, schema, kinds)).flatMap(
    ({ job, waiting, running, later, oldest }): Reading[] => [
      ...Object.entries({ waiting, running, later }).map(
        ([state, value]): Reading => ({ state: 'queueJobs', labels: { job, state }, value }),
      ),
      { state: 'queueOldest', labels: { job }, value: oldest },
    ],
  );
}
