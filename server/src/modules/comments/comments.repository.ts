import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { SUBJECTS, Subject } from './comments.schemas.js';

export interface CommentRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly about: (typeof SUBJECTS)[number];
  readonly gap_id: string | null;
  readonly standard_id: string | null;
  readonly criterion_id: string | null;
  readonly artifact_id: string | null;
  readonly checklist_id: string | null;
  readonly item_id: string | null;
  readonly work_product_id: string | null;
  readonly version: number | null;
  readonly range_start: number | null;
  readonly range_end: number | null;
  readonly quote: string | null;
  readonly author_id: string;
  /** Of somebody in an imported archive. */
  readonly author_name: string | null;
  readonly text: string | null;
  readonly mentions: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly edited_at: string | null;
  readonly resolved_at: string | null;
  readonly resolved_by: string | null;
  readonly deleted_at: string | null;
}

const columns = sql`
  c.*, greatest(c.created_at, c.edited_at, c.resolved_at, c.deleted_at) as updated_at,
  (select i.name from imported_people i where i.workspace_id = c.workspace_id and i.id = c.author_id) as author_name`;

/** What comments are about, as a condition on `c`. */
export function isAbout(subject: Subject): Statement {
  const is = (column: Statement, value: string | number | undefined): Statement =>
    value === undefined ? sql`true` : sql`${column} = ${value}`;
  return sql`
    c.about = ${subject.about} and ${is(sql`c.gap_id`, subject.gap_id)}
    and ${is(sql`c.standard_id`, subject.standard_id)} and ${is(sql`c.criterion_id`, subject.criterion_id)}
    and ${is(sql`c.artifact_id`, subject.artifact_id)} and ${is(sql`c.checklist_id`, subject.checklist_id)}
    and ${is(sql`c.item_id`, subject.item_id)} and ${is(sql`c.work_product_id`, subject.work_product_id)}
    and ${is(sql`c.version`, subject.version)}`;
}

export const selectComments = (
  workspaceId: string,
  subject: Subject,
  resolved: boolean | undefined,
): Statement => sql`
  select ${columns} from comments c
  where c.workspace_id = ${workspaceId} and ${isAbout(subject)}
    and (${resolved ?? null}::boolean is null or (c.resolved_at is not null) = ${resolved ?? null}::boolean)`;

export const selectCommentsOfGap = (gapId: string): Statement =>
  sql`select ${columns} from comments c where c.gap_id = ${gapId}`;

export const workspaceOfComment = (id: string): Statement =>
  sql`select workspace_id from comments where id = ${id}`;

export const insertComment = (
  transaction: Transaction,
  comment: Subject & {
    readonly workspaceId: string;
    readonly authorId: string;
    readonly text: string;
    readonly mentions: readonly string[];
    readonly range: { readonly start: number; readonly end: number } | undefined;
    readonly quote: string | undefined;
  },
): Promise<CommentRow> =>
  transaction.one(sql`
    insert into comments as c (workspace_id, about, gap_id, standard_id, criterion_id, artifact_id, checklist_id, item_id,
                               work_product_id, version, range_start, range_end, quote, author_id, text, mentions)
    values (${comment.workspaceId}, ${comment.about}, ${comment.gap_id ?? null}, ${comment.standard_id ?? null},
            ${comment.criterion_id ?? null}, ${comment.artifact_id ?? null}, ${comment.checklist_id ?? null},
            ${comment.item_id ?? null}, ${comment.work_product_id ?? null}, ${comment.version ?? null},
            ${comment.range?.start ?? null}, ${comment.range?.end ?? null}, ${comment.quote ?? null},
            ${comment.authorId}, ${comment.text}, ${comment.mentions}::uuid[])
    returning ${columns}`);

export const lockComment = (transaction: Transaction, id: string): Promise<CommentRow | undefined> =>
  transaction.maybeOne(sql`select ${columns} from comments c where c.id = ${id} for update of c`);

export const updateComment = (
  transaction: Transaction,
  row: CommentRow,
  change: {
    readonly text: string;
    readonly mentions: readonly string[];
    readonly editedAt: Date | string | null;
    readonly resolvedAt: Date | string | null;
    readonly resolvedBy: string | null;
  },
): Promise<CommentRow> =>
  transaction.one(sql`
    update comments c set text = ${change.text}, mentions = ${change.mentions}::uuid[], edited_at = ${change.editedAt},
           resolved_at = ${change.resolvedAt}, resolved_by = ${change.resolvedBy}
    where c.workspace_id = ${row.workspace_id} and c.id = ${row.id} returning ${columns}`);

export const takeBackComment = (transaction: Transaction, row: CommentRow): Promise<number> =>
  transaction.run(sql`
    update comments set text = null, deleted_at = now()
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);

/** Whether there is the gap, document or artifact; artifacts are known by what documents call them. */
export const hasSubject = async (
  transaction: Transaction,
  workspaceId: string,
  subject: Subject & { readonly about: 'gap' | 'artifact' | 'document' },
): Promise<boolean> => {
  const of = sql`workspace_id = ${workspaceId}`;
  const found: Readonly<Record<typeof subject.about, Statement>> = {
    gap: sql`select from gaps where ${of} and id = ${subject.gap_id ?? null}`,
    artifact: sql`select from artifacts where ${of} and artifact_id = ${subject.artifact_id ?? null}`,
    document: sql`select from work_products where ${of} and id = ${subject.work_product_id ?? null} and deleted_at is null`,
  };
  return (await transaction.one<{ found: boolean }>(sql`select exists (${found[subject.about]}) as found`))
    .found;
};

/** Where the text of a version lies; undefined where there is no such version. */
export const findReadVersion = (
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly id: string; readonly version: number },
): Promise<{ parsed_key: string | null } | undefined> =>
  transaction.maybeOne(sql`
    select parsed_key from work_product_versions
    where workspace_id = ${place.workspaceId} and work_product_id = ${place.id} and version = ${place.version}`);

/** Of these people those who are members. */
export const membersAmong = async (
  transaction: Transaction,
  workspaceId: string,
  people: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await transaction.many<{ user_id: string }>(sql`
        select user_id from workspace_members
        where workspace_id = ${workspaceId} and user_id = any (${people}::uuid[])`)
    ).map(({ user_id }) => user_id),
  );

/** Tells who watches the workspace. */
export const announce = (transaction: Transaction, row: CommentRow): Promise<number> =>
  transaction.run(sql`
    select app.add_event(${row.workspace_id}, null, 'comments_changed', ${JSON.stringify({
      comment_id: row.id,
      about: row.about,
      gap_id: row.gap_id,
    })}::jsonb)`);

// Below: as the system, for a mail.

/** Where a mail about a mention goes: null for somebody whose address nobody has verified, or who is no member any more. */
export const findMentioned = (
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly userId: string; readonly authorId: string },
): Promise<{ email: string; author: string | null } | undefined> =>
  transaction.maybeOne(sql`
    select p.email, case when a.email_verified then a.email end as author
    from workspace_members m
    join profiles p on p.id = m.user_id and p.email_verified and p.deactivated_at is null
    left join profiles a on a.id = ${place.authorId}
    where m.workspace_id = ${place.workspaceId} and m.user_id = ${place.userId}`);

/** A comment that still says something to be told of. */
export const findOpenComment = (transaction: Transaction, id: string): Promise<CommentRow | undefined> =>
  transaction.maybeOne(sql`
    select ${columns} from comments c where c.id = ${id} and c.deleted_at is null and c.resolved_at is null`);
