import type { ArtifactType, Location } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing, isAnyOf } from '../../platform/http/pagination.js';
import type { ArtifactFacts, StoredStatement } from './trace-rows.js';

export interface ArtifactRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly origin: 'document' | 'manual';
  readonly artifact_id: string;
  readonly type: ArtifactType;
  readonly told_type: ArtifactType | null;
  readonly name: string | null;
  readonly text: string;
  readonly status: string | null;
  readonly asil: string | null;
  readonly facts: ArtifactFacts | null;
  readonly statements: readonly StoredStatement[] | null;
  readonly content_hash: string;
  readonly work_product_id: string | null;
  readonly version: number | null;
  readonly location: Location | null;
  readonly quote: string | null;
  readonly start_offset: number | null;
  readonly end_offset: number | null;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string | Date;
}

const columns = sql`workspace_id, id, origin, artifact_id, type, told_type, name, text, status, asil, facts, statements,
  content_hash, work_product_id, version, location, quote, start_offset, end_offset, created_by, created_at, updated_at`;

export const workspaceOfArtifact = (id: string): Statement =>
  sql`select workspace_id from artifacts where id = ${id}`;

/** Ids as written of artifacts of a workspace. */
export const selectWrittenIds = (workspaceId: string, ids: readonly string[]): Statement => sql`
  select artifact_id from artifacts where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
  order by artifact_id`;

export const selectArtifact = (id: string): Statement =>
  sql`select ${columns} from versioned_artifacts where id = ${id}`;

export interface ArtifactFilters {
  readonly workspace_id?: string | undefined;
  readonly artifact_id?: string | undefined;
  readonly type?: readonly string[] | undefined;
  readonly origin?: readonly string[] | undefined;
  readonly work_product_id?: string | undefined;
  readonly search?: string | undefined;
  readonly asil?: readonly string[] | undefined;
  readonly linked?: boolean | undefined;
}

const isLinked = sql`(
  exists (select from trace_links l where l.workspace_id = a.workspace_id and l.source_id = artifact_id
          and not l.rejected)
  or exists (select from trace_links l where l.workspace_id = a.workspace_id and l.target_id = artifact_id
             and not l.rejected))`;

/** What a list of artifacts is sorted by; `selectArtifactOfPage` has the rest. */
export function selectArtifacts(filters: ArtifactFilters): Statement {
  const all = sql`true`;
  const { workspace_id, artifact_id, type, origin, work_product_id, search, asil, linked } = filters;
  return sql`
    select workspace_id, id, artifact_id, created_at, updated_at from versioned_artifacts a
    where ${workspace_id ? sql`workspace_id = ${workspace_id}` : all}
      and ${artifact_id ? sql`artifact_id = ${artifact_id}` : all}
      and ${isAnyOf(sql`type`, type)}
      and ${isAnyOf(sql`origin`, origin)}
      and ${work_product_id ? sql`work_product_id = ${work_product_id}` : all}
      and ${isAnyOf(sql`asil`, asil)}
      and ${linked === undefined ? all : linked ? isLinked : sql`not ${isLinked}`}
      and ${
        search
          ? sql`(artifact_id ilike ${containing(search)} or name ilike ${containing(search)} or text ilike ${containing(search)})`
          : all
      }`;
}

/** The artifact that the row `page` names. */
export const selectArtifactOfPage = sql`select ${columns} from versioned_artifacts a where a.workspace_id = page.workspace_id and a.id = page.id`;

/**
 * People change artifacts and links one after the other, and not while an extraction swaps them: what they say would
 * be lost under it.
 */
export const lockTrace = (transaction: Transaction, workspaceId: string): Promise<number> =>
  transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${workspaceId}, 43))`);

/** The row with the trace of its workspace locked. */
export async function lockArtifact(transaction: Transaction, id: string): Promise<ArtifactRow | undefined> {
  const found = await transaction.maybeOne<{ workspace_id: string }>(workspaceOfArtifact(id));
  if (!found) return undefined;
  await lockTrace(transaction, found.workspace_id);
  await transaction.run(sql`select from artifacts where id = ${id} for update`);
  return transaction.maybeOne(selectArtifact(id));
}

export const isKnownId = async (
  transaction: Transaction,
  workspaceId: string,
  artifactId: string,
): Promise<boolean> =>
  (
    await transaction.one<{ known: boolean }>(sql`
      select exists (select from artifacts where workspace_id = ${workspaceId} and artifact_id = ${artifactId}) as known`)
  ).known;

/** What of a row a person gives. */
export type GivenArtifact = Pick<
  ArtifactRow,
  | 'workspace_id'
  | 'id'
  | 'artifact_id'
  | 'type'
  | 'name'
  | 'text'
  | 'status'
  | 'asil'
  | 'facts'
  | 'content_hash'
>;

/** After everything that comes from documents, in the order in which people added it. */
const nextOrdinal = (table: Statement, workspaceId: string): Statement => sql`
  (select coalesce(max(ordinal), 1000000000) + 1 from ${table} where workspace_id = ${workspaceId} and origin = 'manual')`;

export async function insertArtifact(
  transaction: Transaction,
  row: GivenArtifact & { readonly created_by: string },
): Promise<ArtifactRow> {
  await transaction.run(sql`
    insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, name, text, status, asil, facts,
                           content_hash, created_by)
    values (${row.workspace_id}, ${row.id}, 'manual', ${nextOrdinal(sql`artifacts`, row.workspace_id)}, ${row.artifact_id},
            ${row.type}, ${row.name}, ${row.text}, ${row.status}, ${row.asil}, ${json(row.facts)}::jsonb,
            ${row.content_hash}, ${row.created_by})`);
  return transaction.one(selectArtifact(row.id));
}

export async function updateArtifact(transaction: Transaction, row: GivenArtifact): Promise<ArtifactRow> {
  await transaction.run(sql`
    update artifacts
    set type = ${row.type}, name = ${row.name}, text = ${row.text}, status = ${row.status}, asil = ${row.asil},
        facts = ${json(row.facts)}::jsonb, content_hash = ${row.content_hash}
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);
  return transaction.one(selectArtifact(row.id));
}

/** Says what an artifact of the documents is; null: what the documents tell. Outlives the next extraction. */
export async function setType(
  transaction: Transaction,
  row: ArtifactRow,
  said: { readonly type: ArtifactType | null; readonly by: string },
): Promise<ArtifactRow> {
  const { workspace_id, artifact_id } = row;
  if (said.type === null) {
    await transaction.run(sql`
      delete from artifact_types where workspace_id = ${workspace_id} and artifact_id = ${artifact_id}`);
  } else {
    await transaction.run(sql`
      insert into artifact_types (workspace_id, artifact_id, type, said_by)
      values (${workspace_id}, ${artifact_id}, ${said.type}, ${said.by})
      on conflict (workspace_id, artifact_id) do update
        set type = excluded.type, said_by = excluded.said_by, said_at = now()`);
  }
  const told = row.told_type ?? row.type;
  await transaction.run(sql`
    update artifacts set type = ${said.type ?? told}, told_type = ${said.type === null ? null : told}
    where workspace_id = ${workspace_id} and id = ${row.id}`);
  return transaction.one(selectArtifact(row.id));
}

export const deleteArtifact = (transaction: Transaction, row: ArtifactRow): Promise<number> =>
  transaction.run(sql`delete from artifacts where workspace_id = ${row.workspace_id} and id = ${row.id}`);

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
