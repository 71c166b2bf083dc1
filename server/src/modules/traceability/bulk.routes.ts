import { type Route, writeRoute } from '../../platform/http/route.js';
import { ArtifactLines, BulkOutcome, LinkLines, MOST_BYTES } from './bulk.schemas.js';
import { putArtifacts, putLinks } from './bulk.service.js';
import { artifactId, linkId, workspaceId } from './examples.js';

const common = {
  method: 'POST',
  tag: 'Traceability',
  permission: 'trace-links.write',
  resource: 'workspace',
  idempotent: true,
  fastify: { bodyLimit: MOST_BYTES },
} as const;

const refusedLine = { index: 1, outcome: 'refused', id: null } as const;

const bulkArtifacts = writeRoute({
  ...common,
  operation: 'putArtifacts',
  path: '/traceability/artifacts/bulk',
  summary: 'Add or change artifacts in bulk',
  description:
    'Up to 10,000 lines and 32 MB, stored together. Each line says all of one artifact: an id that nobody knows is ' +
    'created, one that a person added becomes what the line says, one that stands in a document is refused. A line with a ' +
    'value that is not allowed is refused and stops no other; a line of another form (422) stops all of them.',
  within: ({ body }) => body.workspace_id,
  body: ArtifactLines,
  answer: BulkOutcome,
  examples: {
    body: {
      workspace_id: workspaceId,
      artifacts: [
        { artifact_id: 'SG-07', type: 'safety_goal', text: 'The door shall not trap anybody.', asil: 'C' },
        { artifact_id: 'FSR-70', type: 'requirement' },
      ],
    },
    answer: {
      workspace_id: workspaceId,
      created: 1,
      updated: 0,
      unchanged: 0,
      refused: 1,
      lines: [
        { index: 0, outcome: 'created', id: artifactId, error: null },
        {
          ...refusedLine,
          error: {
            code: 'invalid_value',
            path: 'type',
            message: 'Should be one of hazardous_event, safety_goal, …',
          },
        },
      ],
    },
  },
  handle: (context) => putArtifacts(context, context.body),
});

const bulkLinks = writeRoute({
  ...common,
  operation: 'putTraceLinks',
  path: '/traceability/links/bulk',
  summary: 'Add trace links in bulk',
  description:
    'Up to 10,000 lines, stored together. A link that counts already, whoever stated it, is `unchanged`; a line with an end ' +
    'that is no artifact of the workspace is refused and stops no other.',
  within: ({ body }) => body.workspace_id,
  body: LinkLines,
  answer: BulkOutcome,
  examples: {
    body: {
      workspace_id: workspaceId,
      links: [
        { source_id: 'FSR-01', target_id: 'SG-01', link_type: 'derives_from' },
        { source_id: 'FSR-01', target_id: 'SG-99', link_type: 'derives_from' },
      ],
    },
    answer: {
      workspace_id: workspaceId,
      created: 1,
      updated: 0,
      unchanged: 0,
      refused: 1,
      lines: [
        { index: 0, outcome: 'created', id: linkId, error: null },
        {
          ...refusedLine,
          error: {
            code: 'unknown',
            path: 'target_id',
            message: 'The workspace has no artifact with this id.',
          },
        },
      ],
    },
  },
  handle: (context) => putLinks(context, context.body),
});

export const bulkRoutes: readonly Route[] = [bulkArtifacts, bulkLinks];
