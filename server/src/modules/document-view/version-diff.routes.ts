import { type Route, readRoute } from '../../platform/http/route.js';
import { readKept } from '../documents/kept-documents.js';
import { workProductId } from '../runs/examples.js';
import { parsedKeyOf } from './document-view.service.js';
import { readVersion, resource } from './read-version.js';
import { DiffParams, DiffQuery, VersionDiff } from './version-diff.schemas.js';
import { differenceOf, toVersionDiff } from './version-diff.service.js';

const place = { page: 12, section: ['4 Safety goals', '4.2 Timing'] };
const compareVersions = readRoute({
  operation: 'compareVersions',
  method: 'GET',
  path: '/work-products/:id/diff',
  tag: 'Work products',
  summary: 'Compare two versions of a document',
  description:
    'Which blocks came, went or changed between two versions as they were read, and the words of those that changed; runs of ' +
    'blocks that are the same are told as counts. 409 while one of them has not been read.',
  permission: 'work-products.read',
  within: 'visible',
  resource,
  etag: true,
  params: DiffParams,
  query: DiffQuery,
  answer: VersionDiff,
  errors: ['CONFLICT'],
  examples: {
    params: { id: workProductId },
    query: { base: 1, head: 2 },
    answer: {
      work_product_id: workProductId,
      base: 1,
      head: 2,
      counts: { same: 411, inserted: 0, deleted: 0, changed: 1 },
      total: 3,
      changes: [
        {
          op: 'change',
          count: 1,
          base: {
            index: 131,
            kind: 'paragraph',
            text: 'within TBD',
            start: 18_204,
            end: 18_214,
            location: place,
          },
          head: {
            index: 131,
            kind: 'paragraph',
            text: 'within 150 ms',
            start: 18_204,
            end: 18_217,
            location: place,
          },
          words: [
            { op: 'same', text: 'within ' },
            { op: 'delete', text: 'TBD' },
            { op: 'insert', text: '150 ms' },
          ],
        },
      ],
      next: null,
    },
  },
  handle: async (context) => {
    const { params, query, dependencies, request } = context;
    const [base, head] = await Promise.all(
      [query.base, query.head].map(async (version) => {
        const row = await readVersion({ ...context, params: { ...params, version } });
        const key = parsedKeyOf(row);
        const objects = dependencies.storage.within(row.workspace_id);
        return {
          read: { version, key, document: await readKept(objects, key) },
          tools: { objects, engine: request.server.engine, workspaceId: row.workspace_id },
        };
      }),
    );
    const difference = await differenceOf(base!.read, head!.read, head!.tools);
    return toVersionDiff(params.id, difference, { from: query.from, most: query.changes });
  },
});

export const versionDiffRoutes: readonly Route[] = [compareVersions];
