import type { Statement, Transaction } from '../../platform/database/database.js';
import { identifier, joined, sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { RowsAhead, TraceExtractionOutput } from './extract-trace-task.js';
import * as repository from './extraction.repository.js';
import { applyRejections, bindEarlierRejections, keepConfirmedTexts } from './links.repository.js';
import { wantViews } from './made-views.jobs.js';
import { BETWEEN } from './trace-columns.js';
import type { Columns } from './trace-differences.js';

/** A column that arrives as one text, as an array. Its bytes are not copied: they are megabytes, thousands of times. */
const list = ({ buffer, byteOffset, byteLength }: Uint8Array = new Uint8Array()) =>
  sql`string_to_array(${Buffer.from(buffer, byteOffset, byteLength)}::text, ${BETWEEN}::text)`;

/**
 * Rows of columns that arrive as one text each. Unnested where they are selected: among tables each column would be a list of its own
 * before the first row is made.
 */
const rowsOf = (columns: Readonly<Record<string, Uint8Array | undefined>>) =>
  sql`(select ${joined(
    Object.entries(columns).map(([name, column]) => sql`unnest(${list(column)}) as ${identifier(name)}`),
  )})`;

/**
 * Writes what the documents say differently than before, in the transaction of the caller; what people added or said
 * stays. Throws when the run has been taken over, so that nothing of it is kept.
 */
export async function storeExtraction(
  transaction: Transaction,
  queue: Dependencies['queue'],
  extracting: repository.Extracting,
  found: {
    /** Given when it is there: `ahead` is stored until then. */
    readonly output: TraceExtractionOutput | Promise<TraceExtractionOutput>;
    /** Rows that went ahead of the output; ends with it. */
    readonly ahead?: AsyncIterable<RowsAhead>;
    readonly documents: readonly repository.TracedDocument[];
    /** `parsed_key` by document, where it is known. */
    readonly readings?: Readonly<Record<string, string>>;
    readonly engineVersion: string;
  },
): Promise<void> {
  const { workspaceId } = extracting;
  const { ahead, documents, readings, engineVersion } = found;
  // Attempts store one after the other; the last line tells which one counts.
  await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${workspaceId}, 43))`);
  // A batch of rows has some twelve megabytes: with PostgreSQL's usual four it goes through a file, which takes a tenth of the time.
  await transaction.run(sql`select set_config('work_mem', '32MB', true)`);
  await bindEarlierRejections(transaction, workspaceId);
  await noteVersions(transaction, workspaceId, documents);
  const write = tableWriters(transaction, workspaceId);
  const sent = oneAhead();
  for await (const { table, columns } of ahead ?? []) await sent.add(write[table](columns));
  await sent.end();
  const output = await found.output;
  await removeRows(transaction, workspaceId, { table: sql`trace_links`, removed: output.links.removed });
  await removeRows(transaction, workspaceId, { table: sql`artifacts`, removed: output.artifacts.removed });
  for (const columns of output.artifacts.written) await sent.add(write.artifacts(columns));
  for (const columns of output.links.written) await sent.add(write.links(columns));
  await sent.end();
  await forgetVersions(transaction, workspaceId, documents);
  // Of what was written now: the others are of the type that was said already.
  await transaction.run(sql`
    update artifacts a set type = t.type, told_type = a.type
    from artifact_types t
    where a.workspace_id = ${workspaceId} and a.origin = 'document' and a.told_type is null
      and t.workspace_id = a.workspace_id and t.artifact_id = a.artifact_id`);
  await applyRejections(transaction, workspaceId);
  await keepConfirmedTexts(transaction, workspaceId);
  const kept = await transaction.run(sql`
    update trace_extractions
    set revision = revision + 1, extracted_at = now(), engine_version = ${engineVersion},
        documents = ${JSON.stringify(documents)}::jsonb,
        artifacts = ${output.artifactCount}, links = ${output.linkCount},
        said = jsonb_build_object('revision', revision + 1) || ${JSON.stringify({ ...output.said, readings })}::jsonb,
        notes = ${JSON.stringify(output.notes)}::jsonb, note_counts = ${JSON.stringify(output.noteCounts)}::jsonb
    where workspace_id = ${workspaceId} and attempt = ${extracting.attempt} and status = 'running'`);
  if (kept === 0) throw new ExtractionLost();
  await repository.endExtraction(transaction, queue, extracting, { status: 'completed' });
  await wantViews(transaction, queue, workspaceId, { rows: output.artifactCount + output.linkCount });
  await repository.addExtractionEvent(transaction, workspaceId, {
    status: 'completed',
    percent: 100,
    artifacts: output.artifactCount,
    links: output.linkCount,
  });
}

/** The versions that the rows are from; a row that is from none is refused. */
const noteVersions = (
  transaction: Transaction,
  workspaceId: string,
  documents: readonly repository.TracedDocument[],
): Promise<number> =>
  transaction.run(sql`
    insert into traced_documents as t (workspace_id, work_product_id, version)
    select ${workspaceId}, d.work_product_id, d.version
    from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) as d (work_product_id uuid, version integer)
    on conflict (workspace_id, work_product_id) do update set version = excluded.version
      where t.version <> excluded.version`);

/** Of documents that the trace is not taken from any more; no row is theirs by now. */
const forgetVersions = (
  transaction: Transaction,
  workspaceId: string,
  documents: readonly repository.TracedDocument[],
): Promise<number> =>
  transaction.run(sql`
    delete from traced_documents
    where workspace_id = ${workspaceId}
      and work_product_id <> all (${documents.map(({ work_product_id }) => work_product_id)}::uuid[])`);

/** Another worker has the run. */
export class ExtractionLost extends Error {
  override readonly name = 'ExtractionLost';
}

async function removeRows(
  transaction: Transaction,
  workspaceId: string,
  { table, removed }: { readonly table: Statement; readonly removed: Uint8Array },
): Promise<void> {
  if (removed.length === 0) return;
  await transaction.run(sql`
    delete from ${table} t using unnest(${list(removed)}) as gone (id)
    where t.workspace_id = ${workspaceId} and t.id = gone.id::uuid and t.origin = 'document'`);
}

/** Waits for what was begun before the last one: the next batch is on its way while the database stores this one. */
function oneAhead() {
  let last: Promise<void> = Promise.resolve();
  return {
    async add(next: Promise<void>): Promise<void> {
      // Of two that fail, the first one tells why.
      next.catch(() => undefined);
      const before = last;
      last = next;
      await before;
    },
    end: (): Promise<void> => last,
  };
}

/** Writes batches of rows; before the first one of a table it looks whether rows of the same ids may be stored. */
function tableWriters(transaction: Transaction, workspaceId: string) {
  const writer = (table: Statement, write: Writer) => {
    let replaces: Promise<boolean> | undefined;
    return async (columns: Columns): Promise<void> => {
      replaces ??= transaction
        .maybeOne(
          sql`select from ${table} where workspace_id = ${workspaceId} and origin = 'document' limit 1`,
        )
        .then((row) => row !== undefined);
      await write(transaction, { workspaceId, columns, replaces: await replaces });
    };
  };
  return { artifacts: writer(sql`artifacts`, writeArtifacts), links: writer(sql`trace_links`, writeLinks) };
}

interface Written {
  readonly workspaceId: string;
  readonly columns: Columns;
  /** Whether rows of the same ids may be stored. Looking for each of them takes a tenth of the time. */
  readonly replaces: boolean;
}
type Writer = (transaction: Transaction, written: Written) => Promise<number>;

function writeArtifacts(
  transaction: Transaction,
  { workspaceId, columns, replaces }: Written,
): Promise<number> {
  const [id, ordinal, artifactId, type, name, text, status, asil, facts, statements, hash, ...place] =
    columns;
  const [workProduct, location, quote, start, end, asilPlace, said] = place;
  return transaction.run(sql`
    insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, name, text, status, asil, facts, statements,
                           content_hash, work_product_id, location, quote, start_offset, end_offset, asil_place,
                           said)
    select ${workspaceId}, r.id::uuid, 'document', r.ordinal::integer, r.artifact_id, r.type, nullif(r.name, ''),
           r.text, nullif(r.status, ''), nullif(r.asil, ''), nullif(r.facts, '')::jsonb,
           nullif(r.statements, '')::jsonb, r.hash, r.work_product::uuid, r.location::jsonb,
           r.quote, r.start_offset::integer, r.end_offset::integer, nullif(r.asil_place, '')::jsonb,
           decode(r.said, 'hex')
    from ${rowsOf({
      ...{ id, ordinal, artifact_id: artifactId, type, name, text, status, asil, facts, statements, hash },
      ...{ work_product: workProduct, location, quote, start_offset: start, end_offset: end },
      ...{ asil_place: asilPlace, said },
    })} as r
    ${
      replaces
        ? sql`on conflict (workspace_id, id) do update
      set ordinal = excluded.ordinal, type = excluded.type, told_type = null, name = excluded.name, text = excluded.text,
          status = excluded.status, asil = excluded.asil, facts = excluded.facts, statements = excluded.statements,
          content_hash = excluded.content_hash, work_product_id = excluded.work_product_id,
          location = excluded.location, quote = excluded.quote, start_offset = excluded.start_offset,
          end_offset = excluded.end_offset, asil_place = excluded.asil_place, said = excluded.said`
        : sql``
    }`);
}

function writeLinks(transaction: Transaction, { workspaceId, columns, replaces }: Written): Promise<number> {
  const [id, ordinal, source, target, sourceAt, targetAt, type, statedAt, assumed, ...place] = columns;
  const [workProduct, location, quote, start, end, said] = place;
  return transaction.run(sql`
    insert into trace_links (workspace_id, id, origin, ordinal, source_id, target_id, source_ordinal, target_ordinal,
                             link_type, stated_at, assumed, work_product_id, location, quote, start_offset,
                             end_offset, said)
    select ${workspaceId}, r.id::uuid, 'document', r.ordinal::integer, r.source_id, r.target_id,
           nullif(r.source_at, '')::integer, nullif(r.target_at, '')::integer, r.link_type, r.stated_at,
           nullif(r.assumed, ''), r.work_product::uuid, r.location::jsonb, r.quote, r.start_offset::integer,
           r.end_offset::integer, decode(r.said, 'hex')
    from ${rowsOf({
      ...{ id, ordinal, source_id: source, target_id: target, source_at: sourceAt, target_at: targetAt },
      ...{ link_type: type, stated_at: statedAt, assumed, work_product: workProduct, location, quote },
      ...{ start_offset: start, end_offset: end, said },
    })} as r
    ${
      replaces
        ? sql`on conflict (workspace_id, id) do update
      set ordinal = excluded.ordinal, source_ordinal = excluded.source_ordinal, target_ordinal = excluded.target_ordinal,
          stated_at = excluded.stated_at, assumed = excluded.assumed, work_product_id = excluded.work_product_id,
          location = excluded.location, quote = excluded.quote, start_offset = excluded.start_offset,
          end_offset = excluded.end_offset, said = excluded.said`
        : sql``
    }`);
}
