import { z } from 'zod';
import type { JobDefinition } from '../../platform/queue/queue.js';

const RunAnalysis = z.strictObject({ workspaceId: z.guid(), analysisId: z.guid() });
export type RunAnalysis = z.output<typeof RunAnalysis>;

/** Runs an analysis, or goes on with one whose worker died. */
export const runAnalysisJob: JobDefinition<RunAnalysis> = {
  name: 'analyses.run',
  parse: (payload) => RunAnalysis.parse(payload),
  retryLimit: 5,
  // The run ends itself after ANALYSIS_TIMEOUT_MINUTES, a day at most; this is for one that cannot.
  expireInSeconds: 24 * 3600,
};
