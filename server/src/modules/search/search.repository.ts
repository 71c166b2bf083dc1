import type { Location, Sentence } from '@normtrace/engine';
import type { z } from 'zod';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing } from '../../platform/http/pagination.js';
import { statusAt } from '../gaps/gaps.repository.js';
import type { GapStatus, Severity } from '../gaps/gaps.schemas.js';
import { isReadable } from '../standards/words.repository.js';

/** Of one type; more are neither counted nor sorted. */
export const MOST = 1000;

export interface Asked {
  readonly workspace_id: string;
  readonly q: string;
  readonly limit: number;
}

interface Counted {
  readonly id: string;
  readonly label: string;
  readonly total: number;
}
interface Placed {
  readonly work_product_id: string | null;
  readonly version: number | null;
  readonly location: Location | null;
  readonly start: number | null;
  readonly end: number | null;
}

const candidates = (target: string, { workspace_id, q }: Asked): Statement =>
  sql`select w.id from app.find_words(${target}, ${workspace_id}, ${q}, ${MOST}) as w (id)`;

/** Rows of a table by ids, each looked up by its key: the planner, left alone, reads all of a workspace that grew just now. */
const rowsOf = (table: Statement, { workspace_id }: Asked, ids: Statement): Statement => sql`
  (${ids}) as found (id)
  cross join lateral (select * from ${table} t where t.workspace_id = ${workspace_id} and t.id = found.id limit 1)`;

/** The id as it was typed first, then those that begin so, the shortest first. */
const idsFirst = (id: Statement, q: string): Statement =>
  sql`lower(${id}) <> lower(${q}), not starts_with(lower(${id}), lower(${q})), length(${id}), ${id}`;

export interface ArtifactFound extends Counted, Placed {
  readonly text: string;
}
export const findArtifacts = (asked: Asked): Statement => sql`
  select a.id, a.artifact_id as label, coalesce(nullif(a.name, ''), a.text) as text, a.work_product_id, a.version,
         a.location, a.start_offset as start, a.end_offset as end, least(count(*) over (), ${MOST})::integer as total
  from ${rowsOf(
    sql`versioned_artifacts`,
    asked,
    [asked.q, asked.q.toUpperCase(), asked.q.toLowerCase()].reduce(
      (all, id) => sql`
        ${all} union select id from artifacts where workspace_id = ${asked.workspace_id} and artifact_id = ${id}`,
      candidates('artifacts', asked),
    ),
  )} a
  order by ${idsFirst(sql`a.artifact_id`, asked.q)}, a.id limit ${asked.limit}`;

export interface GapFound extends Counted {
  readonly words: { readonly title: string; readonly said?: { readonly title?: Sentence } | null };
  readonly standard_id: string | null;
  readonly work_product_id: string | null;
  readonly severity: z.output<typeof Severity>;
  readonly status: z.output<typeof GapStatus>;
}
/** Gaps whose words the reader may read. */
export const findGaps = (
  asked: Asked,
  reader: { readonly userId: string; readonly now: Date },
): Statement => sql`
  select g.id, coalesce(nullif(g.clause, ''), g.criterion_id) as label,
         jsonb_build_object('title', g.finding -> 'title', 'said',
           case when g.finding #> '{said,title}' is not null
                then jsonb_build_object('title', g.finding #> '{said,title}') end) as words,
         g.standard_id, g.work_product_id, g.effective_severity as severity, ${statusAt(reader.now)} as status,
         (count(*) over ())::integer as total
  from ${rowsOf(sql`gaps`, asked, candidates('gaps', asked))} g
  where ${isReadable(sql`g.standard_id`, reader.userId)}
  order by lower(g.clause) <> lower(${asked.q}), lower(g.criterion_id) <> lower(${asked.q}),
           ${statusAt(reader.now)} not in ('open', 'in_progress'),
           array_position(array['critical', 'high', 'medium', 'low'], g.effective_severity), g.id
  limit ${asked.limit}`;

export interface PassageFound extends Counted, Placed {
  readonly work_product_id: string;
  readonly version: number;
  readonly location: Location;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
export const findPassages = (asked: Asked): Statement => sql`
  select s.id, p.name as label, s.work_product_id, s.version, s.location, s.start_offset as start, s.end_offset as end,
         s.text, (count(*) over ())::integer as total
  from ${rowsOf(sql`passages`, asked, candidates('passages', asked))} s
  join work_products p on p.workspace_id = s.workspace_id and p.id = s.work_product_id and p.deleted_at is null
  order by position(lower(${asked.q}) in lower(s.text)) = 0, lower(p.name), p.id, s.start_offset
  limit ${asked.limit}`;

/** Documents that were read and have no passages; those without any text are among them. */
export const countUnsearched = (workspaceId: string): Statement => sql`
  select count(*)::integer as count
  from work_products p
  join work_product_versions v on v.workspace_id = p.workspace_id and v.work_product_id = p.id and v.version = p.version
  where p.workspace_id = ${workspaceId} and p.deleted_at is null and v.parsed_key is not null and v.block_count > 0
    and not exists (select from passages s where s.workspace_id = p.workspace_id and s.work_product_id = p.id)`;

/** A condition for every word of `q`: names are few, they are looked through. */
const hasWords = (name: Statement, q: string): Statement =>
  q.split(/\s+/).reduce((all, word) => sql`${all} and ${name} ilike ${containing(word)}`, sql`true`);

const named = (
  table: Statement,
  { workspace_id, q, limit }: Asked,
  columns: { readonly name: Statement; readonly words: Statement; readonly and: Statement },
): Statement => sql`
  select n.id, ${columns.name} as label, (count(*) over ())::integer as total
  from ${table} n
  where n.workspace_id = ${workspace_id} and ${columns.and} and ${hasWords(columns.words, q)}
  order by not starts_with(lower(${columns.name}), lower(${q})), lower(${columns.name}), n.id limit ${limit}`;

export type NameFound = Counted;
export const findWorkProducts = (asked: Asked): Statement =>
  named(sql`work_products`, asked, {
    name: sql`n.name`,
    words: sql`concat_ws(' ', n.name, n.original_filename)`,
    and: sql`n.deleted_at is null`,
  });
export const findStandards = (asked: Asked): Statement =>
  named(sql`standards`, asked, {
    name: sql`n.name`,
    words: sql`concat_ws(' ', n.name, n.version)`,
    and: sql`n.deleted_at is null`,
  });
export const findReports = (asked: Asked): Statement =>
  named(sql`reports`, asked, { name: sql`n.title`, words: sql`n.title`, and: sql`true` });
