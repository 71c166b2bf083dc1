import type { z } from 'zod';
import type { AnalysisDetail } from '../runs/analyses.schemas.js';
import type { AnalysisView } from '../runs/analysis-view.js';
import { TraceResult } from './trace-views.schemas.js';

const fields = {
  trace: TraceResult.nullable().meta({ description: 'Null before the run has a result.' }),
};

export const traceabilityView: AnalysisView = {
  type: 'traceability',
  name: 'TraceabilityDetail',
  fields,
  read: async ({ summary }) => ({ trace: summary?.trace ?? null }),
};

export type TraceabilityDetail = AnalysisDetail & z.output<z.ZodObject<typeof fields>>;
