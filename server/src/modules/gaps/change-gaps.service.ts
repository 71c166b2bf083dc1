import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestampOrNull } from '../../platform/http/schemas.js';
import { storeDecisions } from './gap-changes.repository.js';
import {
  byTheClock,
  type Decider,
  decideChange,
  decideProposal,
  decideSeverity,
  type GapDecision,
} from './gap-decisions.js';
import * as repository from './gaps.repository.js';
import {
  CHANGE_IN_PARTS,
  type Gap,
  type GapChange,
  type GapsChange,
  MOST_AT_ONCE,
  type ProposalDecision,
  type SeverityChange,
} from './gaps.schemas.js';
import { toGap } from './gaps.service.js';

type Writing = Pick<
  WriteContext,
  'transaction' | 'precondition' | 'caller' | 'request' | 'grant' | 'now' | 'language' | 'dependencies'
>;

/** Changes what people say about one gap; see `decideChange`. */
export const changeGap = (context: Writing, id: string, change: GapChange): Promise<Gap> =>
  changeOne(context, id, async (row, decider) => {
    await refuseStrangers(context, row.workspace_id, change);
    return decideChange(row, change, decider);
  });

export const changeSeverity = (context: Writing, id: string, change: SeverityChange): Promise<Gap> =>
  changeOne(context, id, async (row, decider) => decideSeverity(row, change, decider));

export const changeProposal = (
  context: Writing,
  ids: { readonly gap_id: string; readonly proposal_id: string },
  decision: ProposalDecision,
): Promise<Gap> =>
  changeOne(context, ids.gap_id, async (row, decider) => {
    const proposal = row.proposals.find(({ id }) => id === ids.proposal_id);
    if (proposal) return decideProposal(row, proposal, { ...decision, decider });
    const known = await repository.findOutcome(context.transaction, row, ids.proposal_id);
    if (!known) throw notFound('proposal');
    throw new ApiError('CONFLICT', `This proposal is settled: ${known.outcome}.`, { outcome: known.outcome });
  });

async function changeOne(
  context: Writing,
  id: string,
  decide: (row: repository.GapRow, decider: Decider) => Promise<GapDecision>,
): Promise<Gap> {
  const { transaction, precondition } = context;
  const reader = readerOf(context);
  const workspace = await transaction.maybeOne<{ workspace_id: string }>(repository.workspaceOfGap(id));
  if (!workspace) throw notFound('gap');
  const ids = { workspaceId: workspace.workspace_id, ids: [id] };
  const [row] = await repository.lockGaps(transaction, ids, reader);
  if (!row) throw notFound('gap');
  precondition.check(toGap(row, context));
  const decision = await decide(row, deciderOf(context));
  await store(context, row.workspace_id, [decision]);
  return toGap(await transaction.one(repository.selectGap(id, reader)), context);
}

/** One gap of a list that cannot be changed as wished. */
interface ItemError {
  readonly id: string;
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/**
 * Changes many gaps of one workspace alike: all of them, or none with an error for each that cannot be changed. Each is
 * decided as if it were the only one. The status of the error is theirs when all have the same, else 422.
 */
export async function changeGaps(context: Writing, body: GapsChange) {
  const { transaction, now } = context;
  const { ids, rows, decisions, errors } = await decideMany(context, body);
  if (errors.length > 0) throw refusal(errors, ids.length);
  await store(context, body.workspace_id, decisions);
  const after = await repository.selectStates(transaction, { workspaceId: body.workspace_id, ids }, now);
  return {
    changed: decisions.length,
    proposed: decisions.filter(({ proposes }) => proposes !== undefined).length,
    items: after.map((item) => ({ ...item, before: stateOf(byTheClock(rows.get(item.id)!)) })),
  };
}

/** What `changeGaps` would do with the same body. Nothing is changed. */
export async function previewChange(context: Writing, body: GapsChange) {
  const { ids, rows, decisions, errors } = await decideMany(context, body);
  const now = [...rows.values()].map(byTheClock);
  const isAsBefore = ({ row, after, proposes }: GapDecision): boolean =>
    proposes === undefined &&
    JSON.stringify(stateOf(byTheClock(row))) === JSON.stringify(stateOf({ ...row, ...after }));
  const unchanged = decisions.filter(isAsBefore).length;
  const proposed = decisions.filter(({ proposes }) => proposes !== undefined).length;
  return {
    total: ids.length,
    changed: decisions.length - unchanged - proposed,
    proposed,
    unchanged,
    refused: errors.map(({ id, code, message }) => ({ id, code, message })),
    by_status: counted(now.map(({ status }) => status)),
    by_severity: counted(now.map((row) => row.severity_override ?? row.finding.severity)),
  };
}

const counted = <Word extends string>(words: readonly Word[]): Partial<Record<Word, number>> => {
  const counts: Partial<Record<Word, number>> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

const stateOf = (row: repository.GapState) => ({
  status: row.status,
  resolution: row.status === 'resolved' ? (row.resolution ?? 'fixed') : null,
  assignee: row.assignee,
  due_date: row.due_date,
  reason: row.reason,
  accepted_until: timestampOrNull(row.accepted_until),
});

/** Locks the gaps and decides for each what the change comes to, or why it cannot be changed. */
async function decideMany(context: Writing, body: GapsChange) {
  const { transaction } = context;
  const workspaceId = body.workspace_id;
  const ids = body.ids ?? (await idsOf(context, body));
  const rows = new Map(
    (await repository.lockGaps(transaction, { workspaceId, ids }, readerOf(context))).map((row) => [
      row.id,
      row,
    ]),
  );
  // The filter was read before the gaps were locked.
  if (body.filter) await idsOf(context, body);
  await refuseStrangers(context, workspaceId, body.change, 'body.change.');
  const decider = deciderOf(context);
  const errors: ItemError[] = [];
  const decisions: GapDecision[] = [];
  for (const id of ids) {
    try {
      const row = rows.get(id);
      if (!row) throw notFound('gap');
      if (body.unchanged_since !== undefined && new Date(row.updated_at) > new Date(body.unchanged_since)) {
        throw new ApiError('PRECONDITION_FAILED', 'The gap has changed since it was read.');
      }
      decisions.push(decideChange(row, body.change, decider));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      errors.push({ id, code: error.code, message: error.message, details: error.details });
    }
  }
  return { ids, rows, decisions, errors };
}

function refusal(errors: readonly ItemError[], count: number): ApiError {
  const codes = new Set(errors.map(({ code }) => code));
  const code = codes.size === 1 ? (errors[0]!.code as ApiError['code']) : 'VALIDATION_ERROR';
  const message = `${errors.length} of ${count} gaps cannot be changed like this, so none was.`;
  return new ApiError(code, message, { items: errors });
}

/** The gaps that match a filter now, if they are as many as the caller saw. */
async function idsOf(context: Writing, body: GapsChange): Promise<readonly string[]> {
  const filters = { ...body.filter, workspace_id: body.workspace_id };
  const ids = await repository.findIds(context.transaction, {
    filters,
    reader: readerOf(context),
    limit: MOST_AT_ONCE + 1,
  });
  if (ids.length === body.expected_total) return ids;
  const [seen, advice] =
    ids.length > MOST_AT_ONCE ? [`more than ${MOST_AT_ONCE}`, CHANGE_IN_PARTS] : [ids.length, ''];
  throw new ApiError(
    'CONFLICT',
    `The filter matches ${seen} gaps now, not ${body.expected_total}. Read the list again. ${advice}`.trim(),
  );
}

const readerOf = ({ caller, now }: Writing): repository.GapReader => ({ userId: caller.userId, now });

const deciderOf = ({ caller, grant, now }: Writing): Decider => ({
  userId: caller.userId,
  isManager: grant.kind === 'allowed',
  isToken: caller.through !== undefined,
  now,
});

const store = (
  { dependencies, transaction, caller, request, now }: Writing,
  workspaceId: string,
  decisions: readonly GapDecision[],
): Promise<void> =>
  storeDecisions(dependencies, transaction, {
    workspaceId,
    decisions,
    by: { userId: caller.userId, requestId: request.id, now },
  });

/** Whoever is named has to be a member of the workspace. */
export async function refuseStrangers(
  { transaction }: Pick<Writing, 'transaction'>,
  workspaceId: string,
  change: GapChange,
  path = 'body.',
): Promise<void> {
  for (const name of ['assignee', 'owner'] as const) {
    const person = change[name];
    if (!person || (await repository.isMember(transaction, workspaceId, person))) continue;
    throw invalid(path + name, 'This is no member of the workspace.', 'not_a_member');
  }
}
