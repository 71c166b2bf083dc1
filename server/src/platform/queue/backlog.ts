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

/** How many jobs of these kinds wait, run, or are not due yet, and how long the oldest has waited in seconds. */
export async function readBacklog(
  database: Statements,
  schema: string,
  kinds: readonly string[],
): Promise<readonly Reading[]> {
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
  return (rows as Counted[]).flatMap(({ job, waiting, running, later, oldest }): Reading[] => [
    ...Object.entries({ waiting, running, later }).map(
      ([state, value]): Reading => ({ state: 'queueJobs', labels: { job, state }, value }),
    ),
    { state: 'queueOldest', labels: { job }, value: oldest },
  ]);
}
