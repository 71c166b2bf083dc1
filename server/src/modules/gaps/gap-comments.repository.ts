import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

export interface CommentRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly gap_id: string;
  readonly author_id: string;
  /** Of somebody in an imported archive. */
  readonly author_name: string | null;
  readonly text: string | null;
  readonly created_at: string;
  readonly deleted_at: string | Date | null;
}

const authorName = sql`(
  select i.name from imported_people i where i.workspace_id = c.workspace_id and i.id = c.author_id)`;

export const selectComments = (gapId: string): Statement =>
  sql`select c.*, ${authorName} as author_name from gap_comments c where c.gap_id = ${gapId}`;

/** The new comment; undefined when there is no such gap. */
export const insertComment = (
  transaction: Transaction,
  comment: { readonly gapId: string; readonly authorId: string; readonly text: string },
): Promise<CommentRow | undefined> =>
  transaction.maybeOne(sql`
    insert into gap_comments as c (workspace_id, gap_id, author_id, text)
    select workspace_id, id, ${comment.authorId}, ${comment.text} from gaps where id = ${comment.gapId}
    returning c.*, null as author_name`);

export const lockComment = (
  transaction: Transaction,
  ids: { readonly gap_id: string; readonly comment_id: string },
): Promise<CommentRow | undefined> =>
  transaction.maybeOne(sql`
    select c.*, ${authorName} as author_name from gap_comments c
    where c.gap_id = ${ids.gap_id} and c.id = ${ids.comment_id} for update of c`);

export const takeBackComment = (transaction: Transaction, row: CommentRow): Promise<number> =>
  transaction.run(sql`
    update gap_comments set text = null, deleted_at = now()
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);
