import type { Statement, Transaction } from '../../platform/database/database.js';
import { joined, sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { IN_ORDER } from '../runs/input-order.js';
import type {
  AskedPlaces,
  NamedArtifacts,
  NamedIds,
  StoredLinkPlace,
  StoredPlaces,
} from './extract-edited-task.js';
import type { KnownDocuments, SaidInTrace, StoredNote, StoredRows } from './extract-trace-task.js';
import { extractTraceJob } from './extraction.jobs.js';
import { TOGETHER_SECONDS, wantViews } from './made-views.jobs.js';
import { columnOf, valuesOf } from './trace-columns.js';

export interface ExtractionRow {
  readonly workspace_id: string;
  readonly status: 'queued' | 'running' | 'completed' | 'failed';
  readonly requested: string;
  readonly taken: string;
  readonly attempt: number;
  readonly revision: string;
  readonly extracted_at: string | Date | null;
  readonly documents: readonly TracedDocument[];
  readonly engine_version: string;
  readonly artifacts: number;
  readonly links: number;
  readonly notes: readonly StoredNote[];
  readonly note_counts: Readonly<Record<string, number>>;
  readonly error: string | null;
}

/** A version that the trace was taken from. */
export interface TracedDocument {
  readonly work_product_id: string;
  readonly version: number;
  readonly document_type: string | null;
}

/** Of a visible workspace; `status` is null where nothing was ever extracted or added. */
export const selectExtraction = (workspaceId: string): Statement => sql`
  select e.workspace_id, e.status, e.requested, e.taken, e.attempt, e.revision, e.extracted_at, e.documents,
         e.engine_version, e.artifacts, e.links, e.notes, e.note_counts, e.error
  from workspaces w left join trace_extractions e on e.workspace_id = w.id where w.id = ${workspaceId}`;

/**
 * Has the trace of a workspace taken out of its documents again, after they changed. Changes that come while a run
 * waits are taken by that run; those that come while it works, by one more.
 */
export async function requestExtraction(
  transaction: Transaction,
  queue: Dependencies['queue'],
  workspaceId: string,
): Promise<void> {
  const { first } = await transaction.one<{ first: boolean }>(sql`
    insert into trace_extractions as t (workspace_id) values (${workspaceId})
    on conflict (workspace_id) do update
      set requested = t.requested + 1,
          waits_since = case when t.status in ('completed', 'failed') then now() else t.waits_since end,
          status = case when t.status in ('completed', 'failed') then 'queued' else t.status end
    returning t.status = 'queued' and t.requested = t.taken + 1 as first`);
  if (first) await queue.enqueue(transaction, extractTraceJob, { workspaceId });
}

/** Notes that artifacts or links were changed, by others than an extraction: answers computed before are old. */
export const raiseRevision = (transaction: Transaction, workspaceId: string): Promise<number> =>
  transaction.run(sql`
    insert into trace_extractions as t (workspace_id, requested, status, revision)
    values (${workspaceId}, 0, 'completed', 1)
    on conflict (workspace_id) do update set revision = t.revision + 1`);

/** `raiseRevision` for changes of people, who go on looking at the trace. */
export async function noteChange(
  { transaction, dependencies }: Changing,
  workspaceId: string,
): Promise<void> {
  await raiseRevision(transaction, workspaceId);
  await wantViews(transaction, dependencies.queue, workspaceId, { afterSeconds: TOGETHER_SECONDS });
}

/** What a change of people needs. */
export interface Changing {
  readonly transaction: Transaction;
  readonly dependencies: Pick<Dependencies, 'queue'>;
}

/** Longest time in seconds for which a run waits for other documents of the workspace that are being read. */
const GATHERED_SECONDS = 60;
const LOOK_SECONDS = 1;

/** Of the extraction `e`: documents of its workspace are being read. */
const IS_READING = sql`exists (
  select from work_product_versions v
  join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id
  where v.workspace_id = e.workspace_id and v.processing_status in ('queued', 'running') and p.deleted_at is null)`;

/** Whether a run may begin that waited for documents: in a transaction after the one that ended a document. */
export const mayBegin = async (transaction: Transaction, workspaceId: string): Promise<boolean> =>
  (await transaction.maybeOne(sql`
    select from trace_extractions e
    where e.workspace_id = ${workspaceId} and e.status = 'queued' and not ${IS_READING}`)) !== undefined;

/**
 * Puts a run off while other documents of the workspace are being read: many that arrive together are taken by one run.
 * Returns whether it did.
 */
export async function putOff(
  transaction: Transaction,
  queue: Dependencies['queue'],
  workspaceId: string,
): Promise<boolean> {
  const waits = await transaction.maybeOne(sql`
    select from trace_extractions e
    where e.workspace_id = ${workspaceId} and e.status = 'queued'
      and e.waits_since > now() - make_interval(secs => ${GATHERED_SECONDS})
      and ${IS_READING}`);
  if (!waits) return false;
  await queue.enqueue(transaction, extractTraceJob, { workspaceId }, { afterSeconds: LOOK_SECONDS });
  return true;
}

/** What the stored trace was made of: what the rows of each document say, and its reading. */
export interface SaidAndRead extends SaidInTrace {
  /** `parsed_key` by document. Absent where the trace was stored before they were noted. */
  readonly readings?: Readonly<Record<string, string>>;
}

/** Null where people changed the trace since, or nobody noted it. */
export async function readSaid(transaction: Transaction, workspaceId: string): Promise<SaidAndRead | null> {
  const { said } = await transaction.one<{ said: SaidAndRead | null }>(sql`
    select case when (said ->> 'revision')::bigint = revision then said - 'revision' end as said
    from trace_extractions where workspace_id = ${workspaceId}`);
  return said;
}

/** Artifacts that other documents than this one state under these ids. */
export async function readNamed(
  transaction: Transaction,
  { workspaceId, documentId }: { readonly workspaceId: string; readonly documentId: string },
  ids: NamedIds,
): Promise<NamedArtifacts> {
  // Each row by its key: right after an extraction the planner knows nothing of the table yet.
  const { named } = await transaction.one<{ named: NamedArtifacts }>(sql`
    select coalesce(json_agg(json_build_array(a.artifact_id, a.type) order by a.ordinal), '[]') as named
    from (select distinct id from unnest(${ids}::text[]) as asked (id)) i
    cross join lateral (
      select artifact_id, coalesce(told_type, type) as type, ordinal from artifacts
      where workspace_id = ${workspaceId} and artifact_id = i.id and origin = 'document' and work_product_id <> ${documentId}
      offset 0
    ) a`);
  return named;
}

/** As columns: some ten thousand rows of a document. */
export async function readPlaces(
  transaction: Transaction,
  workspaceId: string,
  { artifacts, links }: AskedPlaces,
): Promise<StoredPlaces> {
  // Each row by its key: right after an extraction the planner knows nothing of the tables yet.
  const of = (table: Statement, ids: readonly string[], columns: readonly Statement[]): Statement => sql`
    (select ${joined([sql`id::text`, sql`ordinal::text`, sql`work_product_id::text`, sql`encode(said, 'hex')`, ...columns].map(columnOf))}
     from unnest(${ids}::uuid[]) as asked (row)
     cross join lateral (
       select * from ${table} where workspace_id = ${workspaceId} and id = asked.row and origin = 'document' offset 0
     ) found)`;
  const ends = [sql`source_ordinal::text`, sql`target_ordinal::text`, sql`stated_at`, sql`assumed`];
  const row = await transaction.one<Record<`${'a' | 'l'}${number}`, string | null>>(sql`
    select a.*, l.* from ${of(sql`artifacts`, artifacts, [])} a (a0, a1, a2, a3),
           ${of(sql`trace_links`, links, ends)} l (l0, l1, l2, l3, l4, l5, l6, l7)`);
  const number = (value: string | undefined): number | null => (value ? Number(value) : null);
  const [ids, ordinals, documents, said] = [row.a0, row.a1, row.a2, row.a3].map(valuesIn);
  const places = new Map(
    ids!.map((id, at) => [
      id,
      { ordinal: Number(ordinals![at]), work_product_id: documents![at]!, said: said![at]! },
    ]),
  );
  const [linkIds, linkOrdinals, linkDocuments, linkSaid, sources, targets, statedAt, assumed] = [
    ...[row.l0, row.l1, row.l2, row.l3, row.l4, row.l5, row.l6, row.l7],
  ].map(valuesIn);
  const linkPlaces = new Map(
    linkIds!.map((id, at) => [
      id,
      {
        ordinal: Number(linkOrdinals![at]),
        work_product_id: linkDocuments![at]!,
        said: linkSaid![at]!,
        source: number(sources![at]),
        target: number(targets![at]),
        stated_at: statedAt![at] as StoredLinkPlace['stated_at'],
        assumed: (assumed![at] || null) as StoredLinkPlace['assumed'],
      },
    ]),
  );
  return {
    artifacts: artifacts.map((id) => places.get(id) ?? null),
    links: links.map((id) => linkPlaces.get(id) ?? null),
  };
}

const valuesIn = (column: string | null | undefined): string[] => valuesOf(column ?? null);

/** What is stored of the documents, but of the known ones: id and hash of each row, of 16 bytes each. */
export async function readStored(
  transaction: Transaction,
  workspaceId: string,
  known: KnownDocuments,
): Promise<StoredRows> {
  const rowsOf = (table: Statement, ids: readonly string[]): Statement => sql`
    (select string_agg(uuid_send(id) || coalesce(said, decode(repeat('00', 16), 'hex')), ''::bytea)
     from ${table}
     where workspace_id = ${workspaceId} and origin = 'document' and work_product_id <> all (${ids}::uuid[]))`;
  return transaction.one(sql`
    select ${rowsOf(sql`artifacts`, known.artifacts)} as artifacts, ${rowsOf(sql`trace_links`, known.links)} as links`);
}

/** An attempt at a run; another one makes its writes void. */
export interface Extracting {
  readonly workspaceId: string;
  readonly attempt: number;
}

export async function takeExtraction(
  transaction: Transaction,
  workspaceId: string,
): Promise<Extracting | undefined> {
  const row = await transaction.maybeOne<{ attempt: number }>(sql`
    update trace_extractions set status = 'running', attempt = attempt + 1, taken = requested
    where workspace_id = ${workspaceId} and status in ('queued', 'running') returning attempt`);
  return row && { workspaceId, attempt: row.attempt };
}

export interface TracedFile {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
  readonly category: string | null;
  readonly parsed_key: string;
}

/** The newest version of every document that has been read, in the order of all engines. */
export const selectTracedFiles = (workspaceId: string): Statement => sql`
  select p.id, v.file_name as name, v.version, v.sha256, p.category, v.parsed_key
  from work_products p
  cross join lateral (
    select v.file_name, v.version, v.sha256, v.parsed_key from work_product_versions v
    where v.workspace_id = p.workspace_id and v.work_product_id = p.id and v.parsed_key is not null
    order by v.version desc limit 1
  ) v
  where p.workspace_id = ${workspaceId} and p.deleted_at is null
  order by ${IN_ORDER}`;

export interface ExtractionEvent {
  readonly status: ExtractionRow['status'];
  readonly stage?: string;
  readonly percent?: number;
  readonly artifacts?: number;
  readonly links?: number;
  readonly error?: string;
}

export const addExtractionEvent = (
  transaction: Transaction,
  workspaceId: string,
  event: ExtractionEvent,
): Promise<number> =>
  transaction.run(
    sql`select app.add_event(${workspaceId}, null, 'traceability', ${JSON.stringify(event)}::jsonb)`,
  );

/**
 * Ends a run that is still ours. Changes that came meanwhile queue the next one. Returns false when another attempt
 * has taken over.
 */
export async function endExtraction(
  transaction: Transaction,
  queue: Dependencies['queue'],
  { workspaceId, attempt }: Extracting,
  end: { readonly status: 'completed' | 'failed'; readonly error?: string },
): Promise<boolean> {
  const row = await transaction.maybeOne<{ status: string }>(sql`
    update trace_extractions
    set status = case when requested > taken then 'queued' else ${end.status} end, waits_since = now(), taken = requested - (requested > taken)::integer,
        error = ${end.error ?? null}
    where workspace_id = ${workspaceId} and attempt = ${attempt} and status = 'running' returning status`);
  if (row?.status === 'queued') await queue.enqueue(transaction, extractTraceJob, { workspaceId });
  return row !== undefined;
}
