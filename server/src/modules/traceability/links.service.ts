import { normaliseText } from '@normtrace/engine';
import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { compareWords } from '../document-view/compare-blocks.js';
import { rangeOf, toLocation } from '../gaps/gaps.service.js';
import { tellWorkspace } from '../runs/tell-workspace.js';
import { lockTrace } from './artifacts.repository.js';
import { noteChange } from './extraction.repository.js';
import * as repository from './links.repository.js';
import {
  COMPARED,
  type EndContent,
  type LinkConfirmation,
  type NewTraceLink,
  type ReviewedEnd,
  type TraceLink,
  type TraceLinkReview,
} from './links.schemas.js';
import { storableId, traceRowId } from './trace-columns.js';

type Writing = Pick<WriteContext, 'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies'>;

export function toTraceLink(row: repository.LinkRow): TraceLink {
  const { confirmation } = row;
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    source_id: row.source_id,
    target_id: row.target_id,
    link_type: row.link_type,
    origin: row.origin,
    stated_at: row.stated_at,
    rejected: row.rejected,
    assumed: confirmation ? null : row.assumed,
    dangling: which(row.source_hash === null, row.target_hash === null),
    suspect: confirmation
      ? which(
          row.source_hash !== null && row.source_hash !== confirmation.source_hash,
          row.target_hash !== null && row.target_hash !== confirmation.target_hash,
        )
      : null,
    confirmed_by: confirmation?.by ?? null,
    confirmed_at: confirmation && timestamp(confirmation.at),
    work_product_id: row.work_product_id,
    version: row.version,
    location: row.location && toLocation(row.location),
    quote: row.quote,
    range: rangeOf(row),
    created_by: row.created_by,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** What changed at both ends since the link was confirmed. */
export const toReview = (row: repository.ReviewedLinkRow): TraceLinkReview => ({
  link: toTraceLink(row),
  source: toEnd(row.source_id, row.source_then, row.source_now),
  target: toEnd(row.target_id, row.target_then, row.target_now),
});

function toEnd(
  artifactId: string,
  then: repository.EndContent | null,
  now: repository.EndNow | null,
): ReviewedEnd {
  const [before, after] = [then && toContent(then), now && toContent(now)];
  const isOther = (name: (typeof COMPARED)[number]): boolean =>
    normalised(before?.[name]) !== normalised(after?.[name]);
  const changed = before && after ? COMPARED.filter(isOther) : [];
  return {
    artifact_id: artifactId,
    before: before,
    now: after && now && { ...after, id: now.id },
    changed,
    words: before && after && changed.includes('text') ? changedWords(before.text, after.text) : null,
  };
}

function changedWords(before: string, after: string): NonNullable<ReviewedEnd['words']> {
  let [b, a] = [0, 0];
  return compareWords(before, after).map(([op, letters]) => {
    const text = op === 'insert' ? after.slice(a, a + letters) : before.slice(b, b + letters);
    if (op !== 'insert') b += letters;
    if (op !== 'delete') a += letters;
    return { op, text };
  });
}

/** White space and case do not count, as in a content hash. */
const normalised = (value: unknown): string =>
  typeof value === 'string' ? normaliseText(value) : JSON.stringify(value ?? null);

const toContent = ({ facts, ...said }: repository.EndContent): EndContent => ({
  type: said.type,
  name: said.name,
  text: said.text,
  asil: said.asil,
  cal: facts?.cal ?? null,
  risk: facts?.risk ?? null,
  ratings: facts?.ratings ? { ...facts.ratings } : null,
  result: facts?.result ?? null,
  needs: facts?.needs ? [...facts.needs] : null,
  work_product_id: said.work_product_id,
  version: said.version,
});

const which = (source: boolean, target: boolean): 'source' | 'target' | 'both' | null =>
  source ? (target ? 'both' : 'source') : target ? 'target' : null;

/** Adds a link between two artifacts of the workspace. */
export async function addLink(
  { transaction, caller, request, dependencies }: Writing,
  input: z.output<typeof NewTraceLink>,
): Promise<TraceLink> {
  const { workspace_id, link_type } = input;
  await lockTrace(transaction, workspace_id);
  const end = async (field: 'source_id' | 'target_id'): Promise<string> => {
    const found = await repository.findEnd(transaction, workspace_id, storableId(input[field]));
    if (found === undefined) {
      throw invalid(`body.${field}`, 'The workspace has no artifact with this id.', 'unknown');
    }
    return found;
  };
  // Before both are looked up: it is wrong whether or not they exist.
  if (storableId(input.source_id) === storableId(input.target_id)) throw selfLink();
  const key = {
    workspace_id,
    source_id: await end('source_id'),
    target_id: await end('target_id'),
    link_type,
  };
  if (key.source_id === key.target_id) throw selfLink();
  const same = await repository.findCounted(transaction, key);
  if (same) {
    throw new ApiError('CONFLICT', 'The workspace has this link already.', {
      reason: 'duplicate_link',
      link_id: same.id,
    });
  }
  const row = await repository.insertLink(transaction, {
    ...key,
    id: traceRowId(workspace_id, 'manual', key.source_id, link_type, key.target_id),
    created_by: caller.userId,
  });
  await noteChange({ transaction, dependencies }, workspace_id);
  await recordAudit(transaction, {
    ...about(row),
    action: 'trace_link.added',
    actorId: caller.userId,
    after: said(row),
    requestId: request.id,
  });
  await tellLinks(transaction, workspace_id, [row.id]);
  return toTraceLink(row);
}

const selfLink = (): ApiError =>
  invalid('body.target_id', 'A link goes to another artifact, not to itself.', 'self_link');

/**
 * Deletes a link that a person added. What a document states cannot be deleted: it is marked as no link, counts for
 * nothing, and stays so in every later extraction until an end says something else or somebody confirms it.
 */
export async function removeLink(
  { transaction, precondition, caller, request, dependencies }: Writing,
  id: string,
): Promise<void> {
  const row = await repository.lockLink(transaction, id);
  if (!row) throw notFound('link');
  precondition.check(toTraceLink(row));
  const isStated = row.origin === 'document';
  if (isStated && row.rejected) return;
  if (isStated) await repository.rejectLink(transaction, row, caller.userId);
  else await repository.deleteLink(transaction, row);
  await noteChange({ transaction, dependencies }, row.workspace_id);
  await recordAudit(transaction, {
    ...about(row),
    action: isStated ? 'trace_link.rejected' : 'trace_link.deleted',
    actorId: caller.userId,
    before: said(row),
    requestId: request.id,
  });
  await tellLinks(transaction, row.workspace_id, [id]);
}

/** Notes that a person looked at both ends and found the link right. */
export async function confirmLink(
  { transaction, precondition, caller, request, dependencies }: Writing,
  id: string,
): Promise<TraceLink> {
  const row = await repository.lockLink(transaction, id);
  if (!row) throw notFound('link');
  precondition.check(toTraceLink(row));
  if (row.source_hash === null || row.target_hash === null) throw dangling([id]);
  await repository.confirmLinks(transaction, row.workspace_id, { ids: [id], by: caller.userId });
  if (row.rejected) await noteChange({ transaction, dependencies }, row.workspace_id);
  await recordAudit(transaction, {
    ...about(row),
    action: 'trace_link.confirmed',
    actorId: caller.userId,
    after: said(row),
    requestId: request.id,
  });
  await tellLinks(transaction, row.workspace_id, [id]);
  const after = await transaction.one<repository.LinkRow>(repository.selectLink(id));
  return toTraceLink(after);
}

/** `confirmLink` for a list, or for all links that are assumed: all of them or none. */
export async function confirmAll(
  { transaction, caller, request, dependencies }: Writing,
  { workspace_id, link_ids }: z.output<typeof LinkConfirmation>,
): Promise<{ readonly confirmed: number }> {
  await lockTrace(transaction, workspace_id);
  const ids = link_ids ? [...new Set(link_ids)] : await repository.findAssumed(transaction, workspace_id);
  if (ids.length === 0) return { confirmed: 0 };
  const found = await repository.findLinks(transaction, workspace_id, ids);
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw invalid('body.link_ids', `The workspace has no link ${unknown}.`, 'unknown');
  }
  const open = found.filter((one) => one.dangling).map(({ id }) => id);
  if (open.length > 0) throw dangling(open);
  await repository.confirmLinks(transaction, workspace_id, { ids, by: caller.userId });
  await noteChange({ transaction, dependencies }, workspace_id);
  await recordAudit(transaction, {
    workspaceId: workspace_id,
    targetType: 'workspace',
    targetId: workspace_id,
    action: 'trace_link.confirmed',
    actorId: caller.userId,
    after: { link_ids: ids },
    requestId: request.id,
  });
  await tellLinks(transaction, workspace_id, ids);
  return { confirmed: ids.length };
}

const MOST_TOLD = 100;

/** Tells who watches the workspace about links that people changed; after `noteChange`, as whoever stores a trace does. */
export const tellLinks = (
  transaction: Writing['transaction'],
  workspaceId: string,
  ids: readonly string[],
): Promise<number> =>
  tellWorkspace(transaction, workspaceId, {
    event: 'link',
    data: { count: ids.length, link_ids: ids.slice(0, MOST_TOLD) },
  });

const dangling = (ids: readonly string[]): ApiError =>
  new ApiError('CONFLICT', 'An end of the link is not defined: there is nothing to compare it with later.', {
    reason: 'dangling_link',
    link_ids: ids.slice(0, 100),
  });

const said = ({ source_id, link_type, target_id, origin }: repository.LinkRow) => ({
  source_id,
  link_type,
  target_id,
  origin,
});

const about = (row: repository.LinkRow) => ({
  workspaceId: row.workspace_id,
  targetType: 'trace_link',
  targetId: row.id,
});
