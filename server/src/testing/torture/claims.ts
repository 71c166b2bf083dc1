import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { CLAIM, CLAIMS_OF } from '../../platform/queue/job-claims.js';

/** What one process works on. */
export interface Claim {
  readonly pid: number;
  /** The first eight digits of the id of the job. */
  readonly job: string;
}

/** Looks at claims and jobs from outside, over a connection of its own that it opens again after the database was killed. */
export interface ClaimsView {
  /** Jobs under way and who works on them; nothing while the database is away. */
  claims(): Promise<readonly Claim[]>;
  /** Those of the jobs that are under way according to the queue. */
  underWay(jobs: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

const CLAIMS = `
  select substr(a.application_name, ${CLAIMS_OF.length + 1})::int as pid, lpad(to_hex(l.objid::bigint), 8, '0') as job
  from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.classid = ${CLAIM} and l.objsubid = 2 and l.granted
    and a.application_name like '${CLAIMS_OF}%'
    and exists (select from pgboss.job j where j.state = 'active'
                  and ('x' || left(j.id::text, 8))::bit(32)::bigint = l.objid::bigint)`;
const UNDER_WAY = `select left(id::text, 8) as job from pgboss.job where state = 'active' and left(id::text, 8) = any ($1)`;

export function viewClaims(connection: pg.ClientConfig): ClaimsView {
  let client: pg.Client | undefined;
  const rows = async <Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
    try {
      if (!client) {
        const fresh = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
        fresh.on('error', () => undefined);
        await fresh.connect();
        client = fresh;
      }
      return (await client.query(text, [...values])).rows as Row[];
    } catch {
      client?.end().catch(() => undefined);
      client = undefined;
      await delay(100);
      return [];
    }
  };
  return {
    claims: () => rows<Claim>(CLAIMS),
    underWay: async (jobs) => (await rows<{ job: string }>(UNDER_WAY, [jobs])).map(({ job }) => job),
    close: async () => client?.end().catch(() => undefined),
  };
}
