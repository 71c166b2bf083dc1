import { describe, expect, test } from 'vitest';
import { ApiError } from '../../platform/http/api-error.js';
import { type Decider, decideChange, decideProposal, decideSeverity } from './gap-decisions.js';
import type { GapRow } from './gaps.repository.js';
import type { GapChange, Proposal } from './gaps.schemas.js';
import { toGap } from './gaps.service.js';
import { needsSecondManager } from './second-manager.js';

const now = new Date('2026-03-01T12:00:00Z');
const person = (userId: string, more: Partial<Decider> = {}): Decider => ({
  userId,
  isManager: true,
  isToken: false,
  now,
  ...more,
});
const engineer = person('engineer', { isManager: false });

function gap(
  more: Partial<GapRow> & { readonly asil?: string; readonly severity?: 'critical' | 'low' } = {},
): GapRow {
  const { asil = 'D', severity = 'critical', ...row } = more;
  return {
    workspace_id: 'w',
    id: 'g',
    analysis_type: 'gap_analysis',
    standard_id: null,
    work_product_id: null,
    fingerprint: 'f',
    status: 'open',
    resolution: null,
    assignee: null,
    due_date: null,
    reason: null,
    note: null,
    accepted_until: null,
    waiver_owner: null,
    accepted_by: null,
    accepted_at: null,
    severity_override: null,
    severity_reason: null,
    severity_by: null,
    severity_at: null,
    expired: false,
    change: 'new',
    clause: '7',
    finding: {
      fingerprint: 'f',
      kind: 'missing',
      criterionId: 'c',
      title: 't',
      standardRef: 'r',
      severity,
      confidence: 'high',
      severityReasons: [],
      asil,
      expected: 'e',
      observed: 'o',
      whyItMatters: 'w',
      recommendation: 'r',
      affectedItems: [],
    },
    last_analysis_id: 'a',
    evidence: [],
    proposals: [],
    ended_decisions: [],
    created_at: now.toISOString(),
    updated_at: now,
    ...row,
  };
}
const proposal = (more: Partial<Proposal> = {}): Proposal => ({
  id: 'p',
  kind: 'acceptance',
  severity: null,
  accepted_until: null,
  owner: 'first',
  reason: 'because',
  proposed_by: 'first',
  created_at: now.toISOString(),
  ...more,
});

/** The code of the error, with its reason where it has one. */
function refused(decide: () => unknown): string {
  try {
    decide();
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.details.reason].filter(Boolean).join(' ');
    throw error;
  }
  return 'allowed';
}

test.each([
  ['critical', 'D', true],
  ['critical', 'ASIL C', true],
  ['critical', 'ASIL B(D)', true],
  ['critical', 'QM(C)', true],
  ['critical', 'risk 4', true],
  ['critical', 'risk 3', false],
  ['critical', 'B', false],
  ['critical', 'A(B)', false],
  ['critical', 'CAL 4', false],
  ['critical', undefined, false],
  ['high', 'D', false],
] as const)('a %s finding on %s needs a second manager: %s', (severity, integrity, needed) => {
  expect(needsSecondManager([severity], integrity)).toBe(needed);
});

describe('accepting', () => {
  const accept = { status: 'accepted', reason: 'so be it' } as const;

  test.each<[string, GapRow, GapChange, Decider, string]>([
    ['an engineer', gap(), accept, engineer, 'AUTHORIZATION_ERROR'],
    ['an API token', gap(), accept, person('m', { isToken: true }), 'AUTHORIZATION_ERROR person_required'],
    ['no reason', gap(), { status: 'accepted' }, person('m'), 'VALIDATION_ERROR'],
    ['the assignee', gap({ assignee: 'm' }), accept, person('m'), 'AUTHORIZATION_ERROR is_assignee'],
    [
      'handing it over with it',
      gap({ assignee: 'm' }),
      { ...accept, assignee: 'x' },
      person('m'),
      'AUTHORIZATION_ERROR is_assignee',
    ],
    ['the assignee of a small one', gap({ assignee: 'm', severity: 'low' }), accept, person('m'), 'allowed'],
    [
      'an end in the past',
      gap(),
      { ...accept, accepted_until: '2026-02-01T00:00:00Z' },
      person('m'),
      'VALIDATION_ERROR',
    ],
    [
      'an end without acceptance',
      gap(),
      { status: 'open', accepted_until: '2027-01-01T00:00:00Z' },
      person('m'),
      'VALIDATION_ERROR',
    ],
    ['an owner without acceptance', gap(), { owner: 'x' }, person('m'), 'VALIDATION_ERROR'],
    ['a resolution without being resolved', gap(), { resolution: 'fixed' }, person('m'), 'VALIDATION_ERROR'],
    [
      'a new reason by an engineer',
      gap({ status: 'accepted' }),
      { reason: 'other' },
      engineer,
      'AUTHORIZATION_ERROR',
    ],
    [
      'another end than the first',
      gap({ proposals: [proposal()] }),
      { ...accept, accepted_until: '2027-01-01T00:00:00Z' },
      person('m'),
      'CONFLICT',
    ],
    [
      'another owner than the first',
      gap({ proposals: [proposal()] }),
      { ...accept, owner: 'm' },
      person('m'),
      'CONFLICT',
    ],
  ])('%s', (_, row, change, decider, answer) => {
    expect(refused(() => decideChange(row, change, decider))).toBe(answer);
  });

  test('a small one is accepted by one manager, who answers for it', () => {
    const { after, proposes } = decideChange(gap({ severity: 'low' }), accept, person('m'));
    expect(proposes).toBeUndefined();
    expect(after).toMatchObject({
      status: 'accepted',
      waiver_owner: 'm',
      accepted_by: ['m'],
      accepted_at: now,
    });
  });

  test('a critical one takes two: the first waits, the second settles it with the terms of the first', () => {
    const end = '2027-01-01T00:00:00.000Z';
    const first = decideChange(gap(), { ...accept, accepted_until: end, owner: 'x' }, person('first'));
    expect(first.after.status).toBe('open');
    expect(first.proposes).toMatchObject({ kind: 'acceptance', accepted_until: end, waiver_owner: 'x' });
    const waiting = gap({ proposals: [proposal({ accepted_until: end, owner: 'x' })] });
    const again = decideChange(waiting, accept, person('first'));
    expect([again.after.status, again.settles[0]?.outcome]).toEqual(['open', 'replaced']);
    const second = decideChange(waiting, { ...accept, reason: 'agreed' }, person('second'));
    expect(second).toMatchObject({
      reason: 'agreed',
      settles: [{ outcome: 'approved' }],
      after: {
        status: 'accepted',
        reason: 'because',
        accepted_until: end,
        waiver_owner: 'x',
        accepted_by: ['first', 'second'],
      },
    });
  });

  test('lowering the severity first does not spare the second manager', () => {
    const row = gap({ severity_override: 'low' });
    expect(decideChange(row, accept, person('m')).proposes?.kind).toBe('acceptance');
    const raised = gap({ severity: 'low', severity_override: 'critical' });
    expect(decideChange(raised, accept, person('m')).proposes?.kind).toBe('acceptance');
  });

  test('who looks after it by now counts as neither of the two', () => {
    const row = gap({ assignee: 'first', proposals: [proposal()] });
    const approve = { decision: 'approve', decider: person('second') } as const;
    expect(refused(() => decideProposal(row, proposal(), approve))).toBe('CONFLICT');
    const mine = decideChange(row, accept, person('second'));
    expect([mine.after.status, mine.proposes?.kind]).toEqual(['open', 'acceptance']);
  });

  test('any other status ends what waits', () => {
    const kinds = ['acceptance', 'false_positive', 'severity'] as const;
    const row = gap({ proposals: kinds.map((kind) => proposal({ kind })) });
    const { settles, after } = decideChange(row, { status: 'in_progress' }, engineer);
    expect(settles.map(({ proposal: { kind }, outcome }) => `${kind} ${outcome}`)).toEqual([
      'acceptance replaced',
      'false_positive replaced',
    ]);
    expect(after.status).toBe('in_progress');
  });
});

describe('proposals', () => {
  const waiting = (more: Partial<Proposal>) => {
    const one = proposal({ proposed_by: 'engineer', ...more });
    return [gap({ proposals: [one] }), one] as const;
  };

  test.each<[string, Partial<Proposal>, 'approve' | 'reject' | 'withdraw', Decider, string]>([
    [
      'approved by the first of two',
      { proposed_by: 'm' },
      'approve',
      person('m'),
      'AUTHORIZATION_ERROR second_person_required',
    ],
    ['approved by an engineer', { kind: 'severity' }, 'approve', engineer, 'AUTHORIZATION_ERROR'],
    ['rejected by an engineer', { kind: 'severity' }, 'reject', engineer, 'AUTHORIZATION_ERROR'],
    ['rejected without a reason', { kind: 'severity' }, 'reject', person('m'), 'VALIDATION_ERROR'],
    ['withdrawn by another', { kind: 'severity' }, 'withdraw', person('m'), 'AUTHORIZATION_ERROR'],
    ['withdrawn', { kind: 'severity' }, 'withdraw', engineer, 'allowed'],
    ['approved past the end', { accepted_until: '2026-02-01T00:00:00Z' }, 'approve', person('m'), 'CONFLICT'],
  ])('%s', (_, more, decision, decider, answer) => {
    const [row, one] = waiting(more);
    expect(refused(() => decideProposal(row, one, { decision, decider }))).toBe(answer);
  });

  test('a false positive of an engineer waits; of a manager it is one', () => {
    const change = { status: 'resolved', resolution: 'false_positive', reason: 'no such part' } as const;
    expect(refused(() => decideChange(gap(), { ...change, reason: undefined }, engineer))).toBe(
      'VALIDATION_ERROR',
    );
    expect(refused(() => decideChange(gap(), change, person('m', { isToken: true })))).toBe(
      'AUTHORIZATION_ERROR person_required',
    );
    const asked = decideChange(gap(), change, engineer);
    expect([asked.after.status, asked.proposes?.kind]).toEqual(['open', 'false_positive']);
    const [row, one] = waiting({ kind: 'false_positive' });
    for (const { after } of [
      decideChange(gap(), change, person('m')),
      decideProposal(row, one, { decision: 'approve', decider: person('m') }),
    ]) {
      expect(after).toMatchObject({ status: 'resolved', resolution: 'false_positive' });
    }
  });

  test('a severity of an engineer waits; of a manager it counts, and the original one can come back', () => {
    const change = { severity: 'low', reason: 'not in this variant' } as const;
    expect(decideSeverity(gap(), change, engineer)).toMatchObject({
      after: { severity_override: null },
      proposes: { kind: 'severity', severity: 'low' },
    });
    const { after } = decideSeverity(gap(), change, person('m'));
    expect(after).toMatchObject({
      severity_override: 'low',
      severity_by: 'm',
      severity_at: now,
    });
    const back = decideSeverity(
      gap({ severity_override: 'low' }),
      { severity: null, reason: 'x' },
      person('m'),
    );
    expect(back.after).toMatchObject({ severity_override: null, severity_reason: null });
  });
});

test('an acceptance that has ended is over for readers and for the next change', () => {
  const row = gap({
    status: 'accepted',
    expired: true,
    accepted_until: '2026-02-28T12:00:00Z',
    reason: 'for the prototypes',
    waiver_owner: 'x',
    accepted_by: ['a', 'b'],
    accepted_at: now,
    due_date: '2026-02-28',
  });
  expect(toGap(row, { now, language: 'en' })).toMatchObject({
    status: 'open',
    overdue: true,
    reason: null,
    waiver: null,
    accepted_until: null,
    note: 'The acceptance ended on 2026-02-28.',
  });
  const { after, action } = decideChange(row, { due_date: '2026-04-01' }, engineer);
  expect([action, after.status, after.due_date, after.accepted_by]).toEqual([
    'gap.status_changed',
    'open',
    '2026-04-01',
    null,
  ]);
});
