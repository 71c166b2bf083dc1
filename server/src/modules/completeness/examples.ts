import { queuedExample } from '../runs/examples.js';

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
