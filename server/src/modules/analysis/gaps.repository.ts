import type { Finding, Location } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing } from '../../platform/http/pagination.js';
import { isReadable, readableFinding, readableText } from '../standards/words.repository.js';
import type { AnalysisType } from './analysis-type.js';

/** A finding as it is stored: evidence lies in rows of its own, documents are work products. */
export type StoredFinding = Omit<Finding, 'evidence' | 'search'> & { readonly search?: StoredSearch };

export interface StoredSearch {
  readonly statement: string;
  readonly work_product_ids: readonly string[];
  readonly passages: number;
  readonly terms: readonly string[];
}

export interface EvidenceRow {
  readonly work_product_id: string;
  readonly version: number;
  readonly location: Location;
  readonly quote: string;
  readonly role: 'support' | 'counter' | 'context';
  readonly note: string | null;
}

export interface GapRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly analysis_type: AnalysisType;
  readonly standard_id: string | null;
  readonly work_product_id: string | null;
  readonly fingerprint: string;
  readonly status: 'open' | 'in_progress' | 'resolved' | 'accepted';
  readonly assignee: string | null;
  readonly reason: string | null;
  readonly accepted_until: string | Date | null;
  readonly note: string | null;
  readonly change: 'new' | 'unchanged' | 'updated' | 'absent';
  readonly clause: string;
  readonly finding: StoredFinding;
  readonly last_analysis_id: string;
  readonly evidence: readonly EvidenceRow[];
  readonly created_at: string;
  readonly updated_at: string | Date;
}

/** Evidence of a gap `g` in one run, as JSON in its order. */
const evidenceIn = (analysis: Statement, userId: string): Statement => sql`
  (select coalesce(json_agg(json_build_object('work_product_id', e.work_product_id, 'version', e.version,
            'location', e.location, 'quote', e.quote, 'role', e.role,
            'note', ${readableText(sql`e.note`, sql`g.standard_id`, userId)}) order by e.ordinal), '[]')
   from analysis_evidence e
   where e.workspace_id = g.workspace_id and e.gap_id = g.id and e.analysis_id = ${analysis}) as evidence`;

const columnsFor = (
  userId: string,
): Statement => sql`g.workspace_id, g.id, g.analysis_type, g.standard_id, g.work_product_id, g.fingerprint, g.status, g.assignee, g.reason,
  g.accepted_until, g.note, g.change, g.clause,
  ${readableFinding(sql`g.finding`, sql`g.standard_id`, userId)} as finding, g.last_analysis_id, g.created_at, g.updated_at`;

export interface GapFilters {
  readonly workspace_id?: string | undefined;
  readonly analysis_type?: string | undefined;
  readonly standard_id?: string | undefined;
  readonly work_product_id?: string | undefined;
  readonly analysis_id?: string | undefined;
  readonly severity?: string | undefined;
  readonly status?: string | undefined;
  readonly change?: string | undefined;
  readonly type?: string | undefined;
  readonly clause?: string | undefined;
  readonly assignee?: string | undefined;
  readonly search?: string | undefined;
}

/** Gaps as a user may read them. Words that they may not read cannot be searched either. */
export function selectGaps(filters: GapFilters, userId: string): Statement {
  const all = sql`true`;
  const is = (column: Statement, value: string | undefined): Statement =>
    value === undefined ? all : sql`${column} = ${value}`;
  const { analysis_id, work_product_id, clause, search } = filters;
  return sql`
    select ${columnsFor(userId)}, ${evidenceIn(sql`g.last_analysis_id`, userId)}
    from gaps g
    where ${is(sql`g.workspace_id`, filters.workspace_id)}
      and ${is(sql`g.standard_id`, filters.standard_id)}
      and ${is(sql`g.analysis_type`, filters.analysis_type)}
      and ${is(sql`g.severity`, filters.severity)}
      and ${is(sql`g.status`, filters.status)}
      and ${is(sql`g.change`, filters.change)}
      and ${is(sql`g.kind`, filters.type)}
      and ${is(sql`g.assignee`, filters.assignee)}
      and ${clause ? sql`(g.clause = ${clause} or starts_with(g.clause, ${`${clause}.`}) or g.criterion_id = ${clause})` : all}
      and ${
        search
          ? sql`(${isReadable(sql`g.standard_id`, userId)}
                 and (g.title ilike ${containing(search)} or g.finding ->> 'expected' ilike ${containing(search)}
                      or g.finding ->> 'observed' ilike ${containing(search)}))`
          : all
      }
      and ${
        analysis_id
          ? sql`exists (select from gap_occurrences o where o.workspace_id = g.workspace_id and o.gap_id = g.id
                        and o.analysis_id = ${analysis_id})`
          : all
      }
      and ${
        work_product_id
          ? sql`(g.work_product_id = ${work_product_id} or g.finding -> 'search' -> 'work_product_ids' ? ${work_product_id}
                 or exists (select from analysis_evidence e where e.workspace_id = g.workspace_id
                            and e.gap_id = g.id and e.analysis_id = g.last_analysis_id
                            and e.work_product_id = ${work_product_id}))`
          : all
      }`;
}

/** What the occurrence `o` of the gap `g` says: written down there once a later run says something else. */
export const findingOf = sql`coalesce(o.finding, g.finding)`;

/** Gaps as one run saw them, most severe first: no more than `limit`. */
export const selectGapsOfAnalysis = (analysisId: string, userId: string, limit: number): Statement => sql`
  select g.workspace_id, g.id, g.analysis_type, g.standard_id, g.work_product_id, g.fingerprint, g.status, g.assignee,
         g.reason, g.accepted_until, g.note, o.change, g.clause,
         ${readableFinding(findingOf, sql`g.standard_id`, userId)} as finding,
         o.analysis_id as last_analysis_id, g.created_at, g.updated_at, ${evidenceIn(sql`o.analysis_id`, userId)}
  from gap_occurrences o
  join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id
  where o.analysis_id = ${analysisId} and o.change <> 'absent'
  order by o.ordinal limit ${limit}`;

/** How many gaps one run saw. */
export const countGapsOfAnalysis = (analysisId: string): Statement => sql`
  select count(*)::integer as count from gap_occurrences where analysis_id = ${analysisId} and change <> 'absent'`;

export const workspaceOfGap = (id: string): Statement => sql`select workspace_id from gaps where id = ${id}`;

/** The locked gap as a user may read it. */
export const lockGap = async (
  transaction: Transaction,
  id: string,
  userId: string,
): Promise<GapRow | undefined> => {
  await transaction.maybeOne(sql`select id from gaps where id = ${id} for update`);
  return transaction.maybeOne(
    sql`select ${columnsFor(userId)}, ${evidenceIn(sql`g.last_analysis_id`, userId)} from gaps g where g.id = ${id}`,
  );
};

export const updateGap = (
  transaction: Transaction,
  row: Pick<GapRow, 'workspace_id' | 'id' | 'status' | 'assignee' | 'reason' | 'note'> & {
    readonly accepted_until: string | Date | null;
  },
): Promise<number> =>
  transaction.run(sql`
    update gaps
    set status = ${row.status}, assignee = ${row.assignee}, reason = ${row.reason}, note = ${row.note},
        accepted_until = ${row.accepted_until}
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);

export const isMember = async (
  transaction: Transaction,
  workspaceId: string,
  userId: string,
): Promise<boolean> =>
  (await transaction.maybeOne(sql`
    select user_id from workspace_members where workspace_id = ${workspaceId} and user_id = ${userId}`)) !==
  undefined;
