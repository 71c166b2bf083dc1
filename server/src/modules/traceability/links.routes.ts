import type { z } from 'zod';
import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type ReadContext, type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { namesIn, RefsQuery } from '../names/names.js';
import { artifactNames } from './artifact-names.js';
import { linkExample, linkId, linkReviewExample, manualLinkExample, workspaceId } from './examples.js';
import * as repository from './links.repository.js';
import {
  ConfirmedLinks,
  LinkConfirmation,
  LinkParams,
  LinkQuery,
  NamedTraceLink,
  NewTraceLink,
  TraceLink,
  TraceLinkList,
  TraceLinkReview,
} from './links.schemas.js';
import { addLink, confirmAll, confirmLink, removeLink, toReview, toTraceLink } from './links.service.js';

const tag = 'Traceability';
const resource = 'link';
const params = { id: linkId };

const listLinks = readRoute({
  operation: 'listTraceLinks',
  method: 'GET',
  path: '/traceability/links',
  tag,
  summary: 'List trace links',
  description:
    'The links of the workspaces that the caller is a member of, stated by documents or added by people. `suspect`: an ' +
    'end changed since somebody confirmed the link; `dangling`: an end is no artifact of the workspace; `assumed`: nothing ' +
    'states it, but a number, a text or a place says that it is meant.',
  permission: 'analyses.read',
  within: 'visible',
  query: LinkQuery,
  answer: TraceLinkList,
  examples: {
    query: { workspace_id: workspaceId, artifact_id: 'FSR-01' },
    answer: { items: [linkExample], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: async (context) => {
    const { query } = context;
    const page = await readPage(context, {
      query,
      matching: repository.selectLinks(query),
      details: repository.selectLinkOfPage,
      whole: query.search !== undefined || query.suspect !== undefined,
      toItem: toTraceLink,
    });
    return query.refs ? { ...page, refs: await refsOf(context, page.items) } : page;
  },
});

type Link = z.output<typeof TraceLink>;

/** Names of people and documents and, of links of one workspace, of what stands at their ends. */
async function refsOf(context: Pick<ReadContext, 'read' | 'caller'>, links: readonly Link[]) {
  const [workspace, ...others] = new Set(links.map(({ workspace_id }) => workspace_id));
  const isOne = workspace !== undefined && others.length === 0;
  const ends = links.flatMap(({ source_id, target_id }) => [source_id, target_id]);
  return {
    ...(await namesIn(context, links)),
    artifacts: isOne ? await artifactNames(context, workspace, ends) : {},
  };
}

const getLink = readRoute({
  operation: 'getTraceLink',
  method: 'GET',
  path: '/traceability/links/:id',
  tag,
  summary: 'Read a trace link',
  description: 'Its ends, where it is stated, who confirmed it, and whether an end changed since.',
  permission: 'analyses.read',
  within: 'visible',
  resource,
  etag: true,
  params: LinkParams,
  query: RefsQuery,
  answer: NamedTraceLink,
  examples: { params, answer: linkExample },
  handle: async (context) => {
    const { params, query, read } = context;
    const [row] = await read<repository.LinkRow>(repository.selectLink(params.id));
    if (!row) throw notFound(resource);
    const link = toTraceLink(row);
    return query.refs ? { ...link, refs: await refsOf(context, [link]) } : link;
  },
});

const reviewLink = readRoute({
  operation: 'reviewTraceLink',
  method: 'GET',
  path: '/traceability/links/:id/review',
  tag,
  summary: 'What changed since a trace link was confirmed',
  description:
    'What both ends say, what they said when somebody confirmed the link, and the words that are others now. `before` is null where ' +
    'that was not kept.',
  permission: 'analyses.read',
  within: 'visible',
  resource,
  params: LinkParams,
  answer: TraceLinkReview,
  examples: { params, answer: linkReviewExample },
  handle: async ({ params, read }) => {
    const [row] = await read<repository.ReviewedLinkRow>(repository.selectReviewedLink(params.id));
    if (!row) throw notFound(resource);
    return toReview(row);
  },
});

const createLink = writeRoute({
  operation: 'addTraceLink',
  method: 'POST',
  path: '/traceability/links',
  tag,
  summary: 'Add a trace link',
  description:
    'Read "source, type, target"; both ends are artifacts of the workspace. It stays whatever happens to the documents. ' +
    '409 for a link that is there, 422 for one to itself or to an unknown artifact.',
  permission: 'trace-links.write',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  etag: true,
  body: NewTraceLink,
  status: 201,
  answer: TraceLink,
  errors: ['CONFLICT'],
  examples: {
    body: {
      workspace_id: workspaceId,
      source_id: 'FSR-01',
      target_id: 'SG-01',
      link_type: 'derives_from',
    },
    answer: manualLinkExample,
  },
  handle: async (context) => {
    const link = await addLink(context, context.body);
    context.reply.header('location', `/api/v1/traceability/links/${link.id}`);
    return link;
  },
});

const deleteLink = writeRoute({
  operation: 'deleteTraceLink',
  method: 'DELETE',
  path: '/traceability/links/:id',
  tag,
  summary: 'Delete a trace link',
  description:
    'A link that a person added goes away. One that a document states is marked `rejected`: it counts for nothing, also ' +
    'after the document was read again, until an end says something else or somebody confirms it.',
  permission: 'trace-links.write',
  within: ({ params }) => repository.workspaceOfLink(params.id),
  resource,
  etag: true,
  params: LinkParams,
  status: 204,
  examples: { params },
  handle: (context) => removeLink(context, context.params.id),
});

const confirm = writeRoute({
  operation: 'confirmTraceLink',
  method: 'POST',
  path: '/traceability/links/:id/confirm',
  tag,
  summary: 'Confirm a trace link',
  description:
    'Notes who found the link right, when, and what both ends said then. It becomes suspect when an end says something ' +
    'else. 409 while an end is not defined.',
  permission: 'trace-links.write',
  within: ({ params }) => repository.workspaceOfLink(params.id),
  resource,
  params: LinkParams,
  answer: TraceLink,
  errors: ['CONFLICT'],
  examples: { params, answer: linkExample },
  handle: (context) => confirmLink(context, context.params.id),
});

const confirmMany = writeRoute({
  operation: 'confirmTraceLinks',
  method: 'POST',
  path: '/traceability/links/confirm',
  tag,
  summary: 'Confirm trace links',
  description: 'Confirms a list of links of one workspace, or all that are assumed: all of them or none.',
  permission: 'trace-links.write',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  body: LinkConfirmation,
  answer: ConfirmedLinks,
  errors: ['CONFLICT'],
  examples: { body: { workspace_id: workspaceId, link_ids: [linkId] }, answer: { confirmed: 1 } },
  handle: (context) => confirmAll(context, context.body),
});

export const linkRoutes: readonly Route[] = [
  listLinks,
  getLink,
  reviewLink,
  createLink,
  confirmMany,
  confirm,
  deleteLink,
];
