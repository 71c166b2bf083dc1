import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import * as lists from './work-product-lists.repository.js';
import type { WorkProductRow } from './work-products.repository.js';
import { MOST_AT_ONCE, type WorkProductsChange, type WorkProductsDeletion } from './work-products.schemas.js';
import {
  applyChange,
  refuseUnknownType,
  removeLocked,
  requireOwn,
  retrace,
} from './work-products.service.js';

type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'request' | 'dependencies' | 'grant'>;

/** Changes many work products of one workspace alike: all of them, or none. */
export async function changeWorkProducts(
  context: Writing,
  body: WorkProductsChange,
): Promise<{ readonly changed: number; readonly unchanged: number }> {
  const { add_tags = [], remove_tags = [], ...change } = body.change;
  await refuseUnknownType(change.category, 'body.change.category');
  const rows = await lockAll(context, body);
  let changed = 0;
  let retyped: WorkProductRow | undefined;
  for (const row of rows) {
    const tags = [...new Set([...row.tags.filter((tag) => !remove_tags.includes(tag)), ...add_tags])];
    if (tags.length > MOST_TAGS) {
      throw new ApiError('CONFLICT', `"${row.name}" would have more than ${MOST_TAGS} tags.`, { id: row.id });
    }
    const isAsWished =
      tags.join('\n') === row.tags.join('\n') &&
      (change.ai_excluded ?? row.ai_excluded) === row.ai_excluded &&
      (change.category === undefined ||
        (change.category === null
          ? !row.category_chosen
          : row.category_chosen && change.category === row.category));
    if (isAsWished) continue;
    const after = await applyChange(context, row, { ...change, tags });
    if (after.category !== row.category && row.version > 0) retyped = row;
    changed += 1;
  }
  if (retyped) await retrace(context.dependencies, context.transaction, retyped);
  return { changed, unchanged: rows.length - changed };
}

/** Takes many work products of one workspace away: all of them, or none. */
export async function removeWorkProducts(context: Writing, body: WorkProductsDeletion): Promise<number> {
  const rows = await lockAll(context, body);
  requireOwn(context, rows);
  return removeLocked(context, rows, body.documents);
}

const MOST_TAGS = 20;

/** Those that the ids or the filter name. Throws 404 with the ids that name nothing, 409 for another total than was seen. */
async function lockAll(
  { transaction }: Writing,
  body: Pick<WorkProductsChange, 'workspace_id' | 'ids' | 'filter' | 'expected_total'>,
): Promise<readonly WorkProductRow[]> {
  const workspaceId = body.workspace_id;
  const ids =
    body.ids ??
    (await lists.findIds(transaction, { ...body.filter, workspace_id: workspaceId }, MOST_AT_ONCE + 1));
  if (body.ids === undefined && ids.length !== body.expected_total) {
    const seen = ids.length > MOST_AT_ONCE ? `more than ${MOST_AT_ONCE}` : ids.length;
    throw new ApiError(
      'CONFLICT',
      `The filter matches ${seen} work products now, not ${body.expected_total}. Read the list again.`,
    );
  }
  const rows = await lists.lockWorkProducts(transaction, workspaceId, ids);
  if (rows.length === ids.length) return rows;
  const known = new Set(rows.map(({ id }) => id));
  const { code, message } = notFound('work product');
  throw new ApiError(code, message, { items: ids.filter((id) => !known.has(id)).map((id) => ({ id })) });
}
