/** Examples of the API description, the same everywhere. */
export const analysisId = '9a1c3c5e-7b1d-4f0e-8a51-2c5f6f2f7d11';
export const workspaceId = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
export const standardId = '3c9f8f0e-1f54-4c0a-9a9b-5d1e2f3a4b5c';
export const workProductId = '7b1d0c52-93a1-4a35-8b0e-3b3a1c7f5e21';
export const gapId = 'c2b1f9d4-3e5a-4c7b-9d8e-1f2a3b4c5d6e';
export const userId = '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c11';

export const evidenceExample = {
  work_product_id: workProductId,
  version: 2,
  location: { page: 12, section: ['4 Safety goals', '4.2 Timing'] },
  quote: 'The fault tolerant time interval is to be defined.',
  range: { start: 18_204, end: 18_254 },
  role: 'counter',
  note: 'An intent is no result.',
};

export const analysisExample = {
  id: analysisId,
  workspace_id: workspaceId,
  type: 'gap_analysis',
  status: 'completed',
  mode: 'rules',
  fresh_answers: false,
  standard_id: standardId,
  standard_name: 'ISO 26262-3:2018',
  work_products: [
    {
      work_product_id: workProductId,
      version: 2,
      name: 'Functional safety concept',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      score: null,
    },
  ],
  options: { conditions: {}, aliases: [], embeddings: true },
  engine_version: '0.1.0+1f3a9c0b2d4e',
  attempt: 1,
  progress: {
    stage: 'completed',
    percent: 100,
    done: 96,
    total: 96,
    message: 'Completed',
    eta_seconds: null,
  },
  score: 62.5,
  summary: {
    verdicts: { covered: 50, partial: 12, missing: 20, not_applicable: 4, needs_review: 10 },
    severities: { critical: 2, high: 9, medium: 14, low: 7 },
    gaps: 32,
    changes: { new: 3, unchanged: 27, updated: 2, absent: 5 },
  },
  error: null,
  score_is_partial: false,
  unread_work_products: [],
  previous_analysis_id: null,
  created_by: userId,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
  started_at: '2026-01-31T09:30:00.120Z',
  finished_at: '2026-01-31T09:30:04.700Z',
};

export const queuedExample = {
  ...analysisExample,
  status: 'queued',
  attempt: 0,
  progress: { stage: 'queued', percent: 0, done: 0, total: 0, message: '', eta_seconds: null },
  score: null,
  summary: null,
  started_at: null,
  finished_at: null,
};

export const gapExample = {
  id: gapId,
  workspace_id: workspaceId,
  analysis_type: 'gap_analysis',
  standard_id: standardId,
  work_product_id: null,
  analysis_id: analysisId,
  fingerprint: '5f1e2d3c4b5a69788796a5b4c3d2e1f0',
  type: 'insufficient_content',
  status: 'open',
  change: 'new',
  severity: 'high',
  severity_original: 'high',
  severity_override: null,
  severity_reasons: ['Mandatory content of a work product is missing.'],
  confidence: 'medium',
  asil: 'C',
  criterion_id: '26262-3:7.5.1-6',
  clause: '7',
  title: 'Functional safety concept gives no fault tolerant time interval',
  standard_ref: 'ISO 26262-3:2018, 7 (WP 7.5.1)',
  expected: 'Each safety goal has a fault tolerant time interval.',
  observed: 'Section 4.2 says that it is to be defined.',
  why_it_matters: 'Without it nobody can show that the reaction is fast enough.',
  recommendation: 'Determine the interval of each safety goal and add it to section 4.2; safety engineer.',
  recommendations: ['Determine the interval of each safety goal and add it to section 4.2; safety engineer.'],
  remedy: null,
  by_model: null,
  effort_hint: 'days',
  affected_items: ['SG-03'],
  affected: null,
  evidence: [evidenceExample],
  search: null,
  resolution: null,
  assignee: null,
  due_date: null,
  overdue: false,
  reason: null,
  accepted_until: null,
  waiver: null,
  acceptance_pending: false,
  proposals: [],
  previous_decisions: [],
  note: null,
  created_at: '2026-01-31T09:30:04.700Z',
  updated_at: '2026-01-31T09:30:04.700Z',
};

export const proposalExample = {
  id: '1d8f7c3a-52b4-4e0d-9b0a-7e6c5d4f3b2a',
  kind: 'acceptance',
  severity: null,
  accepted_until: '2026-12-31T00:00:00.000Z',
  owner: userId,
  reason: 'The prototypes are driven by test drivers on closed roads only.',
  proposed_by: userId,
  created_at: '2026-02-01T10:00:00.000Z',
  updated_at: '2026-02-01T10:00:00.000Z',
};

export const commentExample = {
  id: '4e5d6c7b-8a90-4b1c-9d2e-3f4a5b6c7d8e',
  gap_id: gapId,
  author: userId,
  author_name: null,
  text: 'The interval is in the timing concept, which is not uploaded yet.',
  mentions: [],
  created_at: '2026-02-01T10:00:00.000Z',
  edited_at: null,
  resolved_at: null,
  resolved_by: null,
  deleted_at: null,
};

export const historyExample = {
  id: '6f7e8d9c-0b1a-4c2d-8e3f-4a5b6c7d8e9f',
  type: 'change',
  created_at: '2026-02-01T10:00:00.000Z',
  actor: userId,
  analysis_id: null,
  change: null,
  severity: null,
  fields: [],
  action: 'gap.status_changed',
  reason: null,
  before: { status: 'open' },
  after: { status: 'in_progress' },
  text: null,
};

export const verdictExample = {
  criterion_id: gapExample.criterion_id,
  verdict: 'partial',
  confidence: 'medium',
  rules: ['T3-intent'],
  reason: 'The interval is announced, not given.',
  evidence: [evidenceExample],
  search: null,
};

export const detailExample = {
  ...analysisExample,
  verdicts: [verdictExample],
  gaps: [gapExample],
  gaps_total: 1,
  not_due: [
    {
      because: 'phase',
      reason: 'Validation: due in the phase "Validation"; the project is in the phase "Concept".',
      items: ['26262-4:8.5.1', '26262-4:8.5.2'],
    },
  ],
  recommendations: [
    {
      gap_id: gapExample.id,
      severity: gapExample.severity,
      standard_ref: gapExample.standard_ref,
      recommendation: gapExample.recommendation,
      effort_hint: gapExample.effort_hint,
    },
  ],
};

export const overviewExample = {
  workspace_id: workspaceId,
  work_products: { total: 4, by_status: { completed: 3, failed: 1 } },
  analyses: { total: 2, by_status: { completed: 2 } },
  gaps: {
    total: 32,
    by_severity: { critical: 2, high: 9, medium: 14, low: 7 },
    by_status: { open: 30, in_progress: 2 },
    by_change: { new: 3, unchanged: 27, updated: 2, absent: 5 },
    by_analysis_type: { gap_analysis: 32 },
    overdue: 1,
    proposed: 0,
  },
  standards: [
    {
      standard_id: standardId,
      name: 'ISO 26262-3:2018',
      category: 'functional_safety',
      analysis_id: analysisId,
      score: 62.5,
      assessed: true,
      finished_at: analysisExample.finished_at,
      gaps: 32,
      by_severity: { critical: 2, high: 9, medium: 14, low: 7 },
      by_status: { open: 30, in_progress: 2 },
    },
  ],
  others: [],
  trend: [
    {
      analysis_id: analysisId,
      analysis_type: 'gap_analysis',
      standard_id: standardId,
      finished_at: analysisExample.finished_at,
      score: 62.5,
      assessed: true,
      gaps: 32,
    },
  ],
};

export const drilldownExample = {
  standard_id: standardId,
  name: 'ISO 26262-3:2018',
  analysis: { id: analysisId, status: 'completed', score: 62.5, finished_at: analysisExample.finished_at },
  clauses: [
    {
      criterion_id: '26262-3:6.5.1',
      kind: 'work_product',
      clause: '6',
      title: 'Hazard analysis and risk assessment report',
      verdict: 'partial',
      confidence: 'medium',
      score: 62.5,
      verdicts: { partial: 1 },
      effective_verdicts: { partial: 1 },
      effective_verdict: 'partial',
      review_status: 'not_needed',
      review_reason: null,
      answer: null,
      effective_score: 62.5,
      reason: 'The fault tolerant time interval is announced, not stated.',
      gaps: [
        { id: gapId, title: 'Fault tolerant time interval is missing', severity: 'high', status: 'open' },
      ],
      evidence: [evidenceExample],
      child_count: 0,
      children: [],
    },
  ],
};
