import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Queue } from '../../platform/queue/queue.js';
import { LAST_SEEN } from '../gaps/gaps.repository.js';
import { withoutWords } from '../standards/words.repository.js';
import { requestExtraction } from '../traceability/extraction.repository.js';

/** Stands where words stood that came from a document which has gone. */
const REMOVED = 'Removed with a work product.';
/** Stands where the id of a work product stood that has gone. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

interface Place {
  readonly workspaceId: string;
  readonly id: string;
}

interface Known extends Place {
  /** Under which results may speak of it. */
  readonly names: readonly string[];
}

/**
 * Takes a work product out of the database with everything that was derived from it. Runs that read it stay, with
 * grades, counts and whatever other documents gave; what they say with words or places of this one goes. Gaps about it
 * alone go. Decisions of people about other gaps stay.
 */
export async function eraseWorkProduct(queue: Queue, transaction: Transaction, target: Place): Promise<void> {
  const { workspaceId, id } = target;
  const known = await transaction.many<{ name: string }>(sql`
    select name from work_products where workspace_id = ${workspaceId} and id = ${id} and length(name) > 3
    union
    select file_name from work_product_versions
    where workspace_id = ${workspaceId} and work_product_id = ${id} and length(file_name) > 3`);
  // The longest first: one may be a part of another.
  const names = known.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const place: Known = { ...target, names };
  await eraseFindings(transaction, place);
  await eraseAnswers(transaction, place);
  await eraseTraces(transaction, place);
  await eraseOpinions(transaction, place);
  // Of an import: what still waits and speaks of it.
  await transaction.run(sql`
    delete from imported_work where workspace_id = ${workspaceId} and kind <> 'runs' and content::text like ${`%${id}%`}`);
  await transaction.run(sql`delete from embeddings where workspace_id = ${workspaceId}`);
  await transaction.run(sql`delete from trace_views where workspace_id = ${workspaceId}`);
  const traced = await transaction.run(sql`
    update trace_extractions
    set documents = (select coalesce(jsonb_agg(d), '[]') from jsonb_array_elements(documents) as d
                     where d ->> 'work_product_id' <> ${id}),
        notes = '[]', said = null
    where workspace_id = ${workspaceId} and concat(documents, notes, said) like ${`%${id}%`}`);
  if (traced > 0) await requestExtraction(transaction, queue, workspaceId);
  // Versions, inputs, evidence, artifacts, links, uploads and gaps about it alone go with the row.
  await transaction.run(sql`delete from work_products where workspace_id = ${workspaceId} and id = ${id}`);
}

const runs = ({ workspaceId, id }: Place): Statement => sql`
  (select analysis_id from analysis_inputs where workspace_id = ${workspaceId} and work_product_id = ${id})`;

/** The row stands for a run that read it. */
const ofRuns = (row: Statement, place: Place): Statement => sql`
  exists (select from analyses a where a.workspace_id = ${row}.workspace_id and a.series = ${row}.series
          and a.number between ${row}.since and ${row}.until and a.id in ${runs(place)})`;

/** As they stand in the text of JSON. */
const escaped = (names: readonly string[]): readonly string[] =>
  names.map((name) => JSON.stringify(name).slice(1, -1));

const speaksOf = (text: Statement, { names }: Known): Statement => sql`
  exists (select from unnest(${names}::text[]) as known (name) where position(known.name in ${text}) > 0)`;

/** JSON without id and names; what stands in their place is nobody's. */
const anonymous = (json: Statement, { id, names }: Known): Statement =>
  sql`${escaped(names).reduce(
    (text, name) => sql`replace(${text}, ${name}, ${REMOVED})`,
    sql`replace(${json}::text, ${id}, ${NOBODY})`,
  )}::jsonb`;

/** A finding of which ids, grades and the reference stay. */
const scrubbed = (finding: Statement): Statement =>
  sql`(${withoutWords(finding, REMOVED)} || '{"affectedItems": []}'::jsonb) - 'defects' - 'affected'`;

async function eraseFindings(transaction: Transaction, place: Known): Promise<void> {
  const { workspaceId, id } = place;
  const inJson = { ...place, names: escaped(place.names) };
  const quotes = (gap: Statement): Statement => sql`
    exists (select from analysis_evidence e where e.workspace_id = ${workspaceId} and e.gap_id = ${gap}
            and e.work_product_id = ${id})`;
  // What an occurrence leaves to its gap would be lost, or stay, with it: it is written down first.
  await transaction.run(sql`
    update gap_occurrences o
    set finding = case when ${quotes(sql`o.gap_id`)} or ${speaksOf(sql`coalesce(o.finding, g.finding)::text`, inJson)}
                       then ${scrubbed(sql`coalesce(o.finding, g.finding)`)}
                       else ${anonymous(sql`coalesce(o.finding, g.finding)`, place)} end
    from gaps g
    where g.workspace_id = o.workspace_id and g.id = o.gap_id and o.workspace_id = ${workspaceId}
      and o.change <> 'absent' and ${ofRuns(sql`o`, place)}`);
  await transaction.run(sql`
    update gaps g set finding = ${scrubbed(sql`g.finding`)}, said = null, title = ${REMOVED}, note = null
    where g.workspace_id = ${workspaceId} and ${LAST_SEEN} in ${runs(place)}
      and (${quotes(sql`g.id`)} or ${speaksOf(sql`g.finding::text`, inJson)})`);
  await transaction.run(sql`
    update gaps g set finding = ${anonymous(sql`g.finding`, place)}, said = null
    where g.workspace_id = ${workspaceId} and g.finding::text like ${`%${id}%`}`);
  await transaction.run(sql`
    update gap_documents set work_product_ids = array_remove(work_product_ids, ${id}::uuid)
    where workspace_id = ${workspaceId} and ${id}::uuid = any (work_product_ids)`);
}

async function eraseAnswers(transaction: Transaction, place: Known): Promise<void> {
  const { workspaceId, id } = place;
  const inJson = { ...place, names: escaped(place.names) };
  const quoted = (row: Statement, criterion: Statement): Statement => sql`
    exists (select from analysis_evidence e where e.workspace_id = ${workspaceId} and e.series = ${row}.series
            and e.since <= ${row}.until and e.until >= ${row}.since
            and e.criterion_id = ${criterion} and e.work_product_id = ${id})`;
  const speaks = sql`(${quoted(sql`v`, sql`v.criterion_id`)} or ${speaksOf(sql`v.reason`, place)}
    or ${speaksOf(sql`coalesce(v.said::text, '')`, inJson)})`;
  await transaction.run(sql`
    update analysis_verdicts v
    set reason = case when ${speaks} then ${REMOVED} else v.reason end,
        said = case when ${speaks} then null else v.said end,
        search = ${anonymous(sql`v.search`, place)}, hash = null
    where v.workspace_id = ${workspaceId} and ${ofRuns(sql`v`, place)}`);
  await transaction.run(sql`
    update checklist_results c
    set looked_at = array_remove(c.looked_at, ${id}::uuid), hash = null,
        result = case when ${quoted(sql`c`, sql`c.item_id`)} or ${speaksOf(sql`c.result::text`, inJson)}
                      then (${anonymous(sql`c.result`, place)} - 'said') || ${JSON.stringify({ reason: REMOVED, affectedItems: [] })}::jsonb
                      else ${anonymous(sql`c.result`, place)} end
    where c.workspace_id = ${workspaceId} and ${ofRuns(sql`c`, place)}`);
  const others = (list: Statement): Statement => sql`
    (select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(${list}) as one
     where one ->> 'work_product_id' <> ${id})`;
  await transaction.run(sql`
    update checklist_answers a set evidence = ${others(sql`a.evidence`)}, documents = ${others(sql`a.documents`)}
    where a.workspace_id = ${workspaceId} and (a.evidence::text || a.documents::text) like ${`%${id}%`}`);
  await transaction.run(sql`
    update criterion_answers a set evidence = ${others(sql`a.evidence`)}, documents = ${others(sql`a.documents`)}
    where a.workspace_id = ${workspaceId} and (a.evidence::text || a.documents::text) like ${`%${id}%`}`);
}

/** What language models were asked and answered with words of it. */
async function eraseOpinions(transaction: Transaction, { workspaceId, id }: Known): Promise<void> {
  await transaction.run(
    sql`delete from model_answers where workspace_id = ${workspaceId} and documents @> array[${id}::uuid]`,
  );
  const others = (list: Statement): Statement => sql`
    (select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(${list}) as one
     where one ->> 'work_product_id' <> ${id})`;
  await transaction.run(sql`
    update model_calls c set documents = ${others(sql`c.documents`)}
    where c.workspace_id = ${workspaceId} and c.documents::text like ${`%${id}%`}`);
  await transaction.run(sql`
    delete from analysis_opinions
    where workspace_id = ${workspaceId} and criterion_id like ${`chapter ${id} %`}`);
  await transaction.run(sql`
    update opinion_decisions set documents = '[]'
    where workspace_id = ${workspaceId} and criterion_id like ${`chapter ${id} %`}`);
  // The model's words may speak of any document that it was shown.
  await transaction.run(sql`
    update analysis_opinions o set parts = '[]', missing = ''
    where o.workspace_id = ${workspaceId}
      and o.analysis_id in (select analysis_id from analysis_inputs
                            where workspace_id = ${workspaceId} and work_product_id = ${id})`);
  await transaction.run(sql`
    update opinion_decisions d set documents = ${others(sql`d.documents`)}
    where d.workspace_id = ${workspaceId} and d.documents::text like ${`%${id}%`}`);
}

/** What runs keep beside their results, and what those who watched were told. */
async function eraseTraces(transaction: Transaction, place: Known): Promise<void> {
  const { workspaceId, id } = place;
  await transaction.run(sql`
    delete from analysis_checkpoints where workspace_id = ${workspaceId} and analysis_id in ${runs(place)}`);
  await transaction.run(sql`
    delete from workspace_events
    where workspace_id = ${workspaceId}
      and (data ->> 'work_product_id' = ${id}
           or type in ('progress', 'finding') and analysis_id in ${runs(place)})`);
  const without = (said: Statement): Statement =>
    sql`case when ${said} ->> 'work_product_id' = ${id} then null else ${said} end`;
  await transaction.run(sql`
    update trace_link_reviews
    set source_then = ${without(sql`source_then`)}, target_then = ${without(sql`target_then`)}
    where workspace_id = ${workspaceId}
      and (source_then ->> 'work_product_id' = ${id} or target_then ->> 'work_product_id' = ${id})`);
  await transaction.run(sql`
    update analyses a
    set message = '', options = ${anonymous(sql`a.options`, place)},
        summary = ${anonymous(
          // What is told of the document itself: its type, and by which of its words.
          sql`case when jsonb_typeof(a.summary #> '{method,documents}') = 'array'
                   then jsonb_set(a.summary, '{method,documents}', (
                     select coalesce(jsonb_agg(d), '[]') from jsonb_array_elements(a.summary #> '{method,documents}') as d
                     where d ->> 'id' <> ${id}))
                   else a.summary end`,
          place,
        )}
    where a.workspace_id = ${workspaceId} and a.id in ${runs(place)}`);
}
