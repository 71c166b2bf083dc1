import type { Criterion } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing } from '../../platform/http/pagination.js';

export interface StandardRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly catalog_id: string | null;
  readonly name: string;
  readonly version: string;
  readonly category: string;
  readonly description: string;
  readonly processing_status:
    | 'pending_upload'
    | 'awaiting_attestation'
    | 'queued'
    | 'running'
    | 'completed'
    | 'failed';
  readonly processing_error: string | null;
  readonly requires_attestation: boolean;
  readonly licence_mark: boolean;
  readonly attested: boolean;
  readonly attestation_expires_at: string | Date | null;
  readonly file_id: string | null;
  readonly criteria_hash: string | null;
  readonly criteria_count: number;
  readonly attempt: number;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string | Date;
}

export interface StandardFileRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly standard_id: string;
  readonly file_name: string;
  readonly sha256: string;
  readonly object_key: string;
  readonly created_by: string;
}

export interface AttestationRow {
  readonly id: string;
  readonly action: 'attested' | 'revoked';
  readonly user_id: string;
  readonly organisation: string;
  readonly standard_designation: string;
  readonly edition: string;
  readonly file_sha256: string | null;
  readonly licence_type: string;
  readonly licence_holder: string;
  readonly statement_version: string;
  readonly allows_workspace_sharing: boolean;
  readonly allows_ai_processing: boolean;
  readonly expires_at: Date | null;
}

const columns = sql`workspace_id, id, catalog_id, name, version, category, description, processing_status,
  processing_error, requires_attestation, licence_mark,
  attested and (attestation_expires_at is null or attestation_expires_at > now()) as attested, attestation_expires_at, file_id, criteria_hash,
  criteria_count, attempt, created_by, created_at, updated_at`;

export const workspaceOf = (id: string): Statement =>
  sql`select workspace_id from standards where id = ${id} and deleted_at is null`;

export const selectStandard = (id: string): Statement =>
  sql`select ${columns} from standards where id = ${id} and deleted_at is null`;

export function selectStandards(filters: {
  readonly workspace_id?: string | undefined;
  readonly search?: string | undefined;
  readonly category?: string | undefined;
}): Statement {
  const { workspace_id, search, category } = filters;
  const all = sql`true`;
  return sql`
    select ${columns} from standards
    where deleted_at is null
      and ${workspace_id ? sql`workspace_id = ${workspace_id}` : all}
      and ${search ? sql`(name || ' ' || description) ilike ${containing(search)}` : all}
      and ${category ? sql`category = ${category}` : all}`;
}

export const lockStandard = (transaction: Transaction, id: string): Promise<StandardRow | undefined> =>
  transaction.maybeOne(
    sql`select ${columns} from standards where id = ${id} and deleted_at is null for update`,
  );

export const insertStandard = (
  transaction: Transaction,
  row: Pick<
    StandardRow,
    | 'workspace_id'
    | 'id'
    | 'catalog_id'
    | 'name'
    | 'version'
    | 'category'
    | 'description'
    | 'processing_status'
    | 'requires_attestation'
    | 'criteria_count'
    | 'created_by'
  >,
): Promise<StandardRow> =>
  transaction.one(sql`
    insert into standards (workspace_id, id, catalog_id, name, version, category, description, processing_status,
                           requires_attestation, criteria_count, created_by)
    values (${row.workspace_id}, ${row.id}, ${row.catalog_id}, ${row.name}, ${row.version}, ${row.category},
            ${row.description}, ${row.processing_status}, ${row.requires_attestation}, ${row.criteria_count},
            ${row.created_by})
    returning ${columns}`);

/** Adds the uploaded file as the newest one. */
export async function insertFile(
  transaction: Transaction,
  row: StandardRow,
  file: {
    readonly id: string;
    readonly fileName: string;
    readonly fileSize: number;
    readonly fileType: string;
    readonly sha256: string;
    readonly objectKey: string;
    readonly createdBy: string;
  },
): Promise<void> {
  await transaction.run(sql`
    insert into standard_files (workspace_id, id, standard_id, file_name, file_size, file_type, sha256, object_key,
                                created_by)
    values (${row.workspace_id}, ${file.id}, ${row.id}, ${file.fileName}, ${file.fileSize}, ${file.fileType},
            ${file.sha256}, ${file.objectKey}, ${file.createdBy})`);
}

/** Changes the columns that are named. */
export const updateStandard = (
  transaction: Transaction,
  row: StandardRow,
  change: Partial<
    Pick<
      StandardRow,
      | 'processing_status'
      | 'processing_error'
      | 'attested'
      | 'attestation_expires_at'
      | 'file_id'
      | 'criteria_hash'
      | 'criteria_count'
      | 'requires_attestation'
      | 'licence_mark'
    >
  >,
): Promise<StandardRow> => {
  const next = { ...row, ...change };
  return transaction.one(sql`
    update standards
    set processing_status = ${next.processing_status}, processing_error = ${next.processing_error},
        attested = ${next.attested}, attestation_expires_at = ${next.attestation_expires_at},
        file_id = ${next.file_id}, criteria_hash = ${next.criteria_hash}, criteria_count = ${next.criteria_count},
        requires_attestation = ${next.requires_attestation}, licence_mark = ${next.licence_mark}
    where workspace_id = ${row.workspace_id} and id = ${row.id} returning ${columns}`);
};

export const hideStandard = (transaction: Transaction, row: StandardRow): Promise<number> =>
  transaction.run(sql`
    update standards set deleted_at = now() where workspace_id = ${row.workspace_id} and id = ${row.id}`);

export const findFile = (transaction: Transaction, row: StandardRow): Promise<StandardFileRow | undefined> =>
  transaction.maybeOne(sql`
    select * from standard_files where workspace_id = ${row.workspace_id} and id = ${row.file_id}`);

/** The attestation that is in force; undefined when there is none or it was withdrawn or has ended. */
export const selectAttestation = (standardId: string): Statement => newestAttestation(sql`${standardId}`);

/** The attestation of a person that is in force. */
export const selectAttestationOf = (userId: string, standardId: string): Statement =>
  newestAttestation(sql`${standardId}`, sql`a.user_id = ${userId}`);

export const newestAttestation = (standardId: Statement, and: Statement = sql`true`): Statement => sql`
  select a.* from attestations a
  where a.standard_id = ${standardId} and a.action = 'attested' and ${and}
    and (a.expires_at is null or a.expires_at > now())
    and not exists (select from attestations r where r.workspace_id = a.workspace_id and r.revokes = a.id)
  order by a.created_at desc, a.id desc limit 1`;

/** Whether an attestation in force keeps a file to who gave it; of each person the newest counts. */
export const isKeptBack = (file: {
  readonly standardId: Statement;
  readonly sha256: Statement;
  readonly and?: Statement;
}): Statement => sql`
  exists (
    select from attestations a
    where a.standard_id = ${file.standardId} and a.action = 'attested' and a.file_sha256 = ${file.sha256}
      and not a.allows_workspace_sharing and (a.expires_at is null or a.expires_at > now())
      and ${file.and ?? sql`true`}
      and not exists (select from attestations r where r.workspace_id = a.workspace_id and r.revokes = a.id)
      and not exists (
        select from attestations n
        where n.workspace_id = a.workspace_id and n.standard_id = a.standard_id and n.user_id = a.user_id
          and n.action = 'attested' and n.file_sha256 = a.file_sha256 and (n.created_at, n.id) > (a.created_at, a.id)
          and not exists (select from attestations r where r.workspace_id = n.workspace_id and r.revokes = n.id)
      )
  )`;

export const insertAttestation = (
  transaction: Transaction,
  record: Omit<AttestationRow, 'id' | 'expires_at'> & {
    readonly workspace_id: string;
    readonly standard_id: string;
    readonly revokes: string | null;
    readonly expires_at: Date | string | null;
    readonly reason: string | null;
    readonly ip: string;
    readonly user_agent: string | null;
  },
): Promise<number> =>
  transaction.run(sql`
    insert into attestations (workspace_id, action, standard_id, revokes, user_id, organisation,
      standard_designation, edition, file_sha256, licence_type, licence_holder, statement_version,
      allows_workspace_sharing, allows_ai_processing, expires_at, reason, ip, user_agent)
    values (${record.workspace_id}, ${record.action}, ${record.standard_id}, ${record.revokes}, ${record.user_id},
      ${record.organisation}, ${record.standard_designation}, ${record.edition}, ${record.file_sha256},
      ${record.licence_type}, ${record.licence_holder}, ${record.statement_version},
      ${record.allows_workspace_sharing}, ${record.allows_ai_processing}, ${record.expires_at}, ${record.reason},
      ${record.ip}, ${record.user_agent})`);

export const organisationOf = async (transaction: Transaction, userId: string): Promise<string> =>
  (
    await transaction.one<{ organization: string }>(
      sql`select organization from profiles where id = ${userId}`,
    )
  ).organization;

/** Replaces the criteria read from the file. */
export async function replaceCriteria(
  transaction: Transaction,
  row: Pick<StandardRow, 'workspace_id' | 'id'>,
  criteria: readonly Criterion[],
): Promise<void> {
  await transaction.run(sql`
    delete from standard_criteria where workspace_id = ${row.workspace_id} and standard_id = ${row.id}`);
  await transaction.run(sql`
    insert into standard_criteria (workspace_id, standard_id, ordinal, criterion_id, criterion)
    select ${row.workspace_id}, ${row.id}, c.ordinal, c.criterion ->> 'id', c.criterion
    from jsonb_array_elements(${JSON.stringify(criteria)}::jsonb) with ordinality as c (criterion, ordinal)`);
}

export const selectCriteria = (standardId: string): Statement => sql`
  select criterion from standard_criteria where standard_id = ${standardId} order by ordinal`;
