import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { Language } from '../../platform/http/language.js';
import { refusalIn } from '../../platform/http/refusals.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { refuseStrangers } from './change-gaps.service.js';
import { findIds } from './gaps.repository.js';
import { changeManyGapsJob } from './many-gaps.jobs.js';
import * as repository from './many-gaps.repository.js';
import { MOST_OF_A_JOB, type NewGapsChange, type StartedGapsChange } from './many-gaps.schemas.js';

type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'request' | 'reply' | 'dependencies' | 'now'>;

/** In the language of whoever reads it, who need not be the one who asked. */
export const toStartedChange = (
  row: repository.GapsChangeRow,
  language: Language = 'en',
): StartedGapsChange => ({
  id: row.id,
  workspace_id: row.workspace_id,
  status: row.status,
  error: row.error && refusalIn(language, row.error),
  undoes: row.undoes,
  undone_by: row.undone_by,
  total: row.total,
  done: row.done,
  changed: row.changed,
  proposed: row.proposed,
  refused: row.refused,
  refusal: row.refusal && refusalIn(language, row.refusal),
  created_by: row.created_by,
  created_at: timestamp(row.created_at),
  finished_at: timestampOrNull(row.finished_at),
});

/** Writes down which gaps are meant now, and has a job change them. Throws 409 where a filter finds others than the caller saw. */
export async function startChange(context: Writing, body: NewGapsChange): Promise<StartedGapsChange> {
  const { transaction, caller, now } = context;
  await refuseStrangers(context, body.workspace_id, body.change, 'body.change.');
  const ids =
    body.ids ??
    (await findIds(transaction, {
      filters: { ...body.filter, workspace_id: body.workspace_id },
      reader: { userId: caller.userId, now },
      limit: MOST_OF_A_JOB + 1,
    }));
  if (body.filter && ids.length !== body.expected_total) {
    const seen = ids.length > MOST_OF_A_JOB ? `more than ${MOST_OF_A_JOB}` : ids.length;
    throw new ApiError(
      'CONFLICT',
      `The filter matches ${seen} gaps now, not ${body.expected_total}. Read the list again.`,
    );
  }
  return begin(context, {
    workspaceId: body.workspace_id,
    change: body.change,
    undoes: null,
    total: ids.length,
    items: (of) => repository.insertItems(transaction, of, ids),
  });
}

/** Has a job make everything what it was before a change, also one that was stopped half way. Throws 409 where that happens already. */
export async function undoChange(context: Writing, id: string): Promise<StartedGapsChange> {
  const { transaction } = context;
  const row = await lockNamed(context, id);
  if (row.finished_at === null)
    throw new ApiError('CONFLICT', 'Stop this change first, or wait for its end.');
  if (row.undone_by !== null) throw new ApiError('CONFLICT', 'This change has been taken back already.');
  const of = { workspaceId: row.workspace_id, changeId: row.id };
  const { count } = await repository.countChanged(transaction, of);
  if (count === 0) throw new ApiError('CONFLICT', 'This change changed no gap.');
  return begin(context, {
    workspaceId: row.workspace_id,
    change: null,
    undoes: row.id,
    total: count,
    items: (made) => repository.insertWayBack(transaction, made, row.id),
  });
}

/** Ends a change after the part that is on its way. One that has ended stays as it is. */
export async function stopChange(context: Writing, id: string): Promise<StartedGapsChange> {
  const { transaction } = context;
  const row = await lockNamed(context, id);
  const of = { workspaceId: row.workspace_id, changeId: row.id };
  if ((await repository.endChange(transaction, of, { status: 'stopped', error: null })) > 0) {
    await recordAct(context, of, {
      action: 'gap.change_of_many_stopped',
      after: { done: row.done, total: row.total },
    });
  }
  return toStartedChange(await transaction.one(repository.selectChange(id)));
}

async function lockNamed({ transaction }: Writing, id: string): Promise<repository.GapsChangeRow> {
  const row = await transaction.maybeOne<repository.GapsChangeRow>(repository.selectChange(id));
  if (!row) throw notFound('change');
  const of = { workspaceId: row.workspace_id, changeId: row.id };
  return (await repository.lockChange(transaction, of)) ?? row;
}

/** Each gap has an event of its own; this one says that they belong together. */
const recordAct = (
  { transaction, caller, request }: Writing,
  { workspaceId, changeId }: { readonly workspaceId: string; readonly changeId: string },
  { action, after }: { readonly action: string; readonly after: object },
): Promise<void> =>
  recordAudit(transaction, {
    workspaceId,
    targetType: 'gap_change',
    targetId: changeId,
    action,
    actorId: caller.userId,
    after: { ...after },
    requestId: request.id,
  });

async function begin(
  context: Writing,
  {
    workspaceId,
    change,
    undoes,
    total,
    items,
  }: Pick<repository.GapsChangeRow, 'change' | 'undoes' | 'total'> & {
    readonly workspaceId: string;
    readonly items: (of: { readonly workspaceId: string; readonly changeId: string }) => Promise<unknown>;
  },
): Promise<StartedGapsChange> {
  const { transaction, caller, request, reply, dependencies } = context;
  const { userId } = caller;
  const made = { workspaceId, change, undoes, total, userId, requestId: request.id };
  const { id } = await repository.insertChange(transaction, made);
  const of = { workspaceId, changeId: id };
  await items(of);
  await dependencies.queue.enqueue(transaction, changeManyGapsJob, of);
  await recordAct(context, of, {
    action: 'gap.change_of_many_started',
    after: { total, ...(undoes === null ? {} : { undoes }) },
  });
  reply.header('location', `/api/v1/analysis/gap-changes/${id}`);
  return toStartedChange(await transaction.one(repository.selectChange(id)));
}
