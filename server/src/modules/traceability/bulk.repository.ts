import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { GivenArtifact } from './artifacts.repository.js';
import type { LinkKey } from './links.repository.js';

/** Of the names, those that the workspace knows: ids as written, and ids of resources, with the id as written. */
export const findNamed = (
  transaction: Transaction,
  workspaceId: string,
  names: readonly string[],
): Promise<{ readonly name: string; readonly artifact_id: string; readonly id: string }[]> =>
  transaction.many(sql`
    select distinct on (n.name) n.name, a.artifact_id, a.id
    from unnest(${names}::text[]) as n (name)
    join artifacts a on a.workspace_id = ${workspaceId} and (a.artifact_id = n.name or a.id::text = n.name)
    order by n.name, a.artifact_id = n.name desc, a.origin`);

/** Of the links, those that count already, whoever stated them. */
export const findCountedLinks = (
  transaction: Transaction,
  workspaceId: string,
  links: readonly LinkKey[],
): Promise<(LinkKey & { readonly id: string })[]> =>
  transaction.many(sql`
    select distinct on (l.source_id, l.link_type, l.target_id) l.workspace_id, l.source_id, l.link_type, l.target_id, l.id
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as k (source_id text, link_type text, target_id text)
    join trace_links l on l.workspace_id = ${workspaceId} and l.source_id = k.source_id and l.link_type = k.link_type
                      and l.target_id = k.target_id and not l.rejected
    order by l.source_id, l.link_type, l.target_id, l.origin`);

/** Adds artifacts that are not there yet, in their order after all others. */
export const insertArtifacts = (
  transaction: Transaction,
  workspaceId: string,
  { rows, by }: { readonly rows: readonly GivenArtifact[]; readonly by: string },
): Promise<number> =>
  transaction.run(sql`
    insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, name, text, status, asil, facts,
                           content_hash, created_by)
    select ${workspaceId}, r.id, 'manual',
           (select coalesce(max(ordinal), 1000000000) from artifacts
            where workspace_id = ${workspaceId} and origin = 'manual') + r.place,
           r.artifact_id, r.type, r.name, r.text, r.status, r.asil, nullif(r.facts, 'null'::jsonb), r.content_hash, ${by}
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as
      (id uuid, artifact_id text, type text, name text, text text, status text, asil text, facts jsonb,
       content_hash text)) with ordinality
      as r (id, artifact_id, type, name, text, status, asil, facts, content_hash, place)`);

/** Adds links that are not there yet, in their order after all others. */
export const insertLinks = (
  transaction: Transaction,
  workspaceId: string,
  { rows, by }: { readonly rows: readonly (LinkKey & { readonly id: string })[]; readonly by: string },
): Promise<number> =>
  transaction.run(sql`
    insert into trace_links (workspace_id, id, origin, ordinal, source_id, target_id, link_type, stated_at, created_by)
    select ${workspaceId}, r.id, 'manual',
           (select coalesce(max(ordinal), 1000000000) from trace_links
            where workspace_id = ${workspaceId} and origin = 'manual') + r.place,
           r.source_id, r.target_id, r.link_type, 'both', ${by}
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as
      (id uuid, source_id text, target_id text, link_type text)) with ordinality
      as r (id, source_id, target_id, link_type, place)`);
