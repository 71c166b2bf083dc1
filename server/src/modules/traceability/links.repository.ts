import type { ArtifactType, AssumedBecause, LinkType, Location } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing, isAnyOf } from '../../platform/http/pagination.js';
import { lockTrace } from './artifacts.repository.js';
import type { ArtifactFacts } from './trace-rows.js';

export interface LinkRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly origin: 'document' | 'manual';
  readonly source_id: string;
  readonly target_id: string;
  readonly link_type: LinkType;
  readonly stated_at: 'source' | 'target' | 'both';
  readonly rejected: boolean;
  readonly assumed: AssumedBecause | null;
  readonly work_product_id: string | null;
  readonly version: number | null;
  readonly location: Location | null;
  readonly quote: string | null;
  readonly start_offset: number | null;
  readonly end_offset: number | null;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly source_hash: string | null;
  readonly target_hash: string | null;
  /** The confirmation in force. */
  readonly confirmation: {
    readonly by: string;
    readonly at: string;
    readonly source_hash: string | null;
    readonly target_hash: string | null;
  } | null;
}

/** What an end says now; null where nothing defines it. What documents say counts before what people added. */
const hashOf = (end: Statement): Statement => sql`
  (select a.content_hash from artifacts a where a.workspace_id = l.workspace_id and a.artifact_id = ${end}
   order by a.origin limit 1)`;

/** What an end says now, as it is kept when a link is confirmed; null where nothing defines it. */
const contentOf = (workspace: Statement, end: Statement): Statement => sql`
  (select jsonb_build_object('type', a.type, 'name', a.name, 'text', a.text, 'asil', a.asil, 'facts', a.facts,
                             'work_product_id', a.work_product_id, 'version', a.version, 'id', a.id, 'content_hash', a.content_hash)
   from versioned_artifacts a where a.workspace_id = ${workspace} and a.artifact_id = ${end} order by a.origin limit 1)`;

/** Of what is asked of an end: what is not kept of it. */
const NOT_KEPT = ['content_hash', 'id'];

const isReviewOf = sql`r.workspace_id = l.workspace_id and r.source_id = l.source_id and r.link_type = l.link_type
  and r.target_id = l.target_id`;

const columns = sql`l.workspace_id, l.id, l.origin, l.source_id, l.target_id, l.link_type, l.stated_at, l.rejected, l.assumed,
  l.work_product_id, l.version, l.location, l.quote, l.start_offset, l.end_offset, l.created_by, l.created_at, l.updated_at,
  ${hashOf(sql`l.source_id`)} as source_hash, ${hashOf(sql`l.target_id`)} as target_hash,
  (select json_build_object('by', r.reviewed_by, 'at', r.reviewed_at, 'source_hash', r.source_hash,
                            'target_hash', r.target_hash)
   from trace_link_reviews r where ${isReviewOf} and r.verdict = 'confirmed') as confirmation`;

export const workspaceOfLink = (id: string): Statement =>
  sql`select workspace_id from trace_links where id = ${id}`;

export const selectLink = (id: string): Statement =>
  sql`select ${columns} from versioned_links l where l.id = ${id}`;

/** What an end of a link says, or said when it was confirmed. */
export interface EndContent {
  readonly type: ArtifactType;
  readonly name: string | null;
  readonly text: string;
  readonly asil: string | null;
  readonly facts: ArtifactFacts | null;
  readonly work_product_id: string | null;
  readonly version: number | null;
}

export interface EndNow extends EndContent {
  readonly id: string;
}

export interface ReviewedLinkRow extends LinkRow {
  readonly source_then: EndContent | null;
  readonly source_now: EndNow | null;
  readonly target_then: EndContent | null;
  readonly target_now: EndNow | null;
}

/** A link with what its ends say, and said when it was confirmed. */
export const selectReviewedLink = (id: string): Statement => sql`
  select ${columns}, r.source_then, r.target_then, ${contentOf(sql`l.workspace_id`, sql`l.source_id`)} as source_now,
         ${contentOf(sql`l.workspace_id`, sql`l.target_id`)} as target_now
  from versioned_links l left join trace_link_reviews r on ${isReviewOf} and r.verdict = 'confirmed' where l.id = ${id}`;

export interface LinkFilters {
  readonly workspace_id?: string | undefined;
  readonly source_id?: string | undefined;
  readonly target_id?: string | undefined;
  readonly artifact_id?: string | undefined;
  readonly link_type?: readonly string[] | undefined;
  readonly origin?: readonly string[] | undefined;
  readonly work_product_id?: string | undefined;
  readonly search?: string | undefined;
  readonly suspect?: boolean | undefined;
  readonly dangling?: boolean | undefined;
  readonly rejected?: boolean | undefined;
  readonly assumed?: boolean | undefined;
}

const isKnown = (end: Statement): Statement => sql`
  exists (select from artifacts a where a.workspace_id = l.workspace_id and a.artifact_id = ${end})`;
const isDangling = sql`(not ${isKnown(sql`l.source_id`)} or not ${isKnown(sql`l.target_id`)})`;
/** An end that is gone is no change of content: the link is dangling then. */
const hasChanged = (end: Statement, then: Statement): Statement => sql`
  coalesce(${hashOf(end)} is distinct from ${then} and ${hashOf(end)} is not null, false)`;
const isSuspect = sql`
  exists (select from trace_link_reviews r where ${isReviewOf} and r.verdict = 'confirmed'
          and (${hasChanged(sql`l.source_id`, sql`r.source_hash`)} or ${hasChanged(sql`l.target_id`, sql`r.target_hash`)}))`;

/** Of a link `l`: nothing states it, and nobody has said yet whether it is one. */
export const isAssumed = sql`
  (l.assumed is not null and not l.rejected
   and not exists (select from trace_link_reviews r where ${isReviewOf} and r.verdict = 'confirmed'))`;

/** Confirmed links of a workspace (SQL) of which an end says something else since, and when the first of them was confirmed. */
export const countSuspectLinks = (workspaceId: Statement): Statement => sql`
  select count(*)::integer as count, min(r.reviewed_at) as since
  from trace_link_reviews r
  join trace_links l on ${isReviewOf} and not l.rejected
  where r.workspace_id = ${workspaceId} and r.verdict = 'confirmed'
    and (${hasChanged(sql`l.source_id`, sql`r.source_hash`)} or ${hasChanged(sql`l.target_id`, sql`r.target_hash`)})`;

/** What a list of links is sorted by; `selectLinkOfPage` has the rest. */
export function selectLinks(filters: LinkFilters): Statement {
  const all = sql`true`;
  const is = (column: Statement, value: string | undefined): Statement =>
    value === undefined ? all : sql`${column} = ${value}`;
  const whether = (condition: Statement, wanted: boolean | undefined): Statement =>
    wanted === undefined ? all : wanted ? condition : sql`not ${condition}`;
  const { artifact_id, search } = filters;
  return sql`
    select l.workspace_id, l.id, l.created_at, l.updated_at from versioned_links l
    where ${is(sql`l.workspace_id`, filters.workspace_id)}
      and ${is(sql`l.source_id`, filters.source_id)}
      and ${is(sql`l.target_id`, filters.target_id)}
      and ${artifact_id === undefined ? all : sql`(l.source_id = ${artifact_id} or l.target_id = ${artifact_id})`}
      and ${isAnyOf(sql`l.link_type`, filters.link_type)}
      and ${isAnyOf(sql`l.origin`, filters.origin)}
      and ${is(sql`l.work_product_id`, filters.work_product_id)}
      and ${search ? sql`(l.source_id ilike ${containing(search)} or l.target_id ilike ${containing(search)})` : all}
      and ${whether(sql`l.rejected`, filters.rejected)}
      and ${whether(isAssumed, filters.assumed)}
      and ${whether(isSuspect, filters.suspect)}
      and ${whether(isDangling, filters.dangling)}`;
}

/** The link that the row `page` names. */
export const selectLinkOfPage = sql`select ${columns} from versioned_links l where l.workspace_id = page.workspace_id and l.id = page.id`;

/** Links that count between two sets of artifacts, in either direction. */
export const selectBetween = (
  workspaceId: string,
  { from, to }: { readonly from: readonly string[]; readonly to: readonly string[] },
): Statement => sql`
  select ${columns} from versioned_links l
  where l.workspace_id = ${workspaceId} and not l.rejected
    and (l.source_id = any (${from}::text[]) and l.target_id = any (${to}::text[])
         or l.source_id = any (${to}::text[]) and l.target_id = any (${from}::text[]))`;

/** Links that count among artifacts, and those of one of them an end of which nothing defines. */
export const selectAround = (
  workspaceId: string,
  { centre, ids }: { readonly centre: string; readonly ids: readonly string[] },
): Statement => sql`
  select ${columns} from versioned_links l
  where l.workspace_id = ${workspaceId} and not l.rejected
    and (l.source_id = any (${ids}::text[]) and l.target_id = any (${ids}::text[])
         or (l.source_id = ${centre} or l.target_id = ${centre}) and ${isDangling})
  order by l.ordinal limit ${MOST_AROUND}`;

/** Links of a picture; more are no picture any more. */
const MOST_AROUND = 2000;

/** The row with the trace of its workspace locked. */
export async function lockLink(transaction: Transaction, id: string): Promise<LinkRow | undefined> {
  const found = await transaction.maybeOne<{ workspace_id: string }>(workspaceOfLink(id));
  if (!found) return undefined;
  await lockTrace(transaction, found.workspace_id);
  return transaction.maybeOne(selectLink(id));
}

/** Id as written of the artifact that an end names: by that id, or by the id of its resource. */
export const findEnd = async (
  transaction: Transaction,
  workspaceId: string,
  named: string,
): Promise<string | undefined> =>
  (
    await transaction.maybeOne<{ artifact_id: string }>(sql`
      select artifact_id from artifacts
      where workspace_id = ${workspaceId} and (artifact_id = ${named} or id::text = ${named})
      order by artifact_id = ${named} desc, origin limit 1`)
  )?.artifact_id;

export interface LinkKey {
  readonly workspace_id: string;
  readonly source_id: string;
  readonly target_id: string;
  readonly link_type: string;
}

/** The same link that counts already, whoever stated it. */
export const findCounted = (transaction: Transaction, key: LinkKey): Promise<{ id: string } | undefined> =>
  transaction.maybeOne(sql`
    select id from trace_links
    where workspace_id = ${key.workspace_id} and source_id = ${key.source_id} and target_id = ${key.target_id}
      and link_type = ${key.link_type} and not rejected
    order by origin limit 1`);

export async function insertLink(
  transaction: Transaction,
  link: LinkKey & { readonly id: string; readonly created_by: string },
): Promise<LinkRow> {
  await transaction.run(sql`
    insert into trace_links (workspace_id, id, origin, ordinal, source_id, target_id, link_type, stated_at, created_by)
    select ${link.workspace_id}, ${link.id}, 'manual', coalesce(max(ordinal), 1000000000) + 1, ${link.source_id},
           ${link.target_id}, ${link.link_type}, 'both', ${link.created_by}
    from trace_links where workspace_id = ${link.workspace_id} and origin = 'manual'`);
  return transaction.one(selectLink(link.id));
}

export const deleteLink = (transaction: Transaction, row: LinkRow): Promise<number> =>
  transaction.run(sql`delete from trace_links where workspace_id = ${row.workspace_id} and id = ${row.id}`);

/** Remembers that a link of the documents is none, as long as its ends say what they say now. */
export async function rejectLink(transaction: Transaction, row: LinkRow, by: string): Promise<void> {
  await transaction.run(sql`
    insert into trace_link_reviews (workspace_id, source_id, link_type, target_id, verdict, source_hash, target_hash,
                                    reviewed_by)
    values (${row.workspace_id}, ${row.source_id}, ${row.link_type}, ${row.target_id}, 'rejected', ${row.source_hash},
            ${row.target_hash}, ${by})
    on conflict (workspace_id, source_id, link_type, target_id) do update
      set verdict = 'rejected', source_hash = excluded.source_hash, target_hash = excluded.target_hash, bound = true,
          source_then = null, target_then = null, reviewed_by = excluded.reviewed_by, reviewed_at = now()`);
  await transaction.run(sql`
    update trace_links set rejected = true where workspace_id = ${row.workspace_id} and id = ${row.id}`);
}

/** Before an extraction is stored: what was rejected before ends were kept with it rests on what they still say. */
export const bindEarlierRejections = (transaction: Transaction, workspaceId: string): Promise<number> =>
  transaction.run(sql`
    update trace_link_reviews l
    set source_hash = ${hashOf(sql`l.source_id`)}, target_hash = ${hashOf(sql`l.target_id`)}, bound = true
    where l.workspace_id = ${workspaceId} and l.verdict = 'rejected' and l.bound is null`);

/**
 * After an extraction was stored: links that were rejected count for nothing again, but those of which an end says
 * something else now. Their rejection ends, with an audit event.
 */
export async function applyRejections(transaction: Transaction, workspaceId: string): Promise<void> {
  await transaction.run(sql`
    with ended as (
      delete from trace_link_reviews r using trace_links l
      where l.workspace_id = ${workspaceId} and l.origin = 'document' and ${isReviewOf} and r.verdict = 'rejected'
        and row (r.source_hash, r.target_hash)
            is distinct from row (${hashOf(sql`l.source_id`)}, ${hashOf(sql`l.target_id`)})
      returning l.id, r.reviewed_by, r.reviewed_at
    )
    insert into audit_events (workspace_id, action, target_type, target_id, before, after)
    select ${workspaceId}::uuid, 'trace_link.rejection_ended', 'trace_link', id,
           jsonb_build_object('rejected', true, 'by', reviewed_by, 'at', reviewed_at), '{"rejected": false}'::jsonb
    from ended order by id`);
  await transaction.run(sql`
    update trace_links l set rejected = false
    where l.workspace_id = ${workspaceId} and l.origin = 'document' and l.rejected
      and not exists (select from trace_link_reviews r where ${isReviewOf} and r.verdict = 'rejected')`);
  await transaction.run(sql`
    update trace_links l set rejected = true from trace_link_reviews r
    where l.workspace_id = ${workspaceId} and l.origin = 'document' and not l.rejected and ${isReviewOf}
      and r.verdict = 'rejected'`);
}

/** Remembers what both ends of links say now. Links that were rejected count again. */
export async function confirmLinks(
  transaction: Transaction,
  workspaceId: string,
  { ids, by }: { readonly ids: readonly string[]; readonly by: string },
): Promise<void> {
  await transaction.run(sql`
    insert into trace_link_reviews as known (workspace_id, source_id, link_type, target_id, verdict, source_hash,
                                             target_hash, source_then, target_then, reviewed_by)
    select distinct on (l.source_id, l.link_type, l.target_id)
           l.workspace_id, l.source_id, l.link_type, l.target_id, 'confirmed', s.content ->> 'content_hash',
           t.content ->> 'content_hash', s.content - ${NOT_KEPT}::text[], t.content - ${NOT_KEPT}::text[], ${by}::uuid
    from trace_links l
    cross join lateral (select ${contentOf(sql`l.workspace_id`, sql`l.source_id`)} as content) s
    cross join lateral (select ${contentOf(sql`l.workspace_id`, sql`l.target_id`)} as content) t
    where l.workspace_id = ${workspaceId} and l.id = any (${ids}::uuid[])
    order by l.source_id, l.link_type, l.target_id
    on conflict (workspace_id, source_id, link_type, target_id) do update
      set verdict = 'confirmed', source_hash = excluded.source_hash, target_hash = excluded.target_hash,
          source_then = excluded.source_then, target_then = excluded.target_then, reviewed_by = excluded.reviewed_by, reviewed_at = now()`);
  await transaction.run(sql`
    update trace_links l set rejected = false from trace_link_reviews r
    where l.workspace_id = ${workspaceId} and l.rejected and ${isReviewOf} and r.verdict = 'confirmed'`);
}

/**
 * After an extraction was stored: links that an archive brought along as confirmed. What an end says is what it said then
 * where its hash is the same.
 */
export const keepConfirmedTexts = (transaction: Transaction, workspaceId: string): Promise<number> =>
  transaction.run(sql`
    update trace_link_reviews r
    set source_then = coalesce(r.source_then, case when s.content ->> 'content_hash' = r.source_hash
                                                   then s.content - ${NOT_KEPT}::text[] end),
        target_then = coalesce(r.target_then, case when t.content ->> 'content_hash' = r.target_hash
                                                   then t.content - ${NOT_KEPT}::text[] end)
    from trace_link_reviews o
    cross join lateral (select ${contentOf(sql`o.workspace_id`, sql`o.source_id`)} as content) s
    cross join lateral (select ${contentOf(sql`o.workspace_id`, sql`o.target_id`)} as content) t
    where o.workspace_id = ${workspaceId} and o.verdict = 'confirmed' and (o.source_then is null or o.target_then is null)
      and r.workspace_id = o.workspace_id and r.source_id = o.source_id and r.link_type = o.link_type
      and r.target_id = o.target_id
      and (o.source_then is null and s.content ->> 'content_hash' = o.source_hash
           or o.target_then is null and t.content ->> 'content_hash' = o.target_hash)`);

/** Ids of all links of a workspace that nothing states, with both ends defined, and that nobody confirmed. */
export const findAssumed = async (transaction: Transaction, workspaceId: string): Promise<string[]> =>
  (
    await transaction.many<{ id: string }>(sql`
      select l.id from trace_links l
      where l.workspace_id = ${workspaceId} and ${isAssumed} and not ${isDangling} order by l.ordinal`)
  ).map(({ id }) => id);

/** Of the named links of a workspace: their ids, and whether an end of one is not defined. */
export const findLinks = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly dangling: boolean }[]> =>
  transaction.many(sql`
    select l.id, ${isDangling} as dangling from trace_links l
    where l.workspace_id = ${workspaceId} and l.id = any (${ids}::uuid[])`);
