import type { WantedFindings } from '@normtrace/engine';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { decisionOf } from '../gap-analysis/opinions.repository.js';
import { evidenceOfGap } from '../gaps/gap-evidence.repository.js';
import { type AnalysisRow, selectAnalysis } from '../runs/analyses.repository.js';
import { isReadable, readableFinding, readableSaid, readableText } from '../standards/words.repository.js';
import { selectTrace, type TraceRow } from '../traceability/trace.repository.js';
import { TraceOptions } from '../traceability/trace-views.schemas.js';
import { toEngineOptions } from '../traceability/trace-views.service.js';
import type { PartRows } from './report-rows.js';
import type { ReportOptions } from './reports.schemas.js';

/** Gaps that travel together: about a megabyte. */
const GAPS_AT_ONCE = 500;

type Read = <Row>(statement: Statement) => Promise<Row[]>;

/** Everything that a report about an analysis needs, as a user may read it. Undefined when there is no such analysis. */
export async function readPart(
  read: Read,
  analysisId: string,
  userId: string,
): Promise<PartRows | undefined> {
  const [analysis] = await read<AnalysisRow>(selectAnalysis(analysisId));
  if (!analysis) return undefined;
  const standard =
    analysis.standard_id === null ? undefined : await readStandard(read, analysis.standard_id, userId);
  const text = async (statement: Statement): Promise<string> =>
    (await read<{ text: string }>(statement))[0]?.text ?? '[]';
  const gaps: string[] = [];
  for (let after = -1; ; ) {
    const [page] = await read<{ text: string; last: number | null }>(
      selectGapPage(analysisId, userId, after),
    );
    if (!page || page.last === null) break;
    gaps.push(page.text);
    after = page.last;
  }
  return {
    analysis,
    gaps,
    ...(standard ? { standard } : {}),
    ...(analysis.type === 'gap_analysis'
      ? { verdicts: await text(selectVerdictsJson(analysisId, userId)) }
      : {}),
    ...(analysis.mode === 'ai' ? { opinions: await text(selectOpinionsJson(analysisId, userId)) } : {}),
    ...(analysis.type === 'completeness' ? { documents: await text(selectDocumentsJson(analysisId)) } : {}),
    ...(analysis.type === 'checklist' ? { items: await text(selectItemsJson(analysis)) } : {}),
    ...(analysis.type === 'traceability' ? await readTrace(read, analysis) : {}),
  };
}

export interface SinceRow {
  /** When the run ended. */
  readonly at: string | Date;
  /** Of the named analyses, those that are compared with it. */
  readonly comparable: readonly string[];
}

/** An earlier run of the workspace that has a result, and which of the analyses are of its kind and subject. */
export const selectSince = (place: {
  readonly workspaceId: string;
  readonly since: string;
  readonly analysisIds: readonly string[];
}): Statement => sql`
  select s.finished_at as at,
         array(select a.id from analyses a where a.workspace_id = s.workspace_id and a.series = s.series and a.id <> s.id
                 and a.id = any (${place.analysisIds}::uuid[])) as comparable
  from analyses s where s.workspace_id = ${place.workspaceId} and s.id = ${place.since} and s.status = 'completed'`;

const selectFingerprints = (analysisId: string): Statement => sql`
  select coalesce(json_agg(g.fingerprint), '[]')::text as text
  from gaps_of_runs o join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id
  where o.analysis_id = ${analysisId} and o.change <> 'absent'`;

/** Which findings the options want. Undefined: the run since which they are wanted is gone. */
export async function readWanted(
  read: Read,
  { since, severities, statuses }: Pick<ReportOptions, 'since' | 'severities' | 'statuses'>,
  about: { readonly workspaceId: string; readonly analysisIds: readonly string[] },
): Promise<WantedFindings | undefined> {
  const wanted = { ...(severities ? { severities } : {}), ...(statuses ? { statuses } : {}) };
  if (since === undefined) return wanted;
  const [run] = await read<SinceRow>(selectSince({ ...about, since }));
  if (!run) return undefined;
  const [found] = await read<{ text: string }>(selectFingerprints(since));
  const fingerprints = JSON.parse(found?.text ?? '[]') as string[];
  return {
    ...wanted,
    since: {
      at: new Date(run.at).toISOString(),
      known: Object.fromEntries(run.comparable.map((id) => [id, fingerprints])),
    },
  };
}

async function readTrace(
  read: Read,
  { workspace_id, options }: AnalysisRow,
): Promise<Pick<PartRows, 'trace'>> {
  const [row] = await read<TraceRow>(selectTrace(workspace_id, { texts: true }));
  if (!row) return {};
  const { extraction: _, ...columns } = row;
  return { trace: { columns, options: toEngineOptions(TraceOptions.parse(options)) } };
}

interface StandardRow {
  readonly id: string;
  readonly catalog_id: string | null;
  readonly name: string;
  readonly version: string;
  readonly criteria: string | null;
}

async function readStandard(read: Read, id: string, userId: string): Promise<PartRows['standard']> {
  const [row] = await read<StandardRow>(sql`
    select s.id, s.catalog_id, s.name, s.version,
           case when s.catalog_id is null and ${isReadable(sql`s.id`, userId)} then
             (select json_agg(c.criterion order by c.ordinal)::text from standard_criteria c
              where c.workspace_id = s.workspace_id and c.standard_id = s.id) end as criteria
    from standards s where s.id = ${id}`);
  if (!row) return undefined;
  const { catalog_id: catalogId, criteria, ...rest } = row;
  return { ...rest, catalogId, ...(criteria === null ? {} : { criteria }) };
}

/** Whose words a part repeats: an uploaded standard whose text the author could read. */
export const uploadedStandards = (parts: readonly PartRows[]): string[] => [
  ...new Set(parts.flatMap(({ standard }) => (standard && standard.catalogId === null ? [standard.id] : []))),
];

/** `from`: the evidence `e`; `note`, `said`: as the reader may read them. */
const evidenceJson = (
  from: Statement,
  { note, said }: { readonly note: Statement; readonly said: Statement } = {
    note: sql`e.note`,
    said: sql`e.said`,
  },
): Statement => sql`
  (select coalesce(json_agg(json_build_object('work_product_id', e.work_product_id, 'version', e.version,
            'location', e.location, 'quote', e.quote, 'role', e.role, 'note', ${note}, 'said', ${said})
                           order by e.ordinal), '[]')
   from ${from})`;

/** The note of the evidence `e`. */
const readableNote = (standardId: Statement, userId: string) => ({
  note: readableText(sql`e.note`, standardId, userId),
  said: readableSaid(sql`e.said`, standardId, userId),
});

/** A person as others know them. */
const nameOf = (id: Statement): Statement => sql`
  (select coalesce(nullif(p.name, ''), p.email) from profiles p where p.id = ${id})`;

const selectGapPage = (analysisId: string, userId: string, after: number): Statement => sql`
  with page as (
    select o.ordinal, o.change, o.workspace_id, o.gap_id, o.finding as own, o.analysis_id
    from gaps_of_runs o
    where o.analysis_id = ${analysisId} and o.change <> 'absent' and o.ordinal > ${after}
    order by o.ordinal limit ${GAPS_AT_ONCE}
  )
  select max(o.ordinal) as last,
         json_agg(json_build_object('id', g.id,
           'finding', ${readableFinding(sql`coalesce(o.own, g.finding)`, sql`g.standard_id`, userId)},
           'clause', g.clause, 'change', o.change, 'status', g.status,
           'assignee', ${nameOf(sql`g.assignee`)},
           'reason', g.reason, 'accepted_until', g.accepted_until, 'note', g.note, 'resolution', g.resolution,
           'due_date', g.due_date, 'severity_override', g.severity_override, 'severity_reason', g.severity_reason,
           'waiver_owner', ${nameOf(sql`g.waiver_owner`)},
           'work_product_id', g.work_product_id,
           'evidence', ${evidenceJson(evidenceOfGap(sql`o.analysis_id`), readableNote(sql`g.standard_id`, userId))}
         ) order by o.ordinal)::text as text
  from page o join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id`;

const selectVerdictsJson = (analysisId: string, userId: string): Statement => sql`
  select json_agg(json_build_object('criterion_id', v.criterion_id, 'clause', v.clause, 'verdict', v.verdict,
           'confidence', v.confidence, 'reason', ${readableText(sql`v.reason`, sql`a.standard_id`, userId)},
           'said', ${readableSaid(sql`v.said`, sql`a.standard_id`, userId)},
           'evidence', ${evidenceJson(
             sql`evidence_of_runs e
                 where e.workspace_id = v.workspace_id and e.analysis_id = v.analysis_id
                   and e.criterion_id = v.criterion_id and e.gap_id is null`,
             readableNote(sql`a.standard_id`, userId),
           )}) order by v.ordinal)::text as text
  from verdicts_of_runs v
  join analyses a on a.workspace_id = v.workspace_id and a.id = v.analysis_id
  where v.analysis_id = ${analysisId}`;

/** Words of people about an opinion may repeat the demand: who may not read the standard does not read them. */
const selectOpinionsJson = (analysisId: string, userId: string): Statement => sql`
  select json_agg(json_build_object('criterion_id', o.criterion_id, 'clause', o.clause, 'by_rules', o.by_rules,
           'by_model', o.by_model, 'parts', case when a.standard_id is null then o.parts else '[]' end,
           'outcome', o.outcome, 'because', o.because, 'confirm', o.confirm, 'decision', (
             select jsonb_build_object('decision', d.decision, 'decided_at', d.created_at, 'by', ${nameOf(sql`d.decided_by`)},
                      'reason', ${readableText(sql`d.reason`, sql`a.standard_id`, userId)})
             ${decisionOf({ opinion: sql`o`, analysis: sql`a` })})) order by o.ordinal)::text as text
  from analysis_opinions o
  join analyses a on a.workspace_id = o.workspace_id and a.id = o.analysis_id
  where o.analysis_id = ${analysisId}`;

const selectDocumentsJson = (analysisId: string): Statement => sql`
  select json_agg(result order by ordinal)::text as text from completeness_of_runs where analysis_id = ${analysisId}`;

/** Items with the newest answer of a person; one that was given on another basis does not count any more. */
function selectItemsJson({ id, options }: AnalysisRow): Statement {
  const { checklist } = options as { readonly checklist?: { readonly id: string } };
  return sql`
    select json_agg(json_build_object('item', c.item, 'result', c.result,
             'evidence', ${evidenceJson(
               sql`evidence_of_runs e
                   where e.workspace_id = c.workspace_id and e.analysis_id = c.analysis_id
                     and e.criterion_id = c.item_id`,
             )},
             'answer', (
               select json_build_object('verdict', a.verdict, 'at', a.answered_at, 'reason', a.reason,
                        'by', coalesce((select coalesce(nullif(p.name, ''), p.email) from profiles p
                                        where p.id = a.answered_by), a.answered_by::text))
               from (select * from checklist_answers
                     where workspace_id = c.workspace_id and checklist_id = ${checklist?.id ?? ''}
                       and item_id = c.item_id order by number desc limit 1) a
               where a.basis = c.basis and a.verdict is not null)) order by c.ordinal)::text as text
    from checklist_results_of_runs c where c.analysis_id = ${id}`;
}

/** The newest completed analysis of a type in a workspace. */
export const selectNewest = (filters: {
  readonly workspaceId: string;
  readonly type: string;
  readonly standardId: string | undefined;
}): Statement => sql`
  select id from analyses
  where workspace_id = ${filters.workspaceId} and type = ${filters.type} and status = 'completed'
    and (${filters.standardId ?? null}::uuid is null or standard_id = ${filters.standardId ?? null})
  order by finished_at desc, id desc limit 1`;
