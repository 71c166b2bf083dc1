import type { Evidence as EngineEvidence, Finding, Location, Search } from '@normtrace/engine';
import type { z } from 'zod';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { joined, sql } from '../../platform/database/sql.js';
import { containing, isAnyOf, type SortKey, wordKey } from '../../platform/http/pagination.js';
import type { AnalysisType } from '../runs/analysis-type.js';
import { isReadable, readableFinding, readableSaid, readableText } from '../standards/words.repository.js';
import { evidenceOfGap } from './gap-evidence.repository.js';
import type { GapStatus, Had, PreviousDecision, Proposal, Resolution, Severity } from './gaps.schemas.js';

/** A finding as it is stored: evidence lies in rows of its own, documents are work products. */
export type StoredFinding = Omit<Finding, 'evidence' | 'search'> & { readonly search?: StoredSearch };

export interface StoredSearch {
  readonly statement: string;
  readonly said?: Search['said'];
  readonly work_product_ids: readonly string[];
  readonly passages: number;
  readonly terms: readonly string[];
}

export interface EvidenceRow {
  readonly work_product_id: string;
  readonly version: number;
  readonly location: Location;
  readonly quote: string;
  /** Half-open range of the quote in the text of the parsed document. */
  readonly start: number;
  readonly end: number;
  readonly role: 'support' | 'counter' | 'context';
  readonly note: string | null;
  readonly said?: StoredEvidenceWords | null;
}

/** Key and values of a note; null or absent where there is none, or an earlier version stored it. */
export type StoredEvidenceWords = NonNullable<EngineEvidence['said']>;

/** What people decide about a gap. */
export interface GapState {
  readonly status: z.output<typeof GapStatus>;
  readonly resolution: z.output<typeof Resolution> | null;
  readonly assignee: string | null;
  /** `2026-03-31` */
  readonly due_date: string | null;
  readonly reason: string | null;
  readonly note: string | null;
  readonly accepted_until: string | Date | null;
  readonly waiver_owner: string | null;
  readonly accepted_by: readonly string[] | null;
  readonly accepted_at: string | Date | null;
  readonly severity_override: z.output<typeof Severity> | null;
  readonly severity_reason: string | null;
  readonly severity_by: string | null;
  readonly severity_at: string | Date | null;
}

/** A decision that a run ended, from the audit log. */
export interface EndedDecision {
  readonly action: string;
  /** The state that it was; `severity` only where one was set. */
  readonly before: Partial<Pick<GapState, 'status' | 'reason' | 'accepted_until' | 'accepted_by'>> & {
    readonly severity?: GapState['severity_override'];
  };
  readonly at: string;
  /** Who decided; two, where it was accepted by two, stand in `before`. */
  readonly by: string | null;
  readonly analysis_id: string;
  readonly changed: PreviousDecision['changed'];
}

export interface GapRow extends GapState {
  readonly workspace_id: string;
  readonly id: string;
  readonly analysis_type: AnalysisType;
  readonly standard_id: string | null;
  readonly work_product_id: string | null;
  readonly fingerprint: string;
  /** Its acceptance has ended, and nobody has written it down yet. */
  readonly expired: boolean;
  readonly change: 'new' | 'unchanged' | 'updated' | 'absent';
  readonly clause: string;
  readonly finding: StoredFinding;
  readonly last_analysis_id: string;
  readonly evidence: readonly EvidenceRow[];
  readonly proposals: readonly Proposal[];
  readonly ended_decisions: readonly EndedDecision[];
  readonly created_at: string;
  readonly updated_at: string | Date;
}

/** Who reads gaps, and when: an acceptance ends by the clock, whether or not the service has written it down. */
export interface GapReader {
  readonly userId: string;
  readonly now: Date;
}

/** How the note of a gap begins that a person's verdict on its criterion settled. */
export const JUDGED_BY_A_PERSON = 'A person judged the criterion:';

/** The newest run that found the gap `g`. */
export const LAST_SEEN = sql`
  (select s.analysis_id from gap_sightings s where s.workspace_id = g.workspace_id and s.gap_id = g.id)`;

/** Evidence of a gap `g` in one run, as JSON in its order. */
const evidenceIn = (analysis: Statement, userId: string): Statement => sql`
  (select coalesce(json_agg(json_build_object('work_product_id', e.work_product_id, 'version', e.version,
            'location', e.location, 'quote', e.quote, 'start', e.start_offset, 'end', e.end_offset, 'role', e.role,
            'note', ${readableText(sql`e.note`, sql`g.standard_id`, userId)},
            'said', ${readableSaid(sql`e.said`, sql`g.standard_id`, userId)}) order by e.ordinal), '[]')
   from ${evidenceOfGap(analysis)}) as evidence`;

/** The acceptance of the gap `g` has ended. */
const isExpired = (now: Date): Statement =>
  sql`((g.status = 'accepted' and g.accepted_until <= ${now.toISOString()}::timestamptz) is true)`;

/** The status of the gap `g` by the clock. */
export const statusAt = (now: Date): Statement =>
  sql`(case when ${isExpired(now)} then 'open' else g.status end)`;

/** The gap `g` should be done with by now (UTC). */
export const isOverdue = (now: Date): Statement =>
  sql`((g.due_date < ${now.toISOString().slice(0, 10)}::date and ${statusAt(now)} in ('open', 'in_progress')) is true)`;

/** Actions by which people decide about what was found. */
const DECIDES = sql`~ '^gap[.](status_changed|severity_|false_positive_|acceptance_)'`;

const openProposals = sql`
  (select coalesce(json_agg(json_build_object('id', p.id, 'kind', p.kind, 'severity', p.severity,
            'accepted_until', p.accepted_until, 'owner', p.waiver_owner, 'reason', p.reason,
            'proposed_by', p.proposed_by, 'created_at', p.created_at) order by p.created_at, p.id), '[]')
   from gap_proposals p
   where p.workspace_id = g.workspace_id and p.gap_id = g.id and p.outcome is null) as proposals`;

/** Decisions about the gap `g` that runs ended and that no person has looked at since, newest first. */
const endedDecisions = sql`
  (select coalesce(json_agg(json_build_object(
            'action', e.action, 'before', e.before, 'at', e.created_at, 'analysis_id', e.after -> 'analysis_id',
            'changed', e.after -> 'changed',
            'by', (select d.actor_id from audit_events d
                   where d.workspace_id = g.workspace_id and d.target_type = 'gap' and d.target_id = g.id::text
                     and d.actor_id is not null and d.action ${DECIDES} and d.sequence < e.sequence
                   order by d.sequence desc limit 1)) order by e.sequence desc), '[]')
   from audit_events e
   where e.workspace_id = g.workspace_id and e.target_type = 'gap' and e.target_id = g.id::text
     and e.actor_id is null and e.after ? 'changed'
     and not exists (select from audit_events d
                     where d.workspace_id = g.workspace_id and d.target_type = 'gap' and d.target_id = g.id::text
                       and d.actor_id is not null and d.action ${DECIDES} and d.sequence > e.sequence)) as ended_decisions`;

/** Columns of the gap `g` that do not depend on the run that it is seen in. */
const columnsAt = (now: Date): Statement => sql`
  g.workspace_id, g.id, g.analysis_type, g.standard_id, g.work_product_id, g.fingerprint, g.status, g.resolution,
  g.assignee, g.due_date::text as due_date, g.reason, g.note, g.accepted_until, g.waiver_owner, g.accepted_by,
  g.accepted_at, g.severity_override, g.severity_reason, g.severity_by, g.severity_at,
  g.effective_severity, g.clause, g.created_at,
  g.updated_at, ${isExpired(now)} as expired, ${openProposals}, ${endedDecisions}`;

const columnsFor = ({ userId, now }: GapReader): Statement => sql`
  ${columnsAt(now)}, g.change, ${readableFinding(sql`g.finding`, sql`g.standard_id`, userId)} as finding,
  ${LAST_SEEN} as last_analysis_id, ${evidenceIn(LAST_SEEN, userId)}`;

/** From low to critical. */
export const severityKey = (by: Statement): SortKey => ({
  by: sql`array_position(array['low', 'medium', 'high', 'critical'], ${by})`,
  type: sql`integer`,
});

/** What a list of gaps can be sorted by beside the fields of all lists. */
export const GAP_SORTS: Readonly<Record<string, SortKey>> = {
  severity: severityKey(sql`effective_severity`),
  // Without a due date: after all that have one.
  due_date: { by: sql`coalesce(due_date, 'infinity')`, type: sql`text` },
  clause: { by: sql`clause`, type: sql`text` },
  title: wordKey(sql`(finding ->> 'title')`),
};

export interface GapFilters {
  readonly workspace_id?: string | undefined;
  readonly analysis_type?: readonly string[] | undefined;
  readonly standard_id?: string | undefined;
  readonly work_product_id?: string | undefined;
  readonly document_type?: readonly string[] | undefined;
  readonly analysis_id?: string | undefined;
  readonly severity?: readonly string[] | undefined;
  readonly severity_original?: readonly string[] | undefined;
  readonly resolution?: readonly string[] | undefined;
  readonly due_from?: string | undefined;
  readonly due_to?: string | undefined;
  readonly overdue?: boolean | undefined;
  readonly waived?: boolean | undefined;
  readonly proposal?: string | undefined;
  readonly status?: readonly string[] | undefined;
  readonly change?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly asil?: readonly string[] | undefined;
  readonly clause?: string | undefined;
  /** An id, `me` or `none`. */
  readonly assignee?: string | undefined;
  readonly search?: string | undefined;
  readonly has?: readonly Had[] | undefined;
}

/** Whether something waits for a manager, of the kind if one is told, about the gap `g`. */
const waits = (kind?: string): Statement => sql`
  exists (select from gap_proposals p where p.workspace_id = g.workspace_id and p.gap_id = g.id
          and ${kind === undefined ? sql`true` : sql`p.kind = ${kind}`} and p.outcome is null)`;

/** Whether the gap `g` has it. */
function isThere(what: Had, now: Date): Statement {
  switch (what) {
    case 'proposal':
      return waits();
    case 'comment':
      return sql`exists (select from comments c where c.workspace_id = g.workspace_id and c.gap_id = g.id
                         and c.deleted_at is null)`;
    case 'waiver':
      return sql`${statusAt(now)} = 'accepted'`;
  }
}

/** Gaps as a user may read them. */
export const selectGaps = (filters: GapFilters, reader: GapReader): Statement => sql`
  select ${columnsFor(reader)} from gaps g where ${matchesGap(filters, reader)}`;

/** Whether the gap `g` matches. Words that the reader may not read cannot be searched either. */
export function matchesGap(filters: GapFilters, reader: GapReader): Statement {
  const { userId, now } = reader;
  const all = sql`true`;
  const is = (column: Statement, value: string | undefined): Statement =>
    value === undefined ? all : sql`${column} = ${value}`;
  const isSo = (condition: Statement, value: boolean | undefined): Statement =>
    value === undefined ? all : sql`${condition} = ${value}::boolean`;
  const { analysis_id, work_product_id, clause, search, assignee, due_from, due_to, proposal } = filters;
  return sql`
    ${is(sql`g.workspace_id`, filters.workspace_id)}
      and ${is(sql`g.standard_id`, filters.standard_id)}
      and ${isAnyOf(sql`g.analysis_type`, filters.analysis_type)}
      and ${isAnyOf(sql`g.effective_severity`, filters.severity)}
      and ${isAnyOf(sql`g.severity`, filters.severity_original)}
      and ${isAnyOf(statusAt(now), filters.status)}
      and ${isAnyOf(sql`(case when g.status = 'resolved' then coalesce(g.resolution, 'fixed') end)`, filters.resolution)}
      and ${isAnyOf(sql`g.change`, filters.change)}
      and ${isAnyOf(sql`g.kind`, filters.type)}
      and ${isAnyOf(sql`g.asil`, filters.asil)}
      and ${assignee === 'none' ? sql`g.assignee is null` : is(sql`g.assignee`, assignee === 'me' ? userId : assignee)}
      and ${due_from === undefined ? all : sql`g.due_date >= ${due_from}::date`}
      and ${due_to === undefined ? all : sql`g.due_date <= ${due_to}::date`}
      and ${isSo(isOverdue(now), filters.overdue)}
      and ${isSo(sql`(${statusAt(now)} = 'accepted')`, filters.waived)}
      and ${proposal ? waits(proposal) : all}
      and ${
        filters.has
          ? sql`(${joined(
              filters.has.map((what) => isThere(what, now)),
              sql` or `,
            )})`
          : all
      }
      and ${clause ? sql`(g.clause = ${clause} or starts_with(g.clause, ${`${clause}.`}) or g.criterion_id = ${clause})` : all}
      and ${
        search
          ? sql`(${isReadable(sql`g.standard_id`, userId)} and g.words like lower(${containing(search)}))`
          : all
      }
      and ${
        analysis_id
          ? sql`exists (select from gaps_of_runs o where o.workspace_id = g.workspace_id and o.gap_id = g.id
                        and o.analysis_id = ${analysis_id})`
          : all
      }
      and ${
        work_product_id
          ? sql`(g.workspace_id, g.documents) in (select d.workspace_id, d.key from gap_documents d
                                                   where ${work_product_id}::uuid = any (d.work_product_ids))`
          : all
      }
      and ${
        filters.document_type
          ? sql`(g.workspace_id, g.documents) in (
                  select d.workspace_id, d.key from gap_documents d
                  join work_products w on w.workspace_id = d.workspace_id and w.id = any (d.work_product_ids)
                  where ${isAnyOf(sql`w.category`, filters.document_type)})`
          : all
      }`;
}

/** What the occurrence `o` of the gap `g` says: written down there once a later run says something else. */
export const findingOf = sql`coalesce(o.finding, g.finding)`;

/** Gaps as one run saw them, most severe first: no more than `limit`. */
export const selectGapsOfAnalysis = (
  analysisId: string,
  { userId, now }: GapReader,
  limit: number,
): Statement => sql`
  select ${columnsAt(now)}, o.change, ${readableFinding(findingOf, sql`g.standard_id`, userId)} as finding,
         o.analysis_id as last_analysis_id, ${evidenceIn(sql`o.analysis_id`, userId)}
  from (select * from gaps_of_runs where analysis_id = ${analysisId} and change <> 'absent'
        order by ordinal limit ${limit}) o
  -- Each gap by its key: while a run is under way the planner knows nothing of what it stored.
  cross join lateral (select * from gaps g where g.workspace_id = o.workspace_id and g.id = o.gap_id limit 1) g
  order by o.ordinal`;

/** How many gaps one run saw. */
export const countGapsOfAnalysis = (analysisId: string): Statement => sql`
  select count(*)::integer as count from gaps_of_runs where analysis_id = ${analysisId} and change <> 'absent'`;

export const workspaceOfGap = (id: string): Statement => sql`select workspace_id from gaps where id = ${id}`;

export const selectGap = (id: string, reader: GapReader): Statement =>
  sql`select ${columnsFor(reader)} from gaps g where g.id = ${id}`;

/** The named gaps of a workspace that there are, locked, as a user may read them. */
export const lockGaps = async (
  transaction: Transaction,
  { workspaceId, ids }: { readonly workspaceId: string; readonly ids: readonly string[] },
  reader: GapReader,
): Promise<GapRow[]> => {
  // By fingerprint, as runs lock them.
  await transaction.run(sql`
    select id from gaps where workspace_id = ${workspaceId} and id = any (${ids}::uuid[]) order by fingerprint for update`);
  return transaction.many(sql`
    select ${columnsFor(reader)} from gaps g where g.workspace_id = ${workspaceId} and g.id = any (${ids}::uuid[])
    order by g.fingerprint, g.id`);
};

export const isMember = async (
  transaction: Transaction,
  workspaceId: string,
  userId: string,
): Promise<boolean> =>
  (await transaction.maybeOne(sql`
    select user_id from workspace_members where workspace_id = ${workspaceId} and user_id = ${userId}`)) !==
  undefined;

/** Ids of gaps under filters, no more than `limit`. */
export const findIds = async (
  transaction: Transaction,
  {
    filters,
    reader,
    limit,
  }: { readonly filters: GapFilters; readonly reader: GapReader; readonly limit: number },
): Promise<string[]> =>
  (
    await transaction.many<{ id: string }>(
      sql`select id from (${selectGaps(filters, reader)}) as matching order by id limit ${limit}`,
    )
  ).map(({ id }) => id);

/** What became of the named gaps, in the order given. */
export const selectStates = (
  transaction: Transaction,
  { workspaceId, ids }: { readonly workspaceId: string; readonly ids: readonly string[] },
  now: Date,
): Promise<
  (Pick<GapRow, 'id' | 'status'> & {
    readonly severity: z.output<typeof Severity>;
    readonly acceptance_pending: boolean;
  })[]
> =>
  transaction.many(sql`
    select g.id, ${statusAt(now)} as status, g.effective_severity as severity,
           exists (select from gap_proposals p where p.workspace_id = g.workspace_id and p.gap_id = g.id
                   and p.kind = 'acceptance' and p.outcome is null) as acceptance_pending
    from unnest(${ids}::uuid[]) with ordinality as named (id, number)
    join gaps g on g.workspace_id = ${workspaceId} and g.id = named.id
    order by named.number`);

/** How a proposal of a gap ended. */
export const findOutcome = (
  transaction: Transaction,
  { workspace_id, id }: Pick<GapRow, 'workspace_id' | 'id'>,
  proposalId: string,
): Promise<{ readonly outcome: string } | undefined> =>
  transaction.maybeOne(sql`
    select outcome from gap_proposals
    where workspace_id = ${workspace_id} and gap_id = ${id} and id = ${proposalId} and outcome is not null`);
