import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { ArtifactRow, GivenArtifact } from './artifacts.repository.js';
import type { LinkKey } from './links.repository.js';
import { BETWEEN } from './trace-columns.js';

/*
 * Every statement is about all lines at once. Lines find their rows through `= any (…)`, which PostgreSQL answers with an
 * index or a table of hashes: a join might be planned as a loop within a loop while the tables are new to the planner.
 */

export type KnownArtifact = GivenArtifact & Pick<ArtifactRow, 'origin'>;

/** The artifacts with these ids as written; of two with one id the one that a person added comes last. */
export const findArtifacts = (
  transaction: Transaction,
  workspaceId: string,
  artifactIds: readonly string[],
): Promise<KnownArtifact[]> =>
  transaction.many(sql`
    select workspace_id, id, origin, artifact_id, type, name, text, status, asil, facts, content_hash from artifacts
    where workspace_id = ${workspaceId} and artifact_id = any (${artifactIds}::text[])
    order by origin`);

const columnsOf = (rows: readonly GivenArtifact[]) => sql`
  unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => row.artifact_id)}::text[],
         ${rows.map(({ type }) => type)}::text[], ${rows.map(({ name }) => name)}::text[],
         ${rows.map(({ text }) => text)}::text[], ${rows.map(({ status }) => status)}::text[],
         ${rows.map(({ asil }) => asil)}::text[],
         ${rows.map(({ facts }) => (facts === null ? null : JSON.stringify(facts)))}::text[],
         ${rows.map((row) => row.content_hash)}::text[])
    with ordinality as r (id, artifact_id, type, name, text, status, asil, facts, content_hash, n)`;

export const insertArtifacts = (
  transaction: Transaction,
  workspaceId: string,
  { rows, by }: { readonly rows: readonly GivenArtifact[]; readonly by: string },
): Promise<number> =>
  transaction.run(sql`
    insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, name, text, status, asil, facts,
                           content_hash, created_by)
    select ${workspaceId}, r.id, 'manual', last.ordinal + r.n, r.artifact_id, r.type, r.name, r.text, r.status, r.asil,
           r.facts::jsonb, r.content_hash, ${by}::uuid
    from (select coalesce(max(ordinal), 1000000000) as ordinal from artifacts
          where workspace_id = ${workspaceId} and origin = 'manual') last,
         ${columnsOf(rows)}`);

export const updateArtifacts = (
  transaction: Transaction,
  workspaceId: string,
  rows: readonly GivenArtifact[],
): Promise<number> =>
  transaction.run(sql`
    update artifacts a
    set type = r.type, name = r.name, text = r.text, status = r.status, asil = r.asil, facts = r.facts::jsonb,
        content_hash = r.content_hash
    from ${columnsOf(rows)}
    where a.workspace_id = ${workspaceId} and a.id = r.id`);

/** The artifacts that ends of links name: by their id as written, or by the id of their resource. */
export const findEnds = (
  transaction: Transaction,
  workspaceId: string,
  { written, ids }: { readonly written: readonly string[]; readonly ids: readonly string[] },
): Promise<{ readonly id: string; readonly artifact_id: string }[]> =>
  transaction.many(sql`
    select id, artifact_id from artifacts
    where workspace_id = ${workspaceId} and artifact_id = any (${written}::text[])
    union all
    select id, artifact_id from artifacts where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`);

type Ends = Omit<LinkKey, 'workspace_id'>;

/** The three parts of a link as one text. */
export const keyOf = ({ source_id, link_type, target_id }: Ends): string =>
  [source_id, link_type, target_id].join(BETWEEN);

/** Of these links those that count already, whoever stated them; what documents state first. */
export const findCountedLinks = (
  transaction: Transaction,
  workspaceId: string,
  links: readonly Ends[],
): Promise<(Ends & { readonly id: string })[]> =>
  transaction.many(sql`
    select id, source_id, link_type, target_id from trace_links
    where workspace_id = ${workspaceId} and not rejected
      and source_id = any (${[...new Set(links.map((one) => one.source_id))]}::text[])
      and (source_id || ${BETWEEN}::text || link_type || ${BETWEEN}::text || target_id) = any (${links.map(keyOf)}::text[])
    order by origin`);

export const insertLinks = (
  transaction: Transaction,
  workspaceId: string,
  { rows, by }: { readonly rows: readonly (Ends & { readonly id: string })[]; readonly by: string },
): Promise<number> =>
  transaction.run(sql`
    insert into trace_links (workspace_id, id, origin, ordinal, source_id, target_id, link_type, stated_at, created_by)
    select ${workspaceId}, r.id, 'manual', last.ordinal + r.n, r.source_id, r.target_id, r.link_type, 'both', ${by}::uuid
    from (select coalesce(max(ordinal), 1000000000) as ordinal from trace_links
          where workspace_id = ${workspaceId} and origin = 'manual') last,
         unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => row.source_id)}::text[],
                ${rows.map((row) => row.target_id)}::text[], ${rows.map((row) => row.link_type)}::text[])
           with ordinality as r (id, source_id, target_id, link_type, n)`);
