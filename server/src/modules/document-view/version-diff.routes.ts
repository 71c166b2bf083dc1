import { type Route, readRoute } from '../../platform/http/route.js';
import { readKept } from '../documents/kept-documents.js';
import { workProductId } from '../runs/examples.js';
import { parsedKeyOf } from './document-view.service.js';
import { readVersion, resource } from './read-version.js';
import { DiffParams, DiffQuery, VersionDiff } from './version-diff.schemas.js';
import { artifactChangesOf, differenceOf, toVersionDiff } from './version-diff.service.js';

const place = { page: 12, section: ['4 Safety goals', '4.2 Timing'] };
const stated = { type: 'functional_safety_requirement', name: null, asil: 'ASIL B', status: null };
const compareVersions = readRoute({
  operation: 'compareVersions',
  method: 'GET',
  path: '/work-products/:id/diff',
  tag: 'Work products',
  summary: 'Compare two versions of a document',
  description:
    'Which blocks came, went or changed between two versions as they were read, and the words of those that changed; runs of ' +
    'blocks that are the same are told as counts. With `include=artifacts` also which artifacts came, went or changed. 409 while one of them has not been read.',
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
    query: { base: 1, head: 2, include: 'artifacts' },
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
      artifacts: {
        added: { total: 0, items: [] },
        removed: { total: 0, items: [] },
        changed: {
          total: 1,
          items: [
            {
              artifact_id: 'FSR-01',
              base: { ...stated, text: 'The door shall open within TBD.', start: 18_180, end: 18_214 },
              head: { ...stated, text: 'The door shall open within 150 ms.', start: 18_180, end: 18_217 },
            },
          ],
        },
      },
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
          documentType: row.document_type,
          read: { version, key, document: await readKept(objects, key) },
          tools: { objects, engine: request.server.engine, workspaceId: row.workspace_id },
        };
      }),
    );
    const difference = await differenceOf(base!.read, head!.read, head!.tools);
    const diff = toVersionDiff(params.id, difference, { from: query.from, most: query.changes });
    if (query.include !== 'artifacts') return diff;
    const keys = { base: base!.read.key, head: head!.read.key, documentType: head!.documentType };
    return { ...diff, artifacts: await artifactChangesOf(keys, head!.tools) };
  },
});

export const versionDiffRoutes: readonly Route[] = [compareVersions];
