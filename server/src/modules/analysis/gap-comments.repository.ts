import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

export interface CommentRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly gap_id: string;
  readonly author_id: string;
  readonly text: string | null;
  readonly created_at: string;
  readonly deleted_at: string | Date | null;
}

export const selectComments = (gapId: string): Statement =>
  sql`select * from gap_comments where gap_id = ${gapId}`;

/** The new comment; undefined when there is no such gap. */
export const insertComment = (
  transaction: Transaction,
  comment: { readonly gapId: string; readonly authorId: string; readonly text: string },
): Promise<CommentRow | undefined> =>
  transaction.maybeOne(sql`
    insert into gap_comments (workspace_id, gap_id, author_id, text)
    select workspace_id, id, ${comment.authorId}, ${comment.text} from gaps where id = ${comment.gapId}
    returning *`);

export const lockComment = (
  transaction: Transaction,
  ids: { readonly gap_id: string; readonly comment_id: string },
): Promise<CommentRow | undefined> =>
  transaction.maybeOne(sql`
    select * from gap_comments where gap_id = ${ids.gap_id} and id = ${ids.comment_id} for update`);

export const takeBackComment = (transaction: Transaction, row: CommentRow): Promise<number> =>
  transaction.run(sql`
    update gap_comments set text = null, deleted_at = now()
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);
