import { notFound } from '../../platform/http/api-error.js';
import { plainRoute, type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { conditionExample } from '../gap-analysis/conditions.routes.js';
import { queuedExample, standardId, workProductId, workspaceId } from '../runs/examples.js';
import { AnalysisSuggestion, Batch, BatchPlan, StartedBatch, SuggestionQuery } from './batches.schemas.js';
import { planBatch, startBatch } from './batches.service.js';
import { type SuggestionRow, selectSuggestionFacts, suggestionOf } from './suggestion.js';

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

const getSuggestion = readRoute({
  operation: 'suggestAnalyses',
  method: 'GET',
  path: '/analysis/suggestions',
  tag: 'Analysis',
  summary: 'Suggest what to analyse',
  description:
    'The built-in standards and checklists that documents of the types in this workspace are usually held against: for a workspace ' +
    'in which nobody has chosen any. Completeness and traceability always fit.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: SuggestionQuery,
  answer: AnalysisSuggestion,
  examples: {
    query: { workspace_id: workspaceId },
    answer: {
      standards: [{ catalog_id: 'iso-26262-3-2018', short_name: 'ISO 26262-3', standard_id: standardId }],
      checklists: [
        {
          checklist_id: 'FS-HARA',
          title: {
            en: 'Hazard analysis and risk assessment (ISO 26262-3)',
            de: 'Gefährdungsanalyse und Risikobewertung (ISO 26262-3)',
          },
        },
      ],
    },
  },
  handle: async ({ query, read }) => {
    const [row] = await read<SuggestionRow>(selectSuggestionFacts(query.workspace_id));
    if (!row) throw notFound('workspace');
    return suggestionOf(row);
  },
});

export const batchRoutes: readonly Route[] = [postPlan, postBatch, getSuggestion];
