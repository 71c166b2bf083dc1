import { inLanguage } from '@normtrace/engine';
import { z } from 'zod';
import { sql } from '../../platform/database/sql.js';
import { toEvidence, toSearch } from '../gaps/gaps.service.js';
import { selectVerdicts, type VerdictRow } from '../runs/analyses.repository.js';
import { type AnalysisDetail, CriterionVerdict, Verdict } from '../runs/analyses.schemas.js';
import type { AnalysisView } from '../runs/analysis-view.js';

export const gapAnalysisView: AnalysisView = {
  type: 'gap_analysis',
  name: 'GapAnalysisDetail',
  fields: { verdicts: z.array(CriterionVerdict) },
  async read({ id }, { read, caller, language }) {
    const verdicts = inLanguage(await read<VerdictRow>(selectVerdicts(id, caller.userId)), language);
    return { verdicts: verdicts.map(toVerdict) };
  },
  results: {
    item: CriterionVerdict,
    verdicts: Verdict.options,
    listed: (id) => sql`select ordinal, verdict from verdicts_of_runs where analysis_id = ${id}`,
    details: (id, { userId, ordinal }) => selectVerdicts(id, userId, { ordinal }),
    toItem: (row: VerdictRow, language) => toVerdict(inLanguage(row, language)),
  },
};

/** As the API names it. */
export const toVerdict = ({
  search,
  evidence,
  said: _,
  ...verdict
}: VerdictRow): z.output<typeof CriterionVerdict> => ({
  ...verdict,
  rules: [...verdict.rules],
  search: toSearch(search),
  evidence: evidence.map(toEvidence),
});

export type GapAnalysisDetail = AnalysisDetail & {
  readonly verdicts: readonly z.output<typeof CriterionVerdict>[];
};
