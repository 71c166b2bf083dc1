import { plainRoute, type Route, writeRoute } from '../../platform/http/route.js';
import { conditionExample } from '../gap-analysis/conditions.routes.js';
import { queuedExample, standardId, workProductId, workspaceId } from '../runs/examples.js';
import { Batch, BatchPlan, StartedBatch } from './batches.schemas.js';
import { planBatch, startBatch } from './batches.service.js';

const common = {
  tag: 'Analysis',
  permission: 'analyses.start',
  within: ({ body }: { readonly body: Batch }) => body.workspace_id,
  resource: 'workspace',
  body: Batch,
} as const;
const body = { workspace_id: workspaceId, parts: [{ type: 'gap_analysis', standard_id: standardId }] };

const postPlan = plainRoute({
  ...common,
  operation: 'planAnalyses',
  method: 'POST',
  path: '/analysis/plans',
  summary: 'Plan analyses',
  description:
    'What `POST /analysis/batches` would come to with the same body: what each analysis would read, which document types nobody ' +
    'has given, what is there already, how long it may take, and which questions a person may answer. Nothing is started.',
  answer: BatchPlan,
  examples: {
    body,
    answer: {
      parts: [
        {
          type: 'gap_analysis',
          standard_id: standardId,
          checklist_id: null,
          from_store: false,
          analysis_id: null,
          refused: null,
          work_products: [{ work_product_id: workProductId, version: 2, name: 'Functional safety concept' }],
          unread_work_products: [],
          missing_types: [
            { id: 'safety_case', name: { en: 'Safety case', de: 'Sicherheitsnachweis' }, criteria: 3 },
          ],
          estimated_seconds: 12,
        },
      ],
      conditions: [conditionExample],
      estimated_seconds: 12,
    },
  },
  handle: (context) => planBatch(context, context.body),
});

const postBatch = writeRoute({
  ...common,
  operation: 'startAnalyses',
  method: 'POST',
  path: '/analysis/batches',
  summary: 'Start analyses together',
  description:
    'Starts several analyses in one act: all of them or none. Answers to conditions, the phase and what is tailored out are for all ' +
    'of them; each is compared, cancelled and told about by itself. `GET /analysis/analyses?active=true` has those that are under way.',
  idempotent: true,
  status: 202,
  answer: StartedBatch,
  errors: ['CONFLICT'],
  examples: {
    body,
    answer: { analyses: [{ ...queuedExample, from_store: false }], started: 1, from_store: 0 },
  },
  handle: async (context) => {
    const started = await startBatch(context, context.body);
    const { workspace_id } = context.body;
    context.reply.header('location', `/api/v1/analysis/analyses?workspace_id=${workspace_id}&active=true`);
    return started;
  },
});

export const batchRoutes: readonly Route[] = [postPlan, postBatch];
