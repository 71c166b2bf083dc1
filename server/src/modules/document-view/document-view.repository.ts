import type { Location, Sentence } from '@normtrace/engine';
import type { z } from 'zod';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { type GapReader, LAST_SEEN, type StoredSearch, statusAt } from '../gaps/gaps.repository.js';
import type { Change, GapStatus, Severity } from '../gaps/gaps.schemas.js';
import { isReadable, readableFinding } from '../standards/words.repository.js';

export interface ReadVersionRow {
  readonly workspace_id: string;
  readonly work_product_id: string;
  readonly version: number;
  readonly sha256: string;
  readonly object_key: string;
  readonly parsed_key: string | null;
  readonly file_name: string;
  /** What the file was read as. */
  readonly format: string | null;
  readonly newest_marked_version: number | null;
  /** The type that a person chose. */
  readonly document_type: string | null;
}

/** A version of a document that is not deleted. */
export const selectReadVersion = (id: string, version: number): Statement => sql`
  select v.workspace_id, v.work_product_id, v.version, v.sha256, v.object_key, v.parsed_key, v.file_name, v.format,
         case when p.category_chosen then p.category end as document_type,
         (select max(i.version) from analysis_inputs i
          join analyses a on a.workspace_id = i.workspace_id and a.id = i.analysis_id and a.status = 'completed'
          where i.workspace_id = v.workspace_id and i.work_product_id = v.work_product_id) as newest_marked_version
  from work_product_versions v
  join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
  where v.work_product_id = ${id} and v.version = ${version} and p.deleted_at is null`;

/** A title with the key and values of its sentence, for other languages. */
interface Titled {
  readonly title: string;
  readonly said?: { readonly title?: Sentence } | null;
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly location: Location;
}

interface GapWords {
  readonly id: string;
  /** Type of the finding. */
  readonly kind: string;
  readonly clause: string;
  readonly criterion_id: string;
  readonly severity: z.output<typeof Severity>;
  readonly status: z.output<typeof GapStatus>;
  readonly change: z.output<typeof Change>;
  readonly words: Titled;
}

export interface GapMarkRow extends Place, GapWords {
  readonly role: 'support' | 'counter' | 'context';
}

export interface UnplacedGapRow extends GapWords {
  readonly search: StoredSearch | null;
}

export interface AnswerMarkRow extends Place {
  readonly analysis_type: 'gap_analysis' | 'completeness' | 'checklist';
  readonly criterion_id: string;
  readonly clause: string | null;
  readonly verdict: string;
  readonly role: 'support' | 'counter' | 'context';
  /** The built-in standard that its criterion is of. */
  readonly catalog_id: string | null;
}

export interface TraceMarkRow extends Place {
  readonly kind: 'artifact' | 'link';
  readonly id: string;
  readonly label: string;
  readonly type: string;
  readonly title: string | null;
}

type Marked = Pick<ReadVersionRow, 'workspace_id' | 'work_product_id' | 'version'>;

const gapColumns = ({ userId, now }: GapReader): Statement => {
  const finding = readableFinding(sql`g.finding`, sql`g.standard_id`, userId);
  return sql`
    g.id, g.kind, g.clause, g.criterion_id, g.effective_severity as severity, ${statusAt(now)} as status, g.change,
    (select jsonb_build_object('title', f.finding -> 'title', 'said',
              case when f.finding #> '{said,title}' is not null
                   then jsonb_build_object('title', f.finding #> '{said,title}') end)
     from (select ${finding} as finding) f) as words`;
};

/** The run that marks are of: the newest that found each gap, or one that is named. */
const runOf = (analysisId: string | undefined): Statement =>
  analysisId === undefined ? LAST_SEEN : sql`${analysisId}::uuid`;
/** Gaps that count: those that are there, or everything that a named run found. */
const counting = (analysisId: string | undefined): Statement =>
  analysisId === undefined ? sql`g.change <> 'absent'` : sql`true`;

/** Places of gaps as the newest run saw them that found each, or as a named one did; gaps that are gone have none. */
export const selectGapMarks = (of: Marked, reader: GapReader, analysisId?: string): Statement => sql`
  select e.start_offset as start, e.end_offset as "end", e.location, e.role, ${gapColumns(reader)}
  from evidence_of_runs e
  join gaps g on g.workspace_id = e.workspace_id and g.id = e.gap_id
  where e.workspace_id = ${of.workspace_id} and e.work_product_id = ${of.work_product_id}
    and e.version = ${of.version} and ${counting(analysisId)} and e.analysis_id = ${runOf(analysisId)}
  order by e.start_offset, e.end_offset, g.id, e.ordinal`;

/** Gaps about the version of which none of its words is evidence, the worst first. */
export const selectUnplacedGaps = (
  of: Marked,
  reader: GapReader,
  { limit, analysisId }: { readonly limit: number; readonly analysisId?: string | undefined },
): Statement => sql`
  select ${gapColumns(reader)},
         case when ${isReadable(sql`g.standard_id`, reader.userId)} then g.finding -> 'search' end as search
  from gaps g
  where g.workspace_id = ${of.workspace_id} and ${counting(analysisId)}
    and (g.work_product_id = ${of.work_product_id}
         or g.finding -> 'search' -> 'work_product_ids' ? ${of.work_product_id}::text)
    and exists (select from analysis_inputs i
                where i.workspace_id = g.workspace_id and i.analysis_id = ${runOf(analysisId)}
                  and i.work_product_id = ${of.work_product_id} and i.version = ${of.version})
    and not exists (select from evidence_of_runs e
                    where e.workspace_id = g.workspace_id and e.gap_id = g.id and e.analysis_id = ${runOf(analysisId)}
                      and e.work_product_id = ${of.work_product_id})
    and (${analysisId ?? null}::uuid is null
         or exists (select from gaps_of_runs o
                    where o.workspace_id = g.workspace_id and o.gap_id = g.id and o.analysis_id = ${analysisId ?? null}))
  order by array_position(array['critical', 'high', 'medium', 'low'], g.effective_severity), g.fingerprint
  limit ${limit}`;

/** Evidence of the answers of the newest run of each series that people look at, or of one that is named. */
export const selectAnswerMarks = (of: Marked, analysisId?: string): Statement => sql`
  with runs as (
    select distinct on (a.series) a.workspace_id, a.id, a.type, t.catalog_id
    from analyses a
    left join standards t on t.workspace_id = a.workspace_id and t.id = a.standard_id
    where a.workspace_id = ${of.workspace_id} and a.status = 'completed' and a.type <> 'traceability'
      and t.deleted_at is null and (${analysisId ?? null}::uuid is null or a.id = ${analysisId ?? null})
    order by a.series, a.finished_at desc, a.id desc
  )
  select e.start_offset as start, e.end_offset as "end", e.location, e.role, r.type as analysis_type, e.criterion_id,
         v.clause, coalesce(v.verdict, e.answer) as verdict, r.catalog_id
  from runs r
  join evidence_of_runs e on e.workspace_id = r.workspace_id and e.analysis_id = r.id
  left join verdicts_of_runs v on v.workspace_id = e.workspace_id and v.analysis_id = e.analysis_id
                               and v.criterion_id = e.criterion_id and e.gap_id is null
  where e.work_product_id = ${of.work_product_id} and e.version = ${of.version}
    and coalesce(v.verdict, e.answer) is not null
  order by e.start_offset, e.end_offset, r.id, e.ordinal`;

/** Where artifacts and links of the trace as it stands are stated. */
export const selectTraceMarks = (of: Marked): Statement => sql`
  select start_offset as start, end_offset as "end", location, 'artifact' as kind, id, artifact_id as label, type,
         coalesce(name, text) as title
  from versioned_artifacts
  where workspace_id = ${of.workspace_id} and work_product_id = ${of.work_product_id} and version = ${of.version}
    and start_offset is not null
  union all
  select start_offset, end_offset, location, 'link', id, source_id || ' → ' || target_id, link_type, null
  from versioned_links
  where workspace_id = ${of.workspace_id} and work_product_id = ${of.work_product_id} and version = ${of.version}
    and start_offset is not null and not rejected
  order by start, "end", kind, label`;
