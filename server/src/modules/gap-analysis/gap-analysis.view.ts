import { z } from 'zod';
import { toEvidence } from '../gaps/gaps.service.js';
import { selectVerdicts, type VerdictRow } from '../runs/analyses.repository.js';
import { type AnalysisDetail, CriterionVerdict } from '../runs/analyses.schemas.js';
import type { AnalysisView } from '../runs/analysis-view.js';

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
