import type { Location } from '@normtrace/engine';
import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { announce } from '../webhooks/announce.js';
import * as repository from './gaps.repository.js';
import type { Evidence, Gap, GapChange } from './gaps.schemas.js';

type Writing = Pick<
  WriteContext,
  'transaction' | 'precondition' | 'caller' | 'request' | 'grant' | 'now' | 'dependencies'
>;

export const toLocation = ({ requirementId, section, ...rest }: Location): Evidence['location'] => ({
  ...rest,
  ...(section ? { section: [...section] } : {}),
  ...(requirementId === undefined ? {} : { requirement_id: requirementId }),
});

export const toEvidence = (row: repository.EvidenceRow): Evidence => ({
  work_product_id: row.work_product_id,
  version: row.version,
  location: toLocation(row.location),
  quote: row.quote,
  role: row.role,
  note: row.note,
});

export const toGap = ({ finding, ...row }: repository.GapRow): Gap => ({
  id: row.id,
  workspace_id: row.workspace_id,
  analysis_type: row.analysis_type,
  standard_id: row.standard_id,
  work_product_id: row.work_product_id,
  analysis_id: row.last_analysis_id,
  fingerprint: row.fingerprint,
  type: finding.kind,
  status: row.status,
  change: row.change,
  severity: finding.severity,
  severity_reasons: [...finding.severityReasons],
  confidence: finding.confidence,
  asil: finding.asil ?? null,
  criterion_id: finding.criterionId,
  clause: row.clause,
  title: finding.title,
  standard_ref: finding.standardRef,
  expected: finding.expected,
  observed: finding.observed,
  why_it_matters: finding.whyItMatters,
  recommendation: finding.recommendation,
  recommendations: [finding.recommendation],
  effort_hint: finding.effortHint ?? null,
  affected_items: [...finding.affectedItems],
  evidence: row.evidence.map(toEvidence),
  search: finding.search ? { ...finding.search } : null,
  assignee: row.assignee,
  reason: row.reason,
  accepted_until: timestampOrNull(row.accepted_until),
  note: row.note,
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
});

/**
 * Changes the status of a gap, or who looks after it. Any status may follow any other; accepting one is a manager's
 * decision and needs a reason (contract §5). Each change is an audit event.
 */
export async function changeGap(
  { transaction, precondition, caller, request, grant, now, dependencies }: Writing,
  id: string,
  change: z.output<typeof GapChange>,
): Promise<Gap> {
  const row = await repository.lockGap(transaction, id, caller.userId);
  if (!row) throw notFound('gap');
  precondition.check(toGap(row));
  const status = change.status ?? row.status;
  // Who rewrites the reason or the end of an acceptance decides it anew.
  const decides = [change.status, change.accepted_until, change.reason].some((one) => one !== undefined);
  const isAccepting = status === 'accepted' && decides;
  if (isAccepting && grant.kind !== 'allowed') {
    throw new ApiError('AUTHORIZATION_ERROR', 'Accepting a gap is the decision of a manager.');
  }
  if (isAccepting && caller.through) {
    throw new ApiError('AUTHORIZATION_ERROR', 'Accepting a gap needs a person who is signed in.', {
      reason: 'person_required',
    });
  }
  if (isAccepting && change.reason === undefined) {
    throw invalid('body.reason', 'Say why the gap is accepted.', 'required');
  }
  if (change.accepted_until !== undefined) {
    if (status !== 'accepted') {
      throw invalid(
        'body.accepted_until',
        'Only an accepted gap has an end of its acceptance.',
        'not_accepted',
      );
    }
    if (new Date(change.accepted_until) <= now) {
      throw invalid('body.accepted_until', 'The end of the acceptance lies in the past.', 'past');
    }
  }
  if (change.assignee && !(await repository.isMember(transaction, row.workspace_id, change.assignee))) {
    throw invalid('body.assignee', 'This is no member of the workspace.', 'not_a_member');
  }
  const hasNewStatus = change.status !== undefined;
  await repository.updateGap(transaction, {
    ...row,
    status,
    assignee: change.assignee === undefined ? row.assignee : change.assignee,
    reason: change.reason ?? (hasNewStatus ? null : row.reason),
    accepted_until:
      status === 'accepted' ? (change.accepted_until ?? (hasNewStatus ? null : row.accepted_until)) : null,
    note: hasNewStatus ? null : row.note,
  });
  const after = await repository.lockGap(transaction, id, caller.userId);
  if (!after) throw notFound('gap');
  await recordAudit(transaction, {
    workspaceId: row.workspace_id,
    targetType: 'gap',
    targetId: id,
    action: hasNewStatus ? 'gap.status_changed' : 'gap.changed',
    actorId: caller.userId,
    reason: change.reason,
    before: {
      status: row.status,
      assignee: row.assignee,
      accepted_until: timestampOrNull(row.accepted_until),
    },
    after: { status, assignee: after.assignee, accepted_until: timestampOrNull(after.accepted_until) },
    requestId: request.id,
  });
  if (status !== row.status) {
    await announce(dependencies, transaction, {
      workspaceId: row.workspace_id,
      type: 'gap.status_changed',
      data: { gap_id: id, analysis_id: row.last_analysis_id, from: row.status, to: status },
      path: `/api/v1/analysis/gaps?workspace_id=${row.workspace_id}`,
    });
  }
  return toGap(after);
}
