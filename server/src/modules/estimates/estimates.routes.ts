import { plainRoute, type Route } from '../../platform/http/route.js';
import { standardId, workProductId, workspaceId } from '../runs/examples.js';
import { AnalysisEstimate, EstimateAnalysis } from './estimates.schemas.js';
import { estimateAnalysis } from './estimates.service.js';

const postEstimate = plainRoute({
  operation: 'estimateAnalysis',
  method: 'POST',
  path: '/analysis/estimate',
  tag: 'Analysis',
  summary: 'Estimate what a run would ask the model',
  description:
    'With the body that an analysis is started with (and `type` for completeness and the trace): questions and tokens by task, cost, and whose passages ' +
    'would go to which host. Rules judge as in the run; nothing is sent and nothing is stored. Passages are chosen with the vectors ' +
    'that earlier runs have left, without them by words alone: a run may then send other passages of about the same length. ' +
    'Answers are expected to be as long as those that the model has given this workspace, and as many judgements to be criticised; ' +
    'before there are twenty of a kind, as long as models usually write, and half of the judgements.',
  permission: 'analyses.start',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  body: EstimateAnalysis,
  answer: AnalysisEstimate,
  errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
  examples: {
    body: { workspace_id: workspaceId, standard_id: standardId },
    answer: {
      workspace_id: workspaceId,
      because: null,
      model: 'qwen3-32b',
      host: 'models.example.org',
      place: 'inside',
      questions: 44,
      from_store: 0,
      input_tokens: 85_154,
      output_tokens: 10_420,
      cost: 0.03,
      currency: 'EUR',
      budget_left: 49.58,
      tasks: [
        { task: 'judge', questions: 29, from_store: 0, input_tokens: 72_100, output_tokens: 8_700 },
        { task: 'criticise', questions: 15, from_store: 0, input_tokens: 13_054, output_tokens: 1_720 },
      ],
      documents: [{ work_product_id: workProductId, version: 2, passages: 61 }],
      withheld_work_products: [],
      sends_standard: false,
    },
  },
  handle: estimateAnalysis,
});

export const estimateRoutes: readonly Route[] = [postEstimate];
