import { z } from 'zod';
import type { AnalysisDetail } from '../runs/analyses.schemas.js';
import type { AnalysisView } from '../runs/analysis-view.js';
import { type CompletenessDocumentRow, selectDocuments } from './completeness.repository.js';
import { DocumentCompleteness, OpenQuestion } from './completeness.schemas.js';

const fields = {
  documents: z.array(DocumentCompleteness).meta({ description: 'In the order of `work_products`.' }),
  questions: z.array(OpenQuestion).meta({
    description: 'Answer them in `options.conditions` of the next run.',
  }),
};

export const completenessView: AnalysisView = {
  type: 'completeness',
  name: 'CompletenessDetail',
  fields,
  async read({ id, summary }, { read }) {
    const rows = await read<CompletenessDocumentRow>(selectDocuments(id));
    return { documents: rows.map(({ result }) => result), questions: summary?.questions ?? [] };
  },
};

export type CompletenessDetail = AnalysisDetail & z.output<z.ZodObject<typeof fields>>;
