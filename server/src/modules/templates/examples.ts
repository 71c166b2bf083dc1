import { workProductId, workspaceId } from '../runs/examples.js';

export const ownTemplateId = '2d7f0c8e-5a3b-4e1f-9c6d-8b7a6f5e4d3c';

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
