import { type Route, writeRoute } from '../../platform/http/route.js';
import { StartedAnalysis } from '../runs/analyses.schemas.js';
import { queuedExample } from '../runs/examples.js';
import { workspaceId } from './examples.js';
import { startTraceAnalysis } from './trace-analysis.service.js';
import { StartTraceAnalysis } from './trace-views.schemas.js';

const start = writeRoute({
  operation: 'startTraceAnalysis',
  method: 'POST',
  path: '/traceability/analyze',
  tag: 'Traceability',
  summary: 'Start an analysis of the trace',
  description:
    'Examines the trace of the whole workspace in the background and keeps the result: gaps get a status that people work ' +
    'with and are compared with the run before. It waits for an extraction that is under way. The same trace, engine and ' +
    'options are answered with the run that is there, unless `force`.',
  permission: 'analyses.start',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  body: StartTraceAnalysis,
  status: 202,
  answer: StartedAnalysis,
  examples: {
    body: { workspace_id: workspaceId },
    answer: {
      ...queuedExample,
      type: 'traceability',
      standard_id: null,
      standard_name: '',
      options: { indirect_verification: 'downgrade', require_design_test: false, external_prefixes: [] },
      from_store: false,
    },
  },
  handle: async (context) => {
    const analysis = await startTraceAnalysis(context, context.body);
    context.reply.header('location', `/api/v1/analysis/analyses/${analysis.id}`);
    return analysis;
  },
});

export const traceAnalysisRoutes: readonly Route[] = [start];
