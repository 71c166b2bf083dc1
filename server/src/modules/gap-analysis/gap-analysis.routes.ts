import { type Route, writeRoute } from '../../platform/http/route.js';
import { StartedAnalysis, StartGapAnalysis } from '../runs/analyses.schemas.js';
import { queuedExample, standardId, workspaceId } from '../runs/examples.js';
import { startGapAnalysis } from './gap-analysis.service.js';

const startGaps = writeRoute({
  operation: 'startGapAnalysis',
  method: 'POST',
  path: '/analysis/gaps',
  tag: 'Analysis',
  summary: 'Start a gap analysis',
  description:
    'Compares work products with a standard in the background. The same work product versions, standard, engine and ' +
    'options are answered with the run that is there, unless `force`.',
  permission: 'analyses.start',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  body: StartGapAnalysis,
  status: 202,
  answer: StartedAnalysis,
  errors: ['CONFLICT'],
  examples: {
    body: { workspace_id: workspaceId, standard_id: standardId },
    answer: { ...queuedExample, from_store: false },
  },
  handle: async (context) => {
    const analysis = await startGapAnalysis(context, context.body);
    context.reply.header('location', `/api/v1/analysis/analyses/${analysis.id}`);
    return analysis;
  },
});

export const gapAnalysisRoutes: readonly Route[] = [startGaps];
