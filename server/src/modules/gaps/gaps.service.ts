import { type AffectedItem, inLanguage, type Location, type Remedy } from '@normtrace/engine';
import type { z } from 'zod';
import type { Language } from '../../platform/http/language.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { byTheClock } from './gap-decisions.js';
import type * as repository from './gaps.repository.js';
import type { Evidence, Gap, PreviousDecision, TextRange } from './gaps.schemas.js';

export const toLocation = ({ requirementId, section, ...rest }: Location): Evidence['location'] => ({
  ...rest,
  ...(section ? { section: [...section] } : {}),
  ...(requirementId === undefined ? {} : { requirement_id: requirementId }),
});

/** Where a quote stands; null where nothing of a document is quoted. */
export const rangeOf = ({
  start_offset: start,
  end_offset: end,
}: {
  readonly start_offset: number | null;
  readonly end_offset: number | null;
}): z.output<typeof TextRange> | null => (start === null || end === null ? null : { start, end });

export const toEvidence = (row: repository.EvidenceRow): Evidence => ({
  work_product_id: row.work_product_id,
  version: row.version,
  location: toLocation(row.location),
  quote: row.quote,
  range: { start: row.start, end: row.end },
  role: row.role,
  note: row.note,
});

/** A field of a stored finding as the API names it. */
export const toSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function toPreviousDecision(ended: repository.EndedDecision): PreviousDecision {
  const { before, by } = ended;
  return {
    decision: decisionOf(ended),
    severity: before.severity ?? null,
    reason: before.reason ?? null,
    accepted_until: timestampOrNull(before.accepted_until ?? null),
    decided_by: [...(before.accepted_by ?? (by === null ? [] : [by]))],
    ended_at: timestamp(ended.at),
    analysis_id: ended.analysis_id,
    changed: [...ended.changed],
  };
}

function decisionOf({ action, before }: repository.EndedDecision): PreviousDecision['decision'] {
  if (action === 'gap.severity_changed') return 'severity';
  if (action === 'gap.proposal_outdated') return 'proposal';
  return before.status === 'accepted' ? 'accepted' : 'false_positive';
}

/** Artifacts of a cause that an answer lists; the others are counted. */
const MOST_AFFECTED = 100;

const toAffected = ({ id, title, kind, severity, causedBy, documentId, location, search }: AffectedItem) => ({
  id,
  title: title ?? null,
  type: kind,
  severity,
  caused_by: causedBy ?? null,
  work_product_id: documentId ?? null,
  location: location ? toLocation(location) : null,
  searched: search?.statement ?? null,
});

const toRemedy = (remedy: Remedy | undefined): Gap['remedy'] =>
  remedy === undefined
    ? null
    : { language: remedy.language, steps: [...remedy.steps], effort: remedy.effort ?? null };

/** A gap as it stands at `now`, in the words of a language. */
export function toGap(
  stored: repository.GapRow,
  { now, language }: { readonly now: Date; readonly language: Language },
): Gap {
  const row = byTheClock(stored);
  const finding = inLanguage(row.finding, language);
  const { severity_reason, severity_by, severity_at, waiver_owner, accepted_by, accepted_at } = row;
  const isAtWork = row.status === 'open' || row.status === 'in_progress';
  return {
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
    severity: row.severity_override ?? finding.severity,
    severity_original: finding.severity,
    severity_override:
      severity_reason !== null && severity_by !== null && severity_at !== null
        ? { reason: severity_reason, overridden_by: severity_by, overridden_at: timestamp(severity_at) }
        : null,
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
    remedy: toRemedy(finding.remedy),
    by_model: finding.byModel ?? null,
    effort_hint: finding.effortHint ?? null,
    affected_items: [...finding.affectedItems],
    affected: finding.affected
      ? { count: finding.affected.length, items: finding.affected.slice(0, MOST_AFFECTED).map(toAffected) }
      : null,
    evidence: inLanguage(row.evidence, language).map(toEvidence),
    search: toSearch(finding.search),
    resolution: row.status === 'resolved' ? (row.resolution ?? 'fixed') : null,
    assignee: row.assignee,
    due_date: row.due_date,
    overdue: isAtWork && row.due_date !== null && row.due_date < now.toISOString().slice(0, 10),
    reason: row.reason,
    accepted_until: timestampOrNull(row.accepted_until),
    waiver:
      row.status === 'accepted' && waiver_owner !== null && accepted_at !== null
        ? { owner: waiver_owner, accepted_by: [...(accepted_by ?? [])], accepted_at: timestamp(accepted_at) }
        : null,
    acceptance_pending: row.proposals.some(({ kind }) => kind === 'acceptance'),
    proposals: row.proposals.map((proposal) => ({
      ...proposal,
      accepted_until: timestampOrNull(proposal.accepted_until),
      created_at: timestamp(proposal.created_at),
    })),
    previous_decisions: row.ended_decisions.map(toPreviousDecision),
    note: row.note,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** What was searched; keys and values are for programs of ours. */
export function toSearch(stored: repository.StoredSearch | null | undefined): Record<string, unknown> | null {
  if (!stored) return null;
  const { said: _, ...search } = stored;
  return search;
}
