import { queuedExample, workProductId, workspaceId } from '../analysis/examples.js';

/** Examples of the API description, the same everywhere. */
export { workProductId, workspaceId };
export const ownTemplateId = '2d7f0c8e-5a3b-4e1f-9c6d-8b7a6f5e4d3c';

export const queuedCompletenessExample = {
  ...queuedExample,
  type: 'completeness',
  standard_id: null,
  standard_name: '',
  options: {
    conditions: { variants: false },
    aliases: [],
    requirement_quality: { without: [], glossary: [], least: 'medium' },
    today: '2026-01-31',
    template_id: null,
    templates: [],
  },
};

export const templateExample = {
  id: ownTemplateId,
  workspace_id: workspaceId,
  built_in: false,
  replaces_built_in: false,
  type: 'work_plan',
  name: { en: 'Work plan', de: 'Work plan' },
  aliases: ['Work plan'],
  sections: [
    {
      key: 'aims',
      heading: { en: 'Aims', de: 'Ziele' },
      synonyms: ['Objectives'],
      need: 'required',
      condition: null,
      condition_id: null,
      severity: 'medium',
      critical: false,
      min_words: null,
      accepts_by_reference: false,
    },
  ],
  tables: [
    {
      key: 'steps',
      title: 'Steps',
      min_rows: 1,
      columns: [
        { key: 'step', names: ['Step'], required: true },
        { key: 'owner', names: ['Owner'], required: true },
      ],
    },
  ],
  learned_from: { work_product_id: workProductId, version: 1 },
  revision: 1,
  created_by: '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c11',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
  yaml: 'id: work_plan\nname:\n  en: Work plan\n  de: Work plan\naliases:\n  - Work plan\n…',
};

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
