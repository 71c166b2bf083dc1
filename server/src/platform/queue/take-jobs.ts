/** Jobs of one kind that a process would begin now. */
export interface Offer {
  readonly name: string;
  /** Free places. */
  readonly free: number;
  /** Places that one group may have, with those that it has. */
  readonly ofOneGroup: number;
}

/** A group that this process works for, or has worked for lately. */
export interface GroupState {
  readonly name: string;
  readonly group: string;
  readonly running: number;
  /** Counts up with every job that is begun: who had the last turn waits longest for the next. */
  readonly turn: number;
}

export interface TakenJob {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly data: unknown;
  /** Names the attempt, also towards the library. */
  readonly retryCount: number;
}

interface Statements {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** The rows of the library that wait, due or not; as the index below has them. */
const WAITS = `state < 'active' and not blocked`;
const GROUP = `coalesce(group_id, '')`;

/** Finds the groups that wait without looking at all their jobs. */
export const waitingIndex = (schema: string): string =>
  `create index if not exists normtrace_waiting on ${schema}.job_common (name, ${GROUP}, priority desc, created_on) where ${WAITS}`;

/**
 * Takes as many jobs as are offered, in one statement: of each kind first for groups with the fewest under way here, then
 * for those whose last turn is longest ago. `again` names kinds of which another process took something meanwhile.
 * What is written is what the library writes when it hands out a job.
 */
export async function takeJobs(
  database: Statements,
  schema: string,
  { offers, groups }: { readonly offers: readonly Offer[]; readonly groups: readonly GroupState[] },
): Promise<{ readonly taken: readonly TakenJob[]; readonly again: readonly string[] }> {
  const { rows } = await database.executeSql(statement(schema), [
    offers.map(({ name }) => name),
    offers.map(({ free }) => free),
    offers.map(({ ofOneGroup }) => ofOneGroup),
    groups.map(({ name }) => name),
    groups.map(({ group }) => group),
    groups.map(({ running }) => running),
    groups.map(({ turn }) => turn),
  ]);
  const found = rows as readonly (TakenJob & { readonly isTaken: boolean })[];
  return {
    taken: found.filter(({ isTaken }) => isTaken),
    again: found.filter(({ isTaken }) => !isTaken).map(({ name }) => name),
  };
}

const statement = (schema: string): string => `
  with recursive kind as (
    select * from unnest($1::text[], $2::int[], $3::int[]) as kind (name, free, of_one_group)
  ), here as (
    select * from unnest($4::text[], $5::text[], $6::int[], $7::float8[]) as here (name, grp, running, turn)
  ), waiting (name, free, of_one_group, grp) as (
    select name, free, of_one_group, ${nextGroup(schema, '')} from kind as outer_one
    union all
    select name, free, of_one_group, ${nextGroup(schema, `and ${GROUP} > outer_one.grp`)}
    from waiting as outer_one where grp is not null
  ), first as (
    select w.name, w.free, w.grp, one.id, one.created_on, here.turn, coalesce(here.running, 0) + one.place as place
    from waiting w
    left join here on here.name = w.name and here.grp = w.grp
    cross join lateral (
      select id, created_on, row_number() over (order by priority desc, created_on) as place from (
        select id, priority, created_on from ${schema}.job
        where name = w.name and ${GROUP} = w.grp and ${WAITS} and start_after <= now()
        order by priority desc, created_on
        limit least(w.free, w.of_one_group - coalesce(here.running, 0))
      ) as due
    ) as one
    where w.grp is not null and w.of_one_group > coalesce(here.running, 0)
  ), chosen as (
    select id, name, grp from (
      select *, row_number() over (partition by name order by place, turn nulls first, created_on) as number from first
    ) as ranked where number <= free
  ), locked as (
    select job.id, job.name from ${schema}.job job
    where job.name = any ($1::text[]) and job.id = any (array(select id from chosen)) and ${WAITS}
    for update skip locked
  ), taken as (
    update ${schema}.job job set
      state = 'active', started_on = now(), heartbeat_on = now(),
      retry_count = case when job.started_on is null then job.retry_count else job.retry_count + 1 end
    from locked where job.name = locked.name and job.id = locked.id
    returning job.id, job.data, job.retry_count
  )
  select chosen.id, chosen.name, chosen.grp as "group", taken.data, taken.retry_count as "retryCount",
    taken.id is not null as "isTaken"
  from chosen left join taken on taken.id = chosen.id`;

const nextGroup = (schema: string, condition: string): string => `(
      select ${GROUP} from ${schema}.job where job.name = outer_one.name and ${WAITS} ${condition} order by ${GROUP} limit 1)`;
