import { notFound } from '../../platform/http/api-error.js';
import { type Route, readRoute } from '../../platform/http/route.js';
import { selectWorkspace } from '../gaps/gap-lists.repository.js';
import { workProductId, workspaceId } from '../runs/examples.js';
import { SearchQuery, SearchResult } from './search.schemas.js';
import { search } from './search.service.js';

const searchEverything = readRoute({
  operation: 'search',
  method: 'GET',
  path: '/search',
  tag: 'Search',
  summary: 'Search everything in a workspace',
  description:
    'Artifacts and gaps by id and words, documents, standards, criteria, checklists and reports by name, and passages of the ' +
    'newest versions of documents. Words of a standard that the caller may not read are not searched.',
  worded: true,
  permission: 'search',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: SearchQuery,
  answer: SearchResult,
  examples: {
    query: { workspace_id: workspaceId, q: 'FSR-01', type: 'artifact,passage' },
    answer: {
      groups: [
        {
          type: 'passage',
          total: 1,
          items: [
            {
              id: '6a0b3f9e-51f0-4f0f-8b6e-5a2a4a1d9d10',
              label: 'Functional safety concept',
              text: 'FSR-01 The control unit shall keep the door latched.',
              label_highlights: [],
              text_highlights: [
                { start: 0, end: 3 },
                { start: 4, end: 6 },
              ],
              work_product_id: workProductId,
              version: 2,
              location: { page: 12 },
              range: { start: 18_204, end: 18_210 },
              standard_id: null,
              severity: null,
              status: null,
            },
          ],
        },
      ],
      documents_not_searched: 0,
    },
  },
  handle: async (context) => {
    const { q, type, ...rest } = context.query;
    if ((await context.read(selectWorkspace(rest.workspace_id))).length === 0) throw notFound('workspace');
    return search({ ...rest, q }, type, context);
  },
});

export const searchRoutes: readonly Route[] = [searchEverything];
