import { type Route, writeRoute } from '../../platform/http/route.js';
import { StartedAnalysis } from '../runs/analyses.schemas.js';
import { workspaceId } from '../runs/examples.js';
import { StartChecklist } from './checklist-analysis.schemas.js';
import { startChecklist } from './checklist-analysis.service.js';
import { queuedChecklistExample } from './examples.js';

const postChecklistAnalysis = writeRoute({
  operation: 'startChecklist',
  method: 'POST',
  path: '/compliance/checklist',
  tag: 'Compliance',
  summary: 'Start a checklist',
  description:
    'Answers the items of a checklist from work products in the background, each with evidence, or with what was searched. ' +
    'The result is that of the analysis (`GET /analysis/analyses/{id}`); what fails or is missing becomes gaps, ' +
    'unless the run is over a part of what another run of the list read. The same ' +
    'versions, checklist, templates, engine and options are answered with the run that is there, unless `force`.',
  permission: 'analyses.start',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  body: StartChecklist,
  status: 202,
  answer: StartedAnalysis,
  errors: ['CONFLICT'],
  examples: {
    body: {
      workspace_id: workspaceId,
      checklist_id: 'FS-HARA',
      options: { conditions: { variants: false } },
    },
    answer: { ...queuedChecklistExample, from_store: false },
  },
  handle: async (context) => {
    const analysis = await startChecklist(context, context.body);
    context.reply.header('location', `/api/v1/analysis/analyses/${analysis.id}`);
    return analysis;
  },
});

export const checklistAnalysisRoutes: readonly Route[] = [postChecklistAnalysis];
