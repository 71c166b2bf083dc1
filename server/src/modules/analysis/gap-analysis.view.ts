import { z } from 'zod';
import { selectVerdicts, type VerdictRow } from './analyses.repository.js';
import { type AnalysisDetail, CriterionVerdict } from './analyses.schemas.js';
import type { AnalysisView } from './analysis-view.js';
import { toEvidence } from './gaps.service.js';

export const gapAnalysisView: AnalysisView = {
  type: 'gap_analysis',
  name: 'GapAnalysisDetail',
  fields: { verdicts: z.array(CriterionVerdict) },
  async read({ id }, { read, caller }) {
    const verdicts = await read<VerdictRow>(selectVerdicts(id, caller.userId));
    return {
      verdicts: verdicts.map((verdict) => ({ ...verdict, evidence: verdict.evidence.map(toEvidence) })),
    };
  },
};

export type GapAnalysisDetail = AnalysisDetail & {
  readonly verdicts: readonly z.output<typeof CriterionVerdict>[];
};
