import { ApiError, invalid } from '../../platform/http/api-error.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import type { GapRow, GapState } from './gaps.repository.js';
import type { GapChange, Proposal, ProposalDecision, ProposalKind, SeverityChange } from './gaps.schemas.js';
import { needsSecondManager } from './second-manager.js';

// What a change of a gap comes to, without the database: who may decide what, and what has to wait for whom.

/** Who decides. */
export interface Decider {
  readonly userId: string;
  readonly isManager: boolean;
  /** Through an API token, not signed in. */
  readonly isToken: boolean;
  readonly now: Date;
}

export interface NewProposal {
  readonly kind: ProposalKind;
  readonly severity: Proposal['severity'];
  readonly accepted_until: string | null;
  readonly waiver_owner: string | null;
  readonly reason: string;
}

/** What is to be written for one gap, in one transaction. */
export interface GapDecision {
  readonly row: GapRow;
  readonly after: GapState;
  /** Of the audit event. */
  readonly action: string;
  readonly reason: string | undefined;
  readonly proposes?: NewProposal;
  /** Open proposals that this settles. */
  readonly settles: readonly { readonly proposal: Proposal; readonly outcome: Outcome }[];
}
export type Outcome = 'approved' | 'rejected' | 'withdrawn' | 'replaced';

const STATUS = 'gap.status_changed';
const SEVERITY = 'gap.severity_changed';

/** What acceptances and other decisions on the status leave behind when the status is another one. */
const NO_WAIVER = { accepted_until: null, waiver_owner: null, accepted_by: null, accepted_at: null } as const;

/** What is left of an acceptance whose end has come. */
export const reopened = (acceptedUntil: string | Date): Omit<GapState, KeptWhenReopened> => ({
  ...NO_WAIVER,
  status: 'open',
  resolution: null,
  reason: null,
  note: `The acceptance ended on ${timestamp(acceptedUntil).slice(0, 10)}.`,
});
type KeptWhenReopened = Extract<keyof GapState, 'assignee' | 'due_date' | `severity_${string}`>;

/** The gap by the clock: open again where its acceptance has ended, whether or not that has been written down. */
export const byTheClock = (row: GapRow): GapRow =>
  row.expired && row.accepted_until !== null ? { ...row, ...reopened(row.accepted_until) } : row;

/**
 * Sets status, resolution, assignee or due date. Any status may follow any other; accepting is a manager's decision
 * with a reason (contract §5), of two managers where `needsSecondManager` says so; an engineer's false positive waits for
 * a manager (domain I.2). Throws 403, 409 and 422.
 */
export function decideChange(row: GapRow, change: GapChange, decider: Decider): GapDecision {
  const now = byTheClock(row);
  const status = change.status ?? now.status;
  const assignee = change.assignee === undefined ? row.assignee : change.assignee;
  const due_date = change.due_date === undefined ? row.due_date : change.due_date;
  const plan = { ...now, assignee, due_date };
  // Who rewrites the reason, the owner or the end of an acceptance decides it anew.
  const decides = [change.status, change.resolution, change.reason, change.accepted_until, change.owner].some(
    (one) => one !== undefined,
  );
  refuseMisplaced(change, status, decider);
  if (status === 'accepted' && decides) return accept(row, plan, { change, decider });
  const resolution = change.resolution ?? (change.status === undefined ? now.resolution : 'fixed');
  if (status === 'resolved' && decides && resolution === 'false_positive') {
    return declareFalsePositive(row, plan, { change, decider });
  }
  if (change.status === undefined && change.resolution === undefined) {
    const after = { ...plan, reason: change.reason ?? plan.reason };
    return { row, after, action: row.expired ? STATUS : 'gap.changed', reason: change.reason, settles: [] };
  }
  const after: GapState = {
    ...plan,
    ...NO_WAIVER,
    status,
    resolution: status === 'resolved' ? resolution : null,
    reason: change.reason ?? null,
    note: null,
  };
  const settles = settle(row, ['acceptance', 'false_positive'], 'replaced');
  return { row, after, action: STATUS, reason: change.reason, settles };
}

/** Sets another severity beside the original one, or goes back to it: a manager's decision, an engineer proposes it. */
export function decideSeverity(row: GapRow, change: SeverityChange, decider: Decider): GapDecision {
  const { reason } = change;
  const severity = change.severity ?? row.finding.severity;
  const settles = settle(row, ['severity'], 'replaced');
  if (!decider.isManager) {
    const proposes = {
      kind: 'severity',
      severity,
      accepted_until: null,
      waiver_owner: null,
      reason,
    } as const;
    return { row, after: row, action: 'gap.severity_proposed', reason, proposes, settles };
  }
  return { row, after: withSeverity(row, { severity, reason }, decider), action: SEVERITY, reason, settles };
}

/** Approves or rejects what waits, a manager's part; who proposed it may withdraw it. Throws 403, 409 and 422. */
export function decideProposal(
  row: GapRow,
  proposal: Proposal,
  { decision, reason, decider }: ProposalDecision & { readonly decider: Decider },
): GapDecision {
  if (decision === 'withdraw') {
    if (proposal.proposed_by !== decider.userId) {
      throw new ApiError('AUTHORIZATION_ERROR', 'Only who made the proposal can withdraw it.');
    }
    const settles = [{ proposal, outcome: 'withdrawn' }] as const;
    return { row, after: row, action: 'gap.proposal_withdrawn', reason, settles };
  }
  if (!decider.isManager) {
    throw new ApiError('AUTHORIZATION_ERROR', 'Deciding on a proposal is the part of a manager.');
  }
  if (decision === 'reject') {
    if (reason === undefined) throw invalid('body.reason', 'Say why the proposal is rejected.', 'required');
    const settles = [{ proposal, outcome: 'rejected' }] as const;
    return { row, after: row, action: 'gap.proposal_rejected', reason, settles };
  }
  const because = reason ?? proposal.reason;
  if (proposal.kind === 'acceptance') return confirm(row, row, { proposal, reason: because, decider });
  const settles = [{ proposal, outcome: 'approved' }] as const;
  if (proposal.kind === 'false_positive') {
    const after = asFalsePositive(row, proposal.reason);
    const others = settle(row, ['acceptance'], 'replaced');
    return { row, after, action: STATUS, reason: because, settles: [...settles, ...others] };
  }
  const severity = proposal.severity ?? row.finding.severity;
  const after = withSeverity(row, { severity, reason: proposal.reason }, decider);
  return { row, after, action: SEVERITY, reason: because, settles };
}

interface Change {
  readonly change: GapChange;
  readonly decider: Decider;
}

function accept(row: GapRow, plan: GapState, { change, decider }: Change): GapDecision {
  if (!decider.isManager) {
    throw new ApiError('AUTHORIZATION_ERROR', 'Accepting a gap is the decision of a manager.');
  }
  refuseToken(decider, 'Accepting a gap');
  const { reason } = change;
  if (reason === undefined) throw invalid('body.reason', 'Say why the gap is accepted.', 'required');
  // Without a new status it is the acceptance in force whose terms change.
  const former = change.status === undefined ? row : NO_WAIVER;
  const accepted_until = timestampOrNull(change.accepted_until ?? former.accepted_until);
  const waiver_owner = change.owner ?? former.waiver_owner ?? decider.userId;
  if (!isForTwo(row)) {
    const after = asAccepted(plan, { accepted_until, waiver_owner, reason, by: [decider.userId] }, decider);
    const settles = settle(row, ['acceptance', 'false_positive'], 'replaced');
    return { row, after, action: STATUS, reason, settles };
  }
  refuseAssignee(row, plan, decider.userId);
  const pending = row.proposals.find(({ kind }) => kind === 'acceptance');
  const isSecond = pending !== undefined && pending.proposed_by !== decider.userId;
  if (isSecond && pending.proposed_by !== plan.assignee) {
    const differs =
      (change.accepted_until !== undefined && accepted_until !== timestampOrNull(pending.accepted_until)) ||
      (change.owner !== undefined && change.owner !== pending.owner);
    if (differs) {
      throw new ApiError(
        'CONFLICT',
        'Another manager accepted this gap with another end or owner. Decide on that proposal first.',
        { proposal_id: pending.id },
      );
    }
    return confirm(row, plan, { proposal: pending, reason, decider });
  }
  const proposes = { kind: 'acceptance', severity: null, accepted_until, waiver_owner, reason } as const;
  const settles = settle(row, ['acceptance'], 'replaced');
  return { row, after: plan, action: 'gap.acceptance_proposed', reason, proposes, settles };
}

/** The second manager agrees: the terms and the reason are those of the first. */
function confirm(
  row: GapRow,
  plan: GapState,
  { proposal, reason, decider }: { proposal: Proposal; reason: string; decider: Decider },
): GapDecision {
  const isForOne = !isForTwo(row);
  if (!isForOne && proposal.proposed_by === decider.userId) {
    throw new ApiError(
      'AUTHORIZATION_ERROR',
      'This gap needs the acceptance of two managers, and the first one was yours.',
      { reason: 'second_person_required' },
    );
  }
  refuseAssignee(row, plan, decider.userId);
  if (!isForOne && proposal.proposed_by === plan.assignee) {
    throw new ApiError(
      'CONFLICT',
      'Who accepted this gap first is to look after it now. Another manager has to accept it.',
    );
  }
  if (proposal.accepted_until !== null && new Date(proposal.accepted_until) <= decider.now) {
    throw new ApiError('CONFLICT', 'The end of the acceptance that was proposed lies in the past.');
  }
  const by = [...new Set([proposal.proposed_by, decider.userId])];
  const terms = {
    accepted_until: timestampOrNull(proposal.accepted_until),
    waiver_owner: proposal.owner ?? proposal.proposed_by,
    reason: proposal.reason,
    by,
  };
  const settles = [
    { proposal, outcome: 'approved' } as const,
    ...settle(row, ['false_positive'], 'replaced'),
  ];
  return { row, after: asAccepted(plan, terms, decider), action: STATUS, reason, settles };
}

function declareFalsePositive(row: GapRow, plan: GapState, { change, decider }: Change): GapDecision {
  const { reason } = change;
  if (reason === undefined) {
    throw invalid('body.reason', 'Say why it is a false positive.', 'required');
  }
  if (decider.isManager) {
    refuseToken(decider, 'Declaring a false positive');
    const settles = settle(row, ['acceptance', 'false_positive'], 'replaced');
    return { row, after: asFalsePositive(plan, reason), action: STATUS, reason, settles };
  }
  const kind = 'false_positive';
  const proposes = { kind, severity: null, accepted_until: null, waiver_owner: null, reason } as const;
  const settles = settle(row, [kind], 'replaced');
  return { row, after: plan, action: 'gap.false_positive_proposed', reason, proposes, settles };
}

const isForTwo = ({ finding, severity_override }: GapRow): boolean =>
  needsSecondManager([finding.severity, severity_override ?? finding.severity], finding.asil);

const asAccepted = (
  state: GapState,
  terms: Pick<GapState, 'accepted_until' | 'waiver_owner' | 'reason'> & { readonly by: readonly string[] },
  { now }: Decider,
): GapState => ({
  ...state,
  status: 'accepted',
  resolution: null,
  note: null,
  reason: terms.reason,
  accepted_until: terms.accepted_until,
  waiver_owner: terms.waiver_owner,
  accepted_by: terms.by,
  accepted_at: now,
});

const asFalsePositive = (state: GapState, reason: string): GapState => ({
  ...state,
  ...NO_WAIVER,
  status: 'resolved',
  resolution: 'false_positive',
  reason,
  note: null,
});

function withSeverity(
  row: GapRow,
  { severity, reason }: { readonly severity: NonNullable<Proposal['severity']>; readonly reason: string },
  { userId, now }: Decider,
): GapState {
  const isOriginal = severity === row.finding.severity;
  return {
    ...row,
    severity_override: isOriginal ? null : severity,
    severity_reason: isOriginal ? null : reason,
    severity_by: isOriginal ? null : userId,
    severity_at: isOriginal ? null : now,
  };
}

const settle = (row: GapRow, kinds: readonly ProposalKind[], outcome: Outcome): GapDecision['settles'] =>
  row.proposals.filter(({ kind }) => kinds.includes(kind)).map((proposal) => ({ proposal, outcome }));

/** Nobody accepts what they look after themselves (domain I.3, rule 2). */
function refuseAssignee(row: GapRow, plan: GapState, userId: string): void {
  if (!isForTwo(row) || (row.assignee !== userId && plan.assignee !== userId)) return;
  throw new ApiError(
    'AUTHORIZATION_ERROR',
    'This gap needs two managers who do not look after it themselves, and it is assigned to you.',
    { reason: 'is_assignee' },
  );
}

function refuseToken({ isToken }: Decider, what: string): void {
  if (!isToken) return;
  throw new ApiError('AUTHORIZATION_ERROR', `${what} needs a person who is signed in.`, {
    reason: 'person_required',
  });
}

/** Fields that belong to another status. */
function refuseMisplaced(change: GapChange, status: GapState['status'], { now }: Decider): void {
  if (change.resolution !== undefined && status !== 'resolved') {
    throw invalid('body.resolution', 'Only a resolved gap has a resolution.', 'not_resolved');
  }
  if (change.owner !== undefined && status !== 'accepted') {
    throw invalid('body.owner', 'Only an accepted gap has somebody who answers for it.', 'not_accepted');
  }
  if (change.accepted_until === undefined) return;
  if (status !== 'accepted') {
    const message = 'Only an accepted gap has an end of its acceptance.';
    throw invalid('body.accepted_until', message, 'not_accepted');
  }
  if (new Date(change.accepted_until) <= now) {
    throw invalid('body.accepted_until', 'The end of the acceptance lies in the past.', 'past');
  }
}
