/** Examples of the API description, the same everywhere. */
export const workspaceId = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
export const artifactId = '4d7a1e52-93a1-4a35-8b0e-3b3a1c7f5e22';
export const linkId = '6b1d0c52-93a1-4a35-8b0e-3b3a1c7f5e23';
const workProductId = '7b1d0c52-93a1-4a35-8b0e-3b3a1c7f5e21';
const userId = '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c11';

export const artifactExample = {
  id: artifactId,
  workspace_id: workspaceId,
  artifact_id: 'FSR-01',
  type: 'functional_safety_requirement',
  told_type: null,
  origin: 'document',
  name: null,
  text: 'The door shall stop within 100 ms after an obstacle was detected.',
  status: 'approved',
  asil: 'B',
  artifact_version: null,
  cal: null,
  risk: null,
  ratings: null,
  informational: false,
  external: false,
  kind: null,
  result: null,
  stale: false,
  configuration: null,
  verification_method: null,
  content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  work_product_id: workProductId,
  version: 2,
  location: { section: ['3 Requirements'], line: 41 },
  quote: 'The door shall stop within 100 ms after an obstacle was detected.',
  range: { start: 4_120, end: 4_185 },
  other_places: [],
  created_by: null,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};

export const manualArtifactExample = {
  ...artifactExample,
  origin: 'manual',
  work_product_id: null,
  version: null,
  location: null,
  quote: null,
  range: null,
  created_by: userId,
};

export const linkExample = {
  id: linkId,
  workspace_id: workspaceId,
  source_id: 'FSR-01',
  target_id: 'SG-01',
  link_type: 'derives_from',
  origin: 'document',
  stated_at: 'source',
  rejected: false,
  assumed: null,
  dangling: null,
  suspect: null,
  confirmed_by: userId,
  confirmed_at: '2026-01-31T10:00:00.000Z',
  work_product_id: workProductId,
  version: 2,
  location: { section: ['3 Requirements'], line: 41 },
  quote: 'SG-01',
  range: { start: 4_190, end: 4_195 },
  created_by: null,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};

const endExample = {
  type: 'functional_safety_requirement',
  name: null,
  text: 'The door shall stay closed above 5 km/h.',
  asil: 'B',
  cal: null,
  risk: null,
  ratings: null,
  result: null,
  needs: null,
  work_product_id: workProductId,
  version: 2,
};

export const linkReviewExample = {
  link: { ...linkExample, suspect: 'source' },
  source: {
    artifact_id: 'FSR-01',
    before: { ...endExample, text: 'The door shall stay closed above 6 km/h.', version: 1 },
    now: { ...endExample, id: artifactId },
    changed: ['text'],
    words: [
      { op: 'same', text: 'The door shall stay closed above ' },
      { op: 'delete', text: '6' },
      { op: 'insert', text: '5' },
      { op: 'same', text: ' km/h.' },
    ],
  },
  target: {
    artifact_id: 'SG-01',
    before: { ...endExample, type: 'safety_goal', text: 'The door stays closed while driving.' },
    now: {
      ...endExample,
      type: 'safety_goal',
      text: 'The door stays closed while driving.',
      id: '1c6f2c3e-8d0b-4a53-9f11-5f0a7a1d2b10',
    },
    changed: [],
    words: null,
  },
};

export const manualLinkExample = {
  ...linkExample,
  origin: 'manual',
  confirmed_by: null,
  confirmed_at: null,
  work_product_id: null,
  version: null,
  location: null,
  quote: null,
  range: null,
  created_by: userId,
};

const extractionExample = {
  status: 'completed',
  under_way: false,
  extracted_at: '2026-01-31T09:30:00.000Z',
  documents: [{ work_product_id: workProductId, version: 2 }],
  error: null,
};

export const extractionDetailExample = {
  ...extractionExample,
  workspace_id: workspaceId,
  artifacts: 412,
  links: 1018,
  engine_version: '0.1.0+1f3a9c0b2d4e',
  note_counts: { range_expanded: 1 },
  notes: [
    {
      code: 'range_expanded',
      message: '"TC-1..TC-3" was read as 3 ids.',
      work_product_id: workProductId,
      location: { line: 88 },
    },
  ],
};

const gap = {
  severity: 'critical',
  description: 'FSR-01 (functional safety requirement, ASIL C) has no verification.',
  kind: 'none',
  integrity: 'ASIL C',
  severity_if_released: null,
  related: [],
  missing: null,
  suggested_action: 'Specify a test at vehicle or system level for FSR-01 (ASIL C); link it.',
  place: {
    work_product_id: workProductId,
    version: 2,
    location: { section: ['3 Requirements'], line: 41 },
    quote: artifactExample.text,
    range: { start: 2210, end: 2210 + artifactExample.text.length },
  },
};
const share = { numerator: 7, denominator: 8, percentage: 87.5 };
const coverage = {
  upstream: share,
  downstream: share,
  verification: share,
  verification_incl_indirect: share,
  evidence: { numerator: 0, denominator: 0, percentage: null },
  overall: share,
  end_to_end: share,
};
const none = {
  orphan_upstream: 0,
  orphan_downstream: 0,
  missing_verification: 0,
  missing_evidence: 0,
  broken_chain: 0,
  asil_inconsistency: 0,
};

export const traceResultExample = {
  summary: { ...none, missing_verification: 1 },
  severity_counts: { critical: 1, high: 0, medium: 0, low: 0 },
  total_gaps: 1,
  total_artifacts: 412,
  total_links: 1018,
};

export const traceAnalysisExample = {
  workspace_id: workspaceId,
  analyzed_at: '2026-01-31T09:31:00.000Z',
  gaps: [{ artifact_id: 'FSR-01', gap_type: 'missing_verification', ...gap }],
  ...traceResultExample,
  completeness_percentage: 87.5,
  assessed: true,
  coverage,
  listed_gaps: 1,
  page: 1,
  next_cursor: null,
  remarks: [
    {
      kind: 'passed_with_remarks',
      grade: 'info',
      count: 1,
      listed: [{ artifact_id: 'TC-01', related: [], text: 'TC-01 passed with remarks.' }],
    },
  ],
  extraction: extractionExample,
};

export const gapsExample = {
  gaps: [{ requirement_id: 'FSR-01', gap_type: 'missing_verification', ...gap }],
  total_gaps: 1,
  listed_gaps: 1,
  page: 1,
  next_cursor: null,
  extraction: extractionExample,
};

export const completenessExample = {
  workspace_id: workspaceId,
  total_artifacts: 412,
  total_links: 1018,
  upstream_completeness: 87.5,
  downstream_completeness: 87.5,
  verification_completeness: 87.5,
  evidence_completeness: 0,
  overall_completeness: 87.5,
  assessed: true,
  ...gapsExample,
  coverage,
  coverage_by_integrity: { D: coverage },
};

export const matrixExample = {
  matrix: [
    {
      id: null,
      requirement_name: null,
      requirement_id: 'FSR-01',
      requirement_text: artifactExample.text,
      type: 'functional_safety_requirement',
      integrity: 'ASIL B',
      upstream_links: [
        {
          artifact_id: 'SG-01',
          id: null,
          artifact_name: 'The door shall not trap anybody.',
          artifact_type: 'safety_goal',
          link_type: 'derives_from',
        },
      ],
      downstream_links: [],
      more_upstream: 0,
      more_downstream: 0,
      linked: null,
      status: 'missing',
      missing: null,
      severity: null,
      result: null,
    },
  ],
  facets: null,
  gaps: 1,
  coverage: 87.5,
  assessed: true,
  total: 1,
  page: 1,
  limit: null,
  next_cursor: null,
  extraction: extractionExample,
};

export const suggestionsExample = {
  workspace_id: workspaceId,
  items: [
    {
      artifact_id: 'FSR-01',
      type: 'functional_safety_requirement',
      text: artifactExample.text,
      candidates: [
        {
          artifact_id: 'SG-01',
          type: 'safety_goal',
          text: 'The door shall not trap anybody.',
          score: 2.31,
          link: { source_id: 'FSR-01', target_id: 'SG-01', link_type: 'derives_from' },
        },
      ],
    },
  ],
  total: 1,
  page: 1,
  limit: 20,
  next_cursor: null,
  note: 'Proposals by the words and the meaning of two texts: many are wrong. They count for nothing until a person accepts one.',
};

export const obligationsExample = {
  types: [
    {
      type: 'functional_safety_requirement',
      count: 42,
      duties: [
        {
          duty: 'verification',
          owed: 42,
          met: 26,
          percentage: 61.9,
          by_integrity: { D: { owed: 12, met: 11 }, B: { owed: 30, met: 15 } },
        },
      ],
      gaps: { critical: 1, high: 4, medium: 11, low: 0 },
    },
  ],
  end_to_end: { numerator: 5, denominator: 9, percentage: 55.6 },
  gaps: 23,
  extraction: extractionExample,
};

const goalId = '1c6f2c3e-8d0b-4a53-9f11-5f0a7a1d2b10';
export const gridExample = {
  rows: { total: 9, items: [{ id: goalId, artifact_id: 'SG-01', name: 'No trapping', links: 3 }] },
  columns: {
    total: 42,
    items: [{ id: artifactId, artifact_id: 'FSR-01', name: 'Stop at a block', links: 1 }],
  },
  cells: [{ row: 0, column: 0, link_type: 'derives_from', suspect: false, assumed: false }],
  next: null,
  extraction: extractionExample,
};

const nodeExample = {
  id: artifactId,
  artifact_id: 'FSR-01',
  depth: 0,
  type: 'functional_safety_requirement',
  name: 'Stop at a block',
  integrity: 'B',
  result: null,
  status: 'partial',
  missing: ['verification'],
  severity: 'high',
  work_product_id: workProductId,
  version: 2,
  range: { start: 4_100, end: 4_180 },
  more_up: 0,
  more_down: 2,
};
export const neighbourhoodExample = {
  nodes: [
    nodeExample,
    {
      ...nodeExample,
      id: goalId,
      artifact_id: 'SG-01',
      depth: -1,
      type: 'safety_goal',
      name: 'No trapping',
      status: 'complete',
      missing: [],
      severity: null,
      more_down: 0,
    },
  ],
  links: [
    {
      id: linkId,
      source_id: 'FSR-01',
      target_id: 'SG-01',
      link_type: 'derives_from',
      origin: 'document',
      suspect: false,
      assumed: false,
      confirmed: true,
      dangling: null,
    },
  ],
  truncated: false,
  extraction: extractionExample,
};
