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
  dangling: null,
  suspect: null,
  confirmed: { by: userId, at: '2026-01-31T10:00:00.000Z' },
  work_product_id: workProductId,
  version: 2,
  location: { section: ['3 Requirements'], line: 41 },
  quote: 'SG-01',
  created_by: null,
  created_at: '2026-01-31T09:30:00.000Z',
};

export const manualLinkExample = {
  ...linkExample,
  origin: 'manual',
  confirmed: null,
  work_product_id: null,
  version: null,
  location: null,
  quote: null,
  created_by: userId,
};

export const extractionExample = {
  status: 'completed',
  under_way: false,
  extracted_at: '2026-01-31T09:30:00.000Z',
  documents: [{ work_product_id: workProductId, version: 2 }],
  error: null,
};
