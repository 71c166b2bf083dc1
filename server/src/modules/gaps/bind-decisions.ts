import { isAtLeast } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { TakenRun } from '../runs/analysis-kind.js';
import {
  type Basis,
  basisHash,
  basisOf,
  type Difference,
  differences,
  type Facts,
} from './decision-basis.js';
import type { GapDecision } from './gap-decisions.js';
import { evidenceOfGap } from './gap-evidence.repository.js';
import { type GapState, LAST_SEEN, type StoredFinding } from './gaps.repository.js';
import type { Proposal } from './gaps.schemas.js';

// Decisions about gaps and what they rest on: kept when they are made, compared when a run finds the gap again.

/** What can be decided about one gap at the same time; proposals by what they propose. */
type Decided = 'status' | 'severity' | 'acceptance' | 'false_positive' | 'severity_proposal';
type Bases = Readonly<Partial<Record<Decided, Basis>>>;

const ofProposal = (kind: Proposal['kind']): Decided => (kind === 'severity' ? 'severity_proposal' : kind);

interface BoundRow
  extends Pick<
    GapState,
    | 'status'
    | 'resolution'
    | 'reason'
    | 'accepted_until'
    | 'waiver_owner'
    | 'accepted_by'
    | 'severity_override'
  > {
  readonly id: string;
  readonly fingerprint: string;
  readonly bases: Bases | null;
  readonly stored: StoredFinding;
  readonly evidence: Facts['evidence'];
  readonly severity_reason: string | null;
  readonly proposals: readonly Pick<Proposal, 'id' | 'kind' | 'reason'>[];
}

/** Gaps `g` of a workspace with everything that is decided about them, unmasked: only hashes of it are kept. */
const selectBound = (workspaceId: string, which: Statement): Statement => sql`
  select g.id, g.fingerprint, g.status, g.resolution, g.reason, g.accepted_until, g.waiver_owner, g.accepted_by,
         g.severity_override, g.severity_reason, g.decision_bases as bases, g.finding as stored,
         (select coalesce(json_agg(json_build_object('role', e.role, 'quote', e.quote) order by e.ordinal), '[]')
          from ${evidenceOfGap(LAST_SEEN)}) as evidence,
         (select coalesce(json_agg(json_build_object('id', p.id, 'kind', p.kind, 'reason', p.reason) order by p.created_at, p.id), '[]')
          from gap_proposals p
          where p.workspace_id = g.workspace_id and p.gap_id = g.id and p.outcome is null) as proposals
  from gaps g
  where g.workspace_id = ${workspaceId} and ${which}
  order by g.fingerprint`;

/** A status that takes the gap out of sight. Work that is going on swallows nothing; what was mended reopens when found. */
const isDismissed = ({ status, resolution }: Pick<GapState, 'status' | 'resolution'>): boolean =>
  status === 'accepted' || (status === 'resolved' && resolution === 'false_positive');

function decidedIn(
  row: Pick<BoundRow, 'status' | 'resolution' | 'severity_override' | 'proposals'>,
): Decided[] {
  return [
    ...(isDismissed(row) ? (['status'] as const) : []),
    ...(row.severity_override === null ? [] : (['severity'] as const)),
    ...row.proposals.map(({ kind }) => ofProposal(kind)),
  ];
}

/** What is kept of a gap: a basis for each decision in force, those that were not made anew as they are. */
function basesOf(row: BoundRow, madeNow: ReadonlySet<Decided>): Bases {
  const facts = { ...row.stored, evidence: row.evidence };
  return Object.fromEntries(
    decidedIn(row).flatMap((what) => {
      const known = row.bases === null || madeNow.has(what) ? basisOf(facts) : row.bases[what];
      return known ? [[what, known]] : [];
    }),
  );
}

/** Keeps with decisions that were just stored what they rest on: the gap as it is now. */
export async function bindDecisions(
  transaction: Transaction,
  workspaceId: string,
  decisions: readonly GapDecision[],
): Promise<void> {
  const made = new Map(decisions.map((decision) => [decision.row.id, madeBy(decision)]));
  const ids = [...made.keys()];
  const rows = await transaction.many<BoundRow>(selectBound(workspaceId, sql`g.id = any (${ids}::uuid[])`));
  await storeBases(
    transaction,
    workspaceId,
    rows.map((row) => ({ id: row.id, bases: basesOf(row, made.get(row.id)!) })),
  );
}

/** What a decision decides anew: assignee and due date are no decisions about what was found. */
function madeBy({ row, after, action, proposes }: GapDecision): ReadonlySet<Decided> {
  return new Set<Decided>([
    ...(action === 'gap.status_changed' ? (['status'] as const) : []),
    ...(row.severity_override !== after.severity_override || row.severity_at !== after.severity_at
      ? (['severity'] as const)
      : []),
    ...(proposes ? [ofProposal(proposes.kind)] : []),
  ]);
}

const storeBases = (
  transaction: Transaction,
  workspaceId: string,
  kept: readonly { readonly id: string; readonly bases: Bases }[],
): Promise<number> =>
  transaction.run(sql`
    update gaps g set decision_bases = r.bases
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as r (id uuid, bases jsonb)
    where g.workspace_id = ${workspaceId} and g.id = r.id and g.decision_bases is distinct from r.bases`);

/** Before a run stores what it found: decisions from before bases were kept rest on the gap as it is stored. */
export async function bindEarlierDecisions(
  transaction: Transaction,
  { workspaceId, series }: Pick<TakenRun, 'workspaceId' | 'series'>,
): Promise<void> {
  const rows = await transaction.many<BoundRow>(
    selectBound(workspaceId, sql`g.series = ${series} and g.decision_bases is null`),
  );
  if (rows.length === 0) return;
  await storeBases(
    transaction,
    workspaceId,
    rows.map((row) => ({ id: row.id, bases: basesOf(row, new Set()) })),
  );
}

interface Ended {
  readonly row: BoundRow;
  readonly what: Decided;
  readonly differences: readonly Difference[];
}

/**
 * After a run stored what it found: ends the decisions that do not cover it, each with a note that says why, an audit
 * event with the decision as it was, and one event for those who watch.
 */
export async function endUncovered(
  transaction: Transaction,
  run: TakenRun,
  found: ReadonlyMap<string, Facts>,
): Promise<void> {
  const { workspaceId, id, series } = run;
  const rows = await transaction.many<BoundRow>(
    selectBound(
      workspaceId,
      sql`g.series = ${series} and ${LAST_SEEN} = ${id}
          and (g.status = 'accepted' or g.resolution = 'false_positive' or g.severity_override is not null
               or exists (select from gap_proposals p where p.workspace_id = g.workspace_id and p.gap_id = g.id
                          and p.outcome is null))`,
    ),
  );
  const ended = rows.flatMap((row) =>
    decidedIn(row).flatMap((what): Ended[] => {
      const facts = found.get(row.fingerprint);
      if (!facts) return [];
      const basis = row.bases?.[what];
      const all = basis ? differences(basis, facts) : [NO_BASIS];
      // A severity above the one that was found hides nothing, until the finding itself is worse than it was.
      const hidesNothing = what === 'severity' && isRaised(row, facts);
      const because = hidesNothing ? all.filter(({ about }) => about === 'severity') : all;
      return because.length === 0 ? [] : [{ row, what, differences: because }];
    }),
  );
  if (ended.length === 0) return;
  await endStates(transaction, run, ended);
  await tellEnded(transaction, run, { ended, found });
}

/** Set higher than it was found, which hides nothing. */
const isRaised = ({ severity_override }: BoundRow, { severity }: Facts): boolean =>
  !isAtLeast(severity, severity_override ?? severity);

const NO_BASIS: Difference = { about: 'observed', said: 'nothing tells what the decision rested on' };

const NAMES: Readonly<Record<Decided, string>> = {
  status: 'The decision',
  severity: 'The severity that was set',
  acceptance: 'The acceptance by one manager',
  false_positive: 'The proposal that it is a false positive',
  severity_proposal: 'The proposed severity',
};

function noteOf({ row, what, differences: because }: Ended): string {
  const name =
    what !== 'status'
      ? NAMES[what]
      : row.status === 'accepted'
        ? 'The acceptance'
        : 'That it is a false positive';
  return `${name} does not cover what was found since: ${because.map(({ said }) => said).join('; ')}.`;
}

async function endStates(
  transaction: Transaction,
  { workspaceId }: TakenRun,
  ended: readonly Ended[],
): Promise<void> {
  const byGap = new Map<string, Ended[]>();
  for (const one of ended) byGap.set(one.row.id, [...(byGap.get(one.row.id) ?? []), one]);
  const rows = [...byGap].map(([id, all]) => {
    const over = new Set(all.map(({ what }) => what));
    return {
      id,
      status: over.has('status'),
      severity: over.has('severity'),
      note: all.map(noteOf).join(' '),
      ended: [...over],
    };
  });
  await transaction.run(sql`
    update gaps g
    set status = case when r.status then 'open' else g.status end,
        resolution = case when r.status then null else g.resolution end,
        reason = case when r.status then null else g.reason end,
        accepted_until = case when r.status then null else g.accepted_until end,
        waiver_owner = case when r.status then null else g.waiver_owner end,
        accepted_by = case when r.status then null else g.accepted_by end,
        accepted_at = case when r.status then null else g.accepted_at end,
        severity_override = case when r.severity then null else g.severity_override end,
        severity_reason = case when r.severity then null else g.severity_reason end,
        severity_by = case when r.severity then null else g.severity_by end,
        severity_at = case when r.severity then null else g.severity_at end,
        note = r.note,
        decision_bases = coalesce(g.decision_bases, '{}') - array(select jsonb_array_elements_text(r.ended))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, status boolean, severity boolean, note text, ended jsonb)
    where g.workspace_id = ${workspaceId} and g.id = r.id`);
  const outdated = ended.flatMap(({ row, what }) => proposalOf(row, what)?.id ?? []);
  if (outdated.length === 0) return;
  await transaction.run(sql`
    update gap_proposals set outcome = 'outdated', decided_at = now()
    where workspace_id = ${workspaceId} and id = any (${outdated}::uuid[]) and outcome is null`);
}

const proposalOf = ({ proposals }: BoundRow, what: Decided) =>
  proposals.find(({ kind }) => ofProposal(kind) === what);

const ACTIONS: Readonly<Record<Decided, string>> = {
  status: 'gap.reopened',
  severity: 'gap.severity_changed',
  acceptance: 'gap.proposal_outdated',
  false_positive: 'gap.proposal_outdated',
  severity_proposal: 'gap.proposal_outdated',
};

async function tellEnded(
  transaction: Transaction,
  { workspaceId, id }: TakenRun,
  { ended, found }: { readonly ended: readonly Ended[]; readonly found: ReadonlyMap<string, Facts> },
): Promise<void> {
  const events = ended.map(({ row, what, differences: because }) => {
    const basis = row.bases?.[what];
    const facts = found.get(row.fingerprint)!;
    const isProposal = ACTIONS[what] === 'gap.proposal_outdated';
    return {
      action: ACTIONS[what],
      target_id: row.id,
      before: {
        status: row.status,
        resolution: row.resolution,
        ...(what === 'severity' ? { severity: row.severity_override, reason: row.severity_reason } : {}),
        ...(what === 'status'
          ? {
              accepted_until: row.accepted_until,
              owner: row.waiver_owner,
              accepted_by: row.accepted_by,
              reason: row.reason,
            }
          : {}),
        ...(isProposal ? { proposal: what, reason: proposalOf(row, what)?.reason } : {}),
        basis: basis ? basisHash(basis) : null,
      },
      after: {
        status: what === 'status' ? 'open' : row.status,
        ...(what === 'severity' ? { severity: facts.severity } : {}),
        analysis_id: id,
        basis: basisHash(basisOf(facts)),
        // Closed words: ids of documents stand in the note, which goes with them.
        changed: [...new Set(because.map(({ about }) => about))],
      },
    };
  });
  const actions = [...new Set(events.map(({ action }) => action))];
  const data = { gap_ids: [...new Set(ended.map(({ row }) => row.id))], actions, analysis_id: id };
  await transaction.run(
    sql`select app.add_event(${workspaceId}, null, 'gaps_changed', ${JSON.stringify(data)}::jsonb)`,
  );
  await transaction.run(sql`
    insert into audit_events (workspace_id, action, target_type, target_id, before, after)
    select ${workspaceId}::uuid, e.action, 'gap', e.target_id, e.before, e.after
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as e (action text, target_id text, before jsonb, after jsonb)`);
}
