import { inLanguage } from '@normtrace/engine';
import { z } from 'zod';
import { sql } from '../../platform/database/sql.js';
import type { StoredSearch } from '../gaps/gaps.repository.js';
import { toSearch } from '../gaps/gaps.service.js';
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
  async read({ id, summary }, { read, language }) {
    const rows = await read<CompletenessDocumentRow>(selectDocuments(id));
    return {
      documents: inLanguage(
        rows.map(({ result }) => result),
        language,
      ).map(withSearches),
      questions: inLanguage(summary?.questions ?? [], language),
    };
  },
  results: {
    item: DocumentCompleteness,
    verdicts: [],
    listed: (id) => sql`select ordinal from completeness_of_runs where analysis_id = ${id}`,
    details: (id, { ordinal }) => selectDocuments(id, ordinal),
    toItem: ({ result }: CompletenessDocumentRow, language) => withSearches(inLanguage(result, language)),
  },
};

/** Keys and values of what was searched are for programs of ours. */
const withSearches = (document: DocumentCompleteness): DocumentCompleteness => ({
  ...document,
  templates: document.templates.map((template) => ({
    ...template,
    sections: template.sections.map((section) => ({
      ...section,
      search: toSearch(section.search as StoredSearch | null),
    })),
  })),
});

export type CompletenessDetail = AnalysisDetail & z.output<z.ZodObject<typeof fields>>;
