import { randomUUID } from 'node:crypto';
import { loadStandard } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { fromYaml as readChecklist } from '../checklists/checklist-files.js';
import { readTemplate } from '../templates/templates.service.js';
import { givenArtifact } from '../traceability/artifacts.service.js';
import { raiseRevision } from '../traceability/extraction.repository.js';
import { storableId, traceRowId } from '../traceability/trace-columns.js';
import { type RowOf, TABLES, type TableName, withPersons } from './archive-rows.schemas.js';
import { standardKey, versionKey } from './object-keys.js';
import type { Archive } from './read-archive.js';
import { rowsOf } from './read-rows.js';
import { aboutOf, seriesOf } from './series.js';
import { withdrawnItems } from './withdrawn-items.js';

export interface Receiving {
  readonly workspaceId: string;
  /** Who imports: what people decided elsewhere is here because of them. */
  readonly userId: string;
  readonly userName: string;
  /** Whom the rows name, as they are called here. */
  readonly people: ReadonlyMap<string, string>;
}

type Store<Table extends TableName> = (
  transaction: Transaction,
  row: RowOf<Table>,
  receiving: Receiving,
) => Promise<unknown>;

/**
 * Stores the rows of an archive that `surveyArchive` has looked through. States are those of something that has just
 * arrived: files wait to be read, decisions wait for runs.
 */
export async function storeRows(
  transaction: Transaction,
  archive: Archive,
  receiving: Receiving,
): Promise<void> {
  const { workspaceId, people } = receiving;
  await transaction.run(sql`
    insert into imported_people (workspace_id, id, name)
    select ${workspaceId}, p.id, p.name from jsonb_to_recordset(${JSON.stringify(
      archive.manifest.people.map(({ id, name }) => ({ id: people.get(id), name })),
    )}::jsonb) as p (id uuid, name text)`);
  for (const table of TABLES) await storeTable(transaction, archive, { table, receiving });
  await raiseRevision(transaction, workspaceId);
}

async function storeTable<Table extends TableName>(
  transaction: Transaction,
  archive: Archive,
  { table, receiving }: { readonly table: Table; readonly receiving: Receiving },
): Promise<void> {
  const store = STORES[table] as Store<Table>;
  for await (const { row } of rowsOf(archive, table)) {
    // Everybody is in the manifest: the survey has looked.
    await store(
      transaction,
      withPersons(row, (id) => receiving.people.get(id) ?? id),
      receiving,
    );
  }
}

const STORES: { readonly [Table in TableName]: Store<Table> } = {
  async standards(transaction, row, { workspaceId }) {
    const { file, catalog_id } = row;
    const fileId = file === null ? null : randomUUID();
    const state =
      catalog_id !== null
        ? 'completed'
        : file === null
          ? 'pending_upload'
          : row.requires_attestation
            ? 'awaiting_attestation'
            : 'queued';
    const criteria = catalog_id === null ? 0 : (await loadStandard(catalog_id)).criteria.length;
    await transaction.run(sql`
      insert into standards (workspace_id, id, catalog_id, name, version, category, description, processing_status,
                             requires_attestation, criteria_count, file_id, created_by, created_at)
      values (${workspaceId}, ${row.id}, ${catalog_id}, ${row.name}, ${row.version}, ${row.category},
              ${row.description}, ${state}, ${row.requires_attestation}, ${criteria}, ${fileId}, ${row.created_by},
              ${row.created_at})`);
    if (file === null) return;
    await transaction.run(sql`
      insert into uploads (workspace_id, id, standard_id, file_name, file_size, file_type, sha256, object_key, expires_at,
                           completed_at, created_by, created_at)
      values (${workspaceId}, ${row.id}, ${row.id}, ${file.file_name}, ${file.file_size}, ${file.file_type},
              ${file.sha256}, ${`${workspaceId}/uploads/${row.id}`}, now(), now(), ${file.created_by},
              ${file.created_at})`);
    await transaction.run(sql`
      insert into standard_files (workspace_id, id, standard_id, file_name, file_size, file_type, sha256, object_key,
                                  created_by, created_at)
      values (${workspaceId}, ${fileId}, ${row.id}, ${file.file_name}, ${file.file_size}, ${file.file_type},
              ${file.sha256}, ${`${workspaceId}/${standardKey(row.id, file.sha256)}`}, ${file.created_by},
              ${file.created_at})`);
  },

  async work_products(transaction, row, { workspaceId }) {
    const newest = row.versions.at(-1);
    if (!newest) return;
    await transaction.run(sql`
      insert into work_products (workspace_id, id, name, original_filename, file_size, file_type, category,
                                 category_chosen, tags, ai_excluded, processing_status, version, created_by, created_at, uploaded_at,
                                 source_archive_id, source_path, source_archive_version)
      values (${workspaceId}, ${row.id}, ${row.name}, ${row.original_filename}, ${newest.file_size}, ${newest.file_type},
              ${row.category}, ${row.category !== null}, ${row.tags}::text[], ${row.ai_excluded}, ${stateOf(newest)}, ${newest.version},
              ${row.created_by}, ${row.created_at}, ${newest.uploaded_at}, ${row.source?.work_product_id ?? null},
              ${row.source?.path ?? null}, ${row.source?.version ?? null})`);
    const versions = row.versions.map((version) => ({
      ...version,
      state: stateOf(version),
      object_key: `${workspaceId}/${versionKey(row.id, version.version, version.sha256)}`,
    }));
    await transaction.run(sql`
      insert into work_product_versions (workspace_id, work_product_id, version, file_name, file_size, file_type, sha256,
                                         object_key, uploaded_by, uploaded_at, processing_status, format, unpacked_attempt)
      select ${workspaceId}, ${row.id}, v.version, v.file_name, v.file_size, v.file_type, v.sha256, v.object_key,
             v.uploaded_by, v.uploaded_at, v.state, case when v.unpacked then 'zip' end, case when v.unpacked then 0 end
      from jsonb_to_recordset(${JSON.stringify(versions)}::jsonb)
        as v (version integer, file_name text, file_size bigint, file_type text, sha256 text, object_key text,
              uploaded_by uuid, uploaded_at timestamptz, state text, unpacked boolean)`);
  },

  async templates(transaction, row, { workspaceId }) {
    const { definition, yaml } = await readTemplate(row.yaml);
    await transaction.run(sql`
      insert into templates (workspace_id, id, type, definition, yaml, revision, created_by, created_at)
      values (${workspaceId}, ${row.id}, ${definition.id}, ${JSON.stringify(definition)}::jsonb, ${yaml},
              ${row.revision}, ${row.created_by}, ${row.created_at})`);
  },

  async checklists(transaction, row, { workspaceId }) {
    const { definition, languages, yaml } = await readChecklist(row.yaml);
    const asked = definition.items.map((item) => ({
      ...item,
      revision: row.revisions[item.id] ?? item.revision,
    }));
    const ids = new Set(asked.map(({ id }) => id));
    const items = [...asked, ...(await withdrawnItems(row)).filter(({ id }) => !ids.has(id))];
    await transaction.run(sql`
      insert into checklists (workspace_id, id, key, definition, languages, yaml, revision, created_by, created_at)
      values (${workspaceId}, ${row.id}, ${definition.id}, ${JSON.stringify({ ...definition, items })}::jsonb,
              ${[...languages]}::text[], ${yaml}, ${row.revision}, ${row.created_by}, ${row.created_at})`);
  },

  async artifacts(transaction, row, { workspaceId }) {
    const { created_by, ...said } = row;
    const id = traceRowId(workspaceId, 'manual', storableId(row.artifact_id));
    const artifact = givenArtifact(id, { ...said, workspace_id: workspaceId });
    await transaction.run(sql`
      insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, name, text, status, asil, facts,
                             content_hash, created_by)
      values (${workspaceId}, ${artifact.id}, 'manual', ${nextOrdinal('artifacts', workspaceId)}, ${artifact.artifact_id},
              ${artifact.type}, ${artifact.name}, ${artifact.text}, ${artifact.status}, ${artifact.asil},
              ${artifact.facts === null ? null : JSON.stringify(artifact.facts)}::jsonb, ${artifact.content_hash},
              ${created_by})`);
  },

  trace_links(transaction, row, { workspaceId }) {
    const [source, target] = [storableId(row.source_id), storableId(row.target_id)];
    return transaction.run(sql`
      insert into trace_links (workspace_id, id, origin, ordinal, source_id, target_id, link_type, stated_at, created_by,
                               created_at)
      values (${workspaceId}, ${traceRowId(workspaceId, 'manual', source, row.link_type, target)}, 'manual',
              ${nextOrdinal('trace_links', workspaceId)}, ${source}, ${target}, ${row.link_type}, 'both',
              ${row.created_by}, ${row.created_at})`);
  },

  artifact_types: (transaction, row, { workspaceId }) =>
    transaction.run(sql`
      insert into artifact_types (workspace_id, artifact_id, type, said_by, said_at)
      values (${workspaceId}, ${storableId(row.artifact_id)}, ${row.type}, ${row.said_by}, ${row.said_at})`),

  trace_link_reviews: (transaction, row, { workspaceId }) =>
    transaction.run(sql`
      insert into trace_link_reviews (workspace_id, source_id, link_type, target_id, verdict, source_hash, target_hash,
                                      reviewed_by, reviewed_at, bound)
      values (${workspaceId}, ${storableId(row.source_id)}, ${row.link_type}, ${storableId(row.target_id)}, ${row.verdict},
              ${row.source_hash}, ${row.target_hash}, ${row.reviewed_by}, ${row.reviewed_at}, ${row.bound})`),

  runs: (transaction, row, receiving) =>
    keep(transaction, receiving, { kind: 'runs', series: seriesOf(row.type, aboutOf(row)), row }),

  gap_decisions: (transaction, row, receiving) =>
    keep(transaction, receiving, {
      kind: 'gap_decisions',
      series: seriesOf(row.type, row.about),
      fingerprint: row.fingerprint,
      row,
    }),

  checklist_answers: (transaction, row, receiving) =>
    keep(transaction, receiving, {
      kind: 'checklist_answers',
      series: seriesOf('checklist', row.checklist_id),
      row,
    }),

  checklist_releases: (transaction, row, receiving) =>
    keep(transaction, receiving, {
      kind: 'checklist_releases',
      series: seriesOf('checklist', row.checklist_id),
      row,
    }),
};

const stateOf = ({ unpacked }: { readonly unpacked: boolean }): string => (unpacked ? 'completed' : 'queued');

const nextOrdinal = (table: 'artifacts' | 'trace_links', workspaceId: string) => sql`
  (select coalesce(max(ordinal), 1000000000) + 1
   from ${table === 'artifacts' ? sql`artifacts` : sql`trace_links`}
   where workspace_id = ${workspaceId} and origin = 'manual')`;

const keep = (
  transaction: Transaction,
  { workspaceId, userId, userName }: Receiving,
  {
    kind,
    series,
    fingerprint = null,
    row,
  }: {
    readonly kind: TableName;
    readonly series: string;
    readonly fingerprint?: string | null;
    readonly row: unknown;
  },
): Promise<number> =>
  transaction.run(sql`
    insert into imported_work (workspace_id, kind, series, fingerprint, content, imported_by, imported_by_name)
    values (${workspaceId}, ${kind}, ${series}, ${fingerprint}, ${JSON.stringify(row)}::jsonb, ${userId},
            ${userName})`);
