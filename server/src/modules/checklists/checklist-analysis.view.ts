import { inLanguage } from '@normtrace/engine';
import { z } from 'zod';
import { sql } from '../../platform/database/sql.js';
import type { AnalysisDetail } from '../runs/analyses.schemas.js';
import type { AnalysisView } from '../runs/analysis-view.js';
import { type ChecklistResultRow, selectChecklistResults } from './checklist-analysis.repository.js';
import { ChecklistQuestion, ChecklistVerdict, ItemVerdict } from './checklist-analysis.schemas.js';
import { toVerdict } from './checklist-result.js';

const fields = {
  items: z.array(ChecklistVerdict).meta({
    description:
      'In the order of the checklist, as the run judged them; answers of people stand beside them in ' +
      '`GET /compliance/checklists/{id}/results`.',
  }),
  questions: z.array(ChecklistQuestion).meta({
    description: 'Answer them in `options.conditions` of the next run.',
  }),
};

export const checklistView: AnalysisView = {
  type: 'checklist',
  name: 'ChecklistAnalysisDetail',
  fields,
  async read({ id, summary }, { read, language }) {
    const rows = await read<ChecklistResultRow>(selectChecklistResults(id));
    return {
      items: rows.map((row) => toVerdict(row, language)),
      questions: inLanguage(summary?.questions ?? [], language),
    };
  },
  results: {
    item: ChecklistVerdict,
    verdicts: ItemVerdict.options,
    listed: (id) => sql`select ordinal, verdict from checklist_results_of_runs where analysis_id = ${id}`,
    details: (id, { ordinal }) => selectChecklistResults(id, { ordinal }),
    toItem: toVerdict,
  },
};

export type ChecklistAnalysisDetail = AnalysisDetail & z.output<z.ZodObject<typeof fields>>;
