import type { Verdict } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { FoundQuote } from '../documents/find-quotes.js';
import { JUDGED_BY_A_PERSON } from '../gaps/gaps.repository.js';

/** A document that was quoted, with what is there now. */
export interface QuotedDocumentRow {
  readonly work_product_id: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
  /** Null: it was deleted. */
  readonly newest_version: number | null;
  readonly newest_sha256: string | null;
}

export interface CriterionAnswerRow {
  readonly id: string;
  readonly criterion_id: string;
  readonly verdict: Exclude<Verdict, 'needs_review'> | null;
  readonly rating: 'N' | 'P' | 'L' | 'F' | null;
  readonly reason: string;
  readonly evidence: readonly FoundQuote[];
  readonly analysis_id: string;
  readonly machine_verdict: Verdict;
  readonly basis: string;
  readonly documents: readonly QuotedDocumentRow[];
  /** The run that is shown read every work product that the answered run read and that is still there. */
  readonly as_wide: boolean;
  readonly answered_by: string;
  readonly answered_by_name: string;
  readonly answered_at: string | Date;
}

/** What a verdict rests on. */
export interface VerdictFacts {
  readonly criterion_id: string;
  readonly verdict: Verdict;
  readonly confidence: 'high' | 'medium' | 'low';
  readonly rules: readonly string[];
  readonly evidence: readonly {
    readonly work_product_id: string;
    readonly role: string;
    readonly quote: string;
  }[];
}

/** Answers to the criteria of a standard, or to one of them, newest first, beside a run. */
export const selectAnswers = (about: {
  readonly standardId: string;
  readonly analysisId: string | null;
  readonly criterionId?: string | undefined;
}): Statement => sql`
  select a.id, a.criterion_id, a.verdict, a.rating, a.reason, a.evidence, a.analysis_id, a.machine_verdict, a.basis,
         a.answered_by, coalesce(nullif(u.name, ''), u.email, i.name, '') as answered_by_name, a.answered_at,
         (select coalesce(json_agg(json_build_object('work_product_id', p.id, 'name', p.name, 'version', d.version,
                   'sha256', d.sha256, 'newest_version', case when p.deleted_at is null then p.version end,
                   'newest_sha256', case when p.deleted_at is null then n.sha256 end) order by p.created_at, p.id), '[]')
          from jsonb_to_recordset(a.documents) as d (work_product_id uuid, version integer, sha256 text)
          join work_products p on p.workspace_id = a.workspace_id and p.id = d.work_product_id
          left join work_product_versions n
            on n.workspace_id = p.workspace_id and n.work_product_id = p.id and n.version = p.version) as documents,
         not exists (
           select from analysis_inputs r
           join work_products p on p.workspace_id = r.workspace_id and p.id = r.work_product_id and p.deleted_at is null
           where r.workspace_id = a.workspace_id and r.analysis_id = a.analysis_id
             and not exists (select from analysis_inputs s where s.workspace_id = r.workspace_id
                             and s.analysis_id = ${about.analysisId} and s.work_product_id = r.work_product_id)) as as_wide
  from criterion_answers a
  left join profiles u on u.id = a.answered_by
  left join imported_people i on i.workspace_id = a.workspace_id and i.id = a.answered_by
  where a.standard_id = ${about.standardId}
    and ${about.criterionId === undefined ? sql`true` : sql`a.criterion_id = ${about.criterionId}`}
  order by a.number desc`;

/** What the verdicts of a run rest on, of all criteria or of those that somebody answered. */
export const selectVerdictFacts = (analysisId: string, criteria?: readonly string[]): Statement => sql`
  select v.criterion_id, v.verdict, v.confidence, v.rules,
         (select coalesce(json_agg(json_build_object('work_product_id', e.work_product_id, 'role', e.role, 'quote', e.quote)
                  order by e.ordinal), '[]')
          from evidence_of_runs e
          where e.workspace_id = v.workspace_id and e.analysis_id = v.analysis_id
            and e.criterion_id = v.criterion_id and e.gap_id is null) as evidence
  from verdicts_of_runs v
  where v.analysis_id = ${analysisId} and (${criteria === undefined} or v.criterion_id = any (${criteria ?? []}::text[]))
  order by v.ordinal`;

/** What a run read, with what is there now. */
export const selectInputs = (analysisId: string): Statement => sql`
  select p.id as work_product_id, p.name, i.version, v.sha256,
         case when p.deleted_at is null then p.version end as newest_version,
         case when p.deleted_at is null then n.sha256 end as newest_sha256
  from analysis_inputs i
  join work_products p on p.workspace_id = i.workspace_id and p.id = i.work_product_id
  join work_product_versions v on v.workspace_id = i.workspace_id and v.work_product_id = i.work_product_id
                              and v.version = i.version
  left join work_product_versions n
    on n.workspace_id = p.workspace_id and n.work_product_id = p.id and n.version = p.version
  where i.analysis_id = ${analysisId}`;

export const insertAnswer = (
  transaction: Transaction,
  answer: {
    readonly workspaceId: string;
    readonly standardId: string;
    readonly criterionId: string;
    readonly verdict: CriterionAnswerRow['verdict'];
    readonly rating: CriterionAnswerRow['rating'];
    readonly reason: string;
    readonly evidence: readonly FoundQuote[];
    readonly analysisId: string;
    readonly machineVerdict: Verdict;
    readonly basis: string;
    readonly documents: readonly Pick<QuotedDocumentRow, 'work_product_id' | 'version' | 'sha256'>[];
    readonly answeredBy: string;
  },
): Promise<number> =>
  transaction.run(sql`
    insert into criterion_answers (workspace_id, standard_id, criterion_id, verdict, rating, reason, evidence, analysis_id,
                                   machine_verdict, basis, documents, answered_by)
    values (${answer.workspaceId}, ${answer.standardId}, ${answer.criterionId}, ${answer.verdict}, ${answer.rating},
            ${answer.reason}, ${JSON.stringify(answer.evidence)}::jsonb, ${answer.analysisId}, ${answer.machineVerdict},
            ${answer.basis}, ${JSON.stringify(answer.documents)}::jsonb, ${answer.answeredBy})`);

/** Findings that are about verdicts; others, such as contradictions, stay whatever a person says of the criterion. */
const OF_VERDICTS = ['missing_work_product', 'missing_content', 'partial_content', 'clauses_for_a_person'];

interface SettledRow {
  readonly id: string;
  readonly was: string;
}

/**
 * Resolves the gaps of criteria that a person answered, and opens those again whose answer does not count any more. A gap
 * of several criteria is settled when all of them are.
 */
export async function settleGaps(
  transaction: Transaction,
  about: { readonly workspaceId: string; readonly series: string },
  answered: readonly Pick<CriterionAnswerRow, 'criterion_id' | 'verdict' | 'reason'>[],
): Promise<{ readonly resolved: readonly SettledRow[]; readonly opened: readonly SettledRow[] }> {
  const settled = sql`(
    select g.id, g.status as was, g.note, s.count = s.of as settled, s.verdicts, s.reasons
    from gaps g
    cross join lateral (
      select count(*) as of, count(a.criterion_id) as count, string_agg(distinct a.verdict, ', ') as verdicts,
             string_agg(distinct a.reason, ' ') as reasons
      from jsonb_array_elements(case when jsonb_typeof(g.finding -> 'affected') = 'array' then g.finding -> 'affected'
                                     else jsonb_build_array(jsonb_build_object('id', g.criterion_id)) end) as c (one)
      left join jsonb_to_recordset(${JSON.stringify(answered)}::jsonb) as a (criterion_id text, verdict text, reason text)
        on a.criterion_id = c.one ->> 'id'
    ) s
    where g.workspace_id = ${about.workspaceId} and g.series = ${about.series} and g.change <> 'absent'
      and g.kind = any (${OF_VERDICTS}::text[]))`;
  const resolved = await transaction.many<SettledRow>(sql`
    update gaps g
    set status = 'resolved', resolution = null, note = ${`${JUDGED_BY_A_PERSON} `}::text || f.verdicts || '.',
        reason = left(f.reasons, 2000)
    from ${settled} f
    where g.workspace_id = ${about.workspaceId} and g.id = f.id and f.settled and f.was in ('open', 'in_progress')
    returning g.id, f.was`);
  const opened = await transaction.many<SettledRow>(sql`
    update gaps g set status = 'open', reason = null, note = 'The verdict of a person that had settled it does not count any more.'
    from ${settled} f
    where g.workspace_id = ${about.workspaceId} and g.id = f.id and not f.settled and f.was = 'resolved'
      and starts_with(coalesce(f.note, ''), ${JUDGED_BY_A_PERSON})
    returning g.id, f.was`);
  return { resolved, opened };
}

export interface StandardReleaseRow {
  readonly id: string;
  readonly analysis_id: string;
  readonly content_hash: string;
  readonly comment: string;
  readonly released_by: string;
  readonly released_by_name: string;
  readonly released_at: string | Date;
}

/** Approvals of a standard, newest first. */
export const selectReleases = (standardId: string): Statement => sql`
  select r.id, r.analysis_id, r.content_hash, r.comment, r.released_by,
         coalesce(nullif(u.name, ''), u.email, i.name, '') as released_by_name, r.released_at
  from standard_releases r
  left join profiles u on u.id = r.released_by
  left join imported_people i on i.workspace_id = r.workspace_id and i.id = r.released_by
  where r.standard_id = ${standardId} order by r.number desc`;

export const insertRelease = (
  transaction: Transaction,
  release: {
    readonly workspaceId: string;
    readonly standardId: string;
    readonly analysisId: string;
    readonly contentHash: string;
    readonly counts: Readonly<Record<string, number>>;
    readonly comment: string;
    readonly releasedBy: string;
  },
): Promise<number> =>
  transaction.run(sql`
    insert into standard_releases (workspace_id, standard_id, analysis_id, content_hash, counts, comment, released_by)
    values (${release.workspaceId}, ${release.standardId}, ${release.analysisId}, ${release.contentHash},
            ${JSON.stringify(release.counts)}::jsonb, ${release.comment}, ${release.releasedBy})`);
