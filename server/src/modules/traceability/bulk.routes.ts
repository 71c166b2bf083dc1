import { type Route, writeRoute } from '../../platform/http/route.js';
import { BulkOutcome, MOST_LINES, NewArtifacts, NewTraceLinks } from './bulk.schemas.js';
import { addArtifacts, addLinks } from './bulk.service.js';
import { workspaceId } from './examples.js';

/** Ten thousand lines with the usual length of their texts. */
const MOST_BYTES = 32 * 1024 * 1024;
const SEMANTICS =
  `Up to ${MOST_LINES.toLocaleString('en')} lines in one transaction: what can be added is added together, what cannot is ` +
  'refused line by line and keeps nothing else from being added. A line that breaks the schema refuses the whole request ' +
  '(422 names it), and an error adds none. At most 32 MiB.';

const common = {
  method: 'POST',
  tag: 'Traceability',
  permission: 'trace-links.write',
  resource: 'workspace',
  idempotent: true,
  answer: BulkOutcome,
  fastify: { bodyLimit: MOST_BYTES },
} as const;
const answer = {
  added: 1,
  refused: 0,
  items: [{ line: 0, outcome: 'added', id: '5f0b0f0e-4c1c-4c86-9a63-7f3d0b6f2a10', code: null }],
};

const postArtifacts = writeRoute({
  ...common,
  operation: 'addArtifacts',
  path: '/traceability/artifacts/bulk',
  summary: 'Add many artifacts',
  description: `For what no document states. ${SEMANTICS}`,
  within: ({ body }) => body.workspace_id,
  body: NewArtifacts,
  examples: {
    body: {
      workspace_id: workspaceId,
      artifacts: [{ artifact_id: 'FSR-01', type: 'functional_safety_requirement', text: 'Stop.', asil: 'B' }],
    },
    answer,
  },
  handle: (context) => addArtifacts(context, context.body),
});

const postLinks = writeRoute({
  ...common,
  operation: 'addTraceLinks',
  path: '/traceability/links/bulk',
  summary: 'Add many links',
  description: `Links that people know of. ${SEMANTICS}`,
  within: ({ body }) => body.workspace_id,
  body: NewTraceLinks,
  examples: {
    body: {
      workspace_id: workspaceId,
      links: [{ source_id: 'FSR-01', target_id: 'SG-01', link_type: 'derives_from' }],
    },
    answer,
  },
  handle: (context) => addLinks(context, context.body),
});

export const bulkRoutes: readonly Route[] = [postArtifacts, postLinks];
