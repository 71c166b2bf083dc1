import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import { languageOf } from '../../platform/http/language.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { readChecklistDetail } from '../checklists/checklists.service.js';
import { readKept } from '../documents/kept-documents.js';
import { requireMailsLeft } from '../mails/mails.service.js';
import { type StandardRow, selectStandard } from '../standards/standards.repository.js';
import { criteriaOf } from '../standards/standards.service.js';
import { mailMentionJob } from './comments.jobs.js';
import * as repository from './comments.repository.js';
import {
  type Comment,
  type CommentChange,
  EDITED_MINUTES,
  type NewComment,
  type Subject,
} from './comments.schemas.js';

type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'request' | 'dependencies' | 'now'>;

export const toComment = (row: repository.CommentRow): Comment => ({
  id: row.id,
  workspace_id: row.workspace_id,
  about: row.about,
  gap_id: row.gap_id,
  standard_id: row.standard_id,
  criterion_id: row.criterion_id,
  artifact_id: row.artifact_id,
  checklist_id: row.checklist_id,
  item_id: row.item_id,
  work_product_id: row.work_product_id,
  version: row.version,
  range: row.range_start === null ? null : { start: row.range_start, end: row.range_end ?? 0 },
  quote: row.quote,
  author: row.author_id,
  author_name: row.author_name,
  text: row.text,
  mentions: [...row.mentions],
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
  edited_at: timestampOrNull(row.edited_at),
  resolved_at: timestampOrNull(row.resolved_at),
  resolved_by: row.resolved_by,
  deleted_at: timestampOrNull(row.deleted_at),
});

/**
 * Says something about a thing of a workspace. The words of a range are read out of the document, whatever the caller thinks
 * stands there. Who is mentioned finds it in their work, and is mailed where this service sends mails. Throws 404 for what is
 * not there, 422 for a range beyond the text and for somebody who is no member.
 */
export async function addComment(context: Writing, body: NewComment): Promise<Comment> {
  const { transaction, caller } = context;
  const { workspace_id: workspaceId, range, text, mentions = [] } = body;
  await requireSubject(context, body);
  await requireMembers(context, workspaceId, mentions);
  const quote = await quoteOf(context, body);
  const row = await repository.insertComment(transaction, {
    ...body,
    workspaceId,
    authorId: caller.userId,
    text,
    mentions,
    range,
    quote,
  });
  await note(context, row, 'commented');
  await repository.announce(transaction, row);
  await mailMentions(context, row, mentions);
  return toComment(row);
}

/** Throws 403 for words of others, 409 for those that stand for longer than five minutes, 404 for one taken back. */
export async function changeComment(
  context: Writing,
  id: string,
  { text, mentions, resolved }: CommentChange,
): Promise<Comment> {
  const { transaction, caller, now } = context;
  const before = await lockOpen(context, id);
  const isEdit = text !== undefined || mentions !== undefined;
  if (isEdit) {
    if (before.author_id !== caller.userId) {
      throw new ApiError('AUTHORIZATION_ERROR', 'Only who wrote a comment can change what it says.');
    }
    if (now.getTime() - new Date(before.created_at).getTime() > EDITED_MINUTES * 60_000) {
      throw new ApiError(
        'CONFLICT',
        `A comment is edited within ${EDITED_MINUTES} minutes. Take it back, or write another one.`,
      );
    }
    await requireMembers(context, before.workspace_id, mentions ?? []);
  }
  const isResolved = resolved ?? before.resolved_at !== null;
  const stays = isResolved === (before.resolved_at !== null);
  const row = await repository.updateComment(transaction, before, {
    text: text ?? before.text ?? '',
    mentions: mentions ?? before.mentions,
    editedAt: isEdit ? now : before.edited_at,
    resolvedAt: stays ? before.resolved_at : isResolved ? now : null,
    resolvedBy: stays ? before.resolved_by : isResolved ? caller.userId : null,
  });
  if (isEdit) await note(context, row, 'comment_edited');
  if (!stays) await note(context, row, isResolved ? 'comment_resolved' : 'comment_reopened');
  await repository.announce(transaction, row);
  await mailMentions(
    context,
    row,
    (mentions ?? []).filter((one) => !before.mentions.includes(one)),
  );
  return toComment(row);
}

/** Throws 403 for those of others, 404 for one taken back. */
export async function deleteComment(context: Writing, id: string): Promise<void> {
  const row = await lockOpen(context, id);
  if (row.author_id !== context.caller.userId) {
    throw new ApiError('AUTHORIZATION_ERROR', 'Only who wrote a comment can take it back.');
  }
  await repository.takeBackComment(context.transaction, row);
  await note(context, row, 'comment_deleted');
  await repository.announce(context.transaction, row);
}

async function lockOpen({ transaction }: Writing, id: string): Promise<repository.CommentRow> {
  const row = await repository.lockComment(transaction, id);
  if (!row || row.deleted_at !== null) throw notFound('comment');
  return row;
}

/** Throws 404. */
async function requireSubject({ transaction }: Writing, body: NewComment): Promise<void> {
  const {
    workspace_id: workspaceId,
    about,
    checklist_id = '',
    item_id,
    standard_id = '',
    criterion_id,
  } = body;
  const isThere = await (async () => {
    if (about === 'checklist_item') {
      const { workspace_id, items } = await readChecklistDetail(checklist_id, (statement) =>
        transaction.many(statement),
      );
      return (workspace_id ?? workspaceId) === workspaceId && items.some(({ id }) => id === item_id);
    }
    if (about === 'criterion') {
      const standard = await transaction.maybeOne<StandardRow>(selectStandard(standard_id));
      if (standard?.workspace_id !== workspaceId) return false;
      const criteria = await criteriaOf(standard, (statement) => transaction.many(statement));
      return criteria.some(({ id }) => id === criterion_id);
    }
    return repository.hasSubject(transaction, workspaceId, { ...body, about });
  })();
  if (!isThere) throw notFound(NOUN[about]);
}

const NOUN: Readonly<Record<Subject['about'], string>> = {
  gap: 'gap',
  criterion: 'criterion',
  artifact: 'artifact',
  checklist_item: 'item of a checklist',
  document: 'work product',
};

async function requireMembers(
  { transaction }: Writing,
  workspaceId: string,
  people: readonly string[],
): Promise<void> {
  if (people.length === 0) return;
  const members = await repository.membersAmong(transaction, workspaceId, people);
  if (people.every((one) => members.has(one))) return;
  throw invalid('body.mentions', 'Only members of the workspace can be mentioned.', 'unknown');
}

async function quoteOf(
  { transaction, dependencies }: Writing,
  { workspace_id: workspaceId, work_product_id: id, version, range }: NewComment,
): Promise<string | undefined> {
  if (id === undefined || version === undefined) return undefined;
  const read = await repository.findReadVersion(transaction, { workspaceId, id, version });
  if (!read) throw notFound('version of a work product');
  if (!range) return undefined;
  if (read.parsed_key === null) {
    throw new ApiError('CONFLICT', 'This version has not been read: it has no text yet.');
  }
  const document = await readKept(dependencies.storage.within(workspaceId), read.parsed_key);
  const words = document.text.slice(range.start, range.end);
  if (range.end > document.text.length || words.trim() === '') {
    throw invalid('body.range', 'There are no words at this range of the document.', 'out_of_range');
  }
  return words;
}

async function mailMentions(
  { transaction, caller, request, dependencies }: Writing,
  row: repository.CommentRow,
  people: readonly string[],
): Promise<void> {
  const { configuration, database, queue } = dependencies;
  if (!configuration.mail) return;
  const language = languageOf(request.headers['accept-language']);
  for (const userId of new Set(people)) {
    if (userId === caller.userId) continue;
    try {
      await requireMailsLeft(database, { userId: caller.userId, to: userId });
    } catch (error) {
      // Told in their work all the same: a comment is no reason to fill a mailbox.
      if (error instanceof ApiError && error.code === 'RATE_LIMITED') continue;
      throw error;
    }
    await queue.enqueue(transaction, mailMentionJob, {
      workspaceId: row.workspace_id,
      commentId: row.id,
      userId,
      language,
    });
  }
}

/** Without the text: it could not be taken back from the audit log. */
function note(
  { transaction, caller, request }: Writing,
  row: repository.CommentRow,
  action: string,
): Promise<void> {
  const [targetType, targetId] = targetOf(row);
  return recordAudit(transaction, {
    workspaceId: row.workspace_id,
    action: `${row.about === 'document' ? 'work_product' : row.about}.${action}`,
    targetType,
    targetId,
    actorId: caller.userId,
    after: { comment_id: row.id },
    requestId: request.id,
  });
}

function targetOf(row: repository.CommentRow): readonly [type: string, id: string] {
  switch (row.about) {
    case 'gap':
      return ['gap', row.gap_id ?? ''];
    case 'criterion':
      return ['criterion', `${row.standard_id}/${row.criterion_id}`];
    case 'artifact':
      return ['artifact', row.artifact_id ?? ''];
    case 'checklist_item':
      return ['checklist_item', `${row.checklist_id}/${row.item_id}`];
    case 'document':
      return ['work_product', row.work_product_id ?? ''];
  }
}
