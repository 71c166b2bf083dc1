import { type Route, writeRoute } from '../../platform/http/route.js';
import { StartedAnalysis } from '../runs/analyses.schemas.js';
import { workspaceId } from '../runs/examples.js';
import { StartCompleteness } from './completeness.schemas.js';
import { startCompleteness } from './completeness.service.js';
import { queuedCompletenessExample } from './examples.js';

const postCompleteness = writeRoute({
  operation: 'startCompleteness',
  method: 'POST',
  path: '/compliance/completeness',
  tag: 'Compliance',
  summary: 'Start a completeness check',
  description:
    'Checks work products against the templates of their types in the background: sections, tables, metadata, open ' +
    'content, and how requirements are worded. The type of each document is recognised, unless a person chose it or ' +
    '`template_id` is given; templates of the workspace take part. The result is that of the analysis ' +
    '(`GET /analysis/analyses/{id}`), what is amiss becomes gaps. The same versions, templates, engine and options are ' +
    'answered with the run that is there, unless `force`.',
  permission: 'analyses.start',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  body: StartCompleteness,
  status: 202,
  answer: StartedAnalysis,
  errors: ['CONFLICT'],
  examples: {
    body: { workspace_id: workspaceId, options: { conditions: { variants: false } } },
    answer: { ...queuedCompletenessExample, from_store: false },
  },
  handle: async (context) => {
    const analysis = await startCompleteness(context, context.body);
    context.reply.header('location', `/api/v1/analysis/analyses/${analysis.id}`);
    return analysis;
  },
});

export const completenessRoutes: readonly Route[] = [postCompleteness];
