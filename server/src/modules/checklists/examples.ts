import { analysisId, evidenceExample, queuedExample, workProductId, workspaceId } from '../runs/examples.js';

export const ownChecklistId = '8e6b1f0a-4c2d-4b7e-9f3a-6d5c4b3a2f1e';

export const queuedChecklistExample = {
  ...queuedExample,
  type: 'checklist',
  standard_id: null,
  standard_name: '',
  options: {
    conditions: { variants: false },
    aliases: [],
    today: '2026-01-31',
    checklist: { id: 'FS-HARA', revision: 1 },
    templates: [],
  },
};

const textExample = { en: 'Is every requirement testable?', de: null };

export const checklistItemExample = {
  id: 'USR-R1',
  text: textExample,
  refs: ['WI-7 4.2'],
  severity: 'high',
  missing_severity: 'high',
  automation: 'assisted',
  question: textExample,
  pass: null,
  fail: null,
  document_types: [],
  applies_when: [],
  not_applicable: null,
  status: 'active',
  revision: 1,
  claimed: { result: 'pass', remark: 'fine', evidence: null },
};

export const checklistExample = {
  id: ownChecklistId,
  workspace_id: workspaceId,
  built_in: false,
  key: 'USR-HOUSE-REVIEW',
  title: { en: 'House review', de: null },
  group: 'own',
  languages: ['en'],
  item_count: 1,
  taken_from: { work_product_id: workProductId, version: 1 },
  revision: 1,
  created_by: '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c11',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
  items: [checklistItemExample],
  yaml: 'checklist:\n  title: House review\n  id: USR-HOUSE-REVIEW\nitems:\n  - id: USR-R1\n    text: Is every requirement testable?\n    reference: WI-7 4.2\n    severity: high\n    result: pass\n    remark: fine\n',
};

const confirmedText = { en: 'The hazard analysis covers all operating situations', de: null };

const machineExample = {
  item_id: 'FS-HARA-01',
  item: {
    ...checklistItemExample,
    id: 'FS-HARA-01',
    text: confirmedText,
    question: confirmedText,
    claimed: null,
  },
  verdict: 'fail',
  confidence: 'low',
  needs_confirmation: true,
  question: confirmedText,
  rules: ['undecided'],
  reason: 'One situation has no rating.',
  severity: 'high',
  instances: { met: 4, total: 5 },
  affected_items: ['HE-5'],
  evidence: [evidenceExample],
  search: null,
  looked_at: [workProductId],
  fingerprint: '5f1e2d3c4b5a69788796a5b4c3d2e1f0',
  basis: '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
};

const answerExample = {
  id: '6f0e1d2c-3b4a-4958-8776-655443322110',
  verdict: 'pass',
  reason: 'Reviewed with the safety manager.',
  evidence: [{ ...evidenceExample, quote: 'All situations were assessed.', role: 'support', note: null }],
  analysis_id: analysisId,
  machine_verdict: 'fail',
  documents: [{ work_product_id: workProductId, name: 'HARA', version: 2 }],
  answered_by: '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c11',
  answered_by_name: 'Ada Meyer',
  answered_at: '2026-01-31T09:30:00.000Z',
};

export const reviewedItemExample = {
  item_id: 'FS-HARA-01',
  item: machineExample.item,
  machine: machineExample,
  answer: answerExample,
  effective_verdict: 'pass',
  review_status: 'overridden',
  review_reason: null,
  history: [answerExample],
};

export const stateExample = {
  workspace_id: workspaceId,
  checklist_id: 'FS-HARA',
  key: 'FS-HARA',
  title: { en: 'Hazard analysis and risk assessment', de: null },
  group: 'functional_safety',
  analysis: {
    id: analysisId,
    engine_version: '0.1.0+1f3a9c0b2d4e',
    finished_at: '2026-01-31T09:30:04.700Z',
    documents: [{ work_product_id: workProductId, name: 'HARA', version: 2, newest_version: 2 }],
  },
  items: [reviewedItemExample],
  counts: {
    machine: { pass: 0, fail: 1, missing: 0, NA: 0 },
    effective: { pass: 1, fail: 0, missing: 0, NA: 0, to_be_reviewed: 0 },
  },
  review: {
    statuses: { not_needed: 0, to_be_reviewed: 0, confirmed: 0, overridden: 1 },
    needed: 1,
    done: 1,
    percent: 100,
  },
  releases: [
    {
      id: '1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9',
      analysis_id: analysisId,
      comment: 'Approved for release 2.',
      released_by: '0c1d2e3f-4a5b-4c6d-8e7f-90a1b2c3d4e5',
      released_by_name: 'Bo Lang',
      released_at: '2026-01-31T10:00:00.000Z',
      current: true,
    },
  ],
};
