import { uploadWorkProduct } from '../upload.js';
import type { IsolationRow, Place } from './row.js';

const FILE = { name: 'plan.md', type: 'text/markdown', bytes: '# Plan\n\nThe plan of the item.\n' };
const announcement = { filename: FILE.name, size: FILE.bytes.length, content_type: FILE.type };

export const workProductRows: readonly IsolationRow[] = [
  {
    operation: 'listWorkProducts',
    about: 'visible',
    prepare: async (_, place) => {
      const { id } = await uploaded(place);
      return { query: { workspace_id: place.workspaceId }, marker: id };
    },
  },
  { operation: 'listDocumentTypes', about: 'installation', prepare: async () => ({}) },
  {
    operation: 'getWorkProductFacets',
    about: 'workspace',
    prepare: async (_, place) => ({ query: { workspace_id: place.workspaceId } }),
  },
  {
    operation: 'matchUploads',
    about: 'workspace',
    prepare: async (_, place) => ({
      body: { workspace_id: place.workspaceId, files: [{ filename: FILE.name, size: FILE.bytes.length }] },
    }),
  },
  {
    operation: 'changeWorkProducts',
    about: 'workspace',
    prepare: async (_, place) => ({
      body: {
        workspace_id: place.workspaceId,
        ids: [(await uploaded(place)).id],
        change: { add_tags: ['Renamed'] },
      },
    }),
  },
  {
    operation: 'deleteWorkProducts',
    about: 'workspace',
    prepare: async (_, place) => ({
      body: { workspace_id: place.workspaceId, ids: [(await uploaded(place)).id] },
    }),
    decided: { engineer: 403 },
  },
  {
    operation: 'getWorkProduct',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await uploaded(place) }),
  },
  {
    operation: 'announceWorkProduct',
    about: 'workspace',
    prepare: async (_, place) => ({ body: { ...announcement, workspace_id: place.workspaceId } }),
  },
  {
    operation: 'completeWorkProductUpload',
    about: 'workspace',
    prepare: async (_, place) => {
      const body = { ...announcement, workspace_id: place.workspaceId };
      const { file_id } = await sent(place, '/api/v1/work-products/uploads/init', body);
      return { params: { file_id } };
    },
  },
  {
    operation: 'announceWorkProductVersion',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await uploaded(place), body: announcement }),
  },
  {
    operation: 'completeWorkProductVersion',
    about: 'workspace',
    prepare: async (_, place) => {
      const { id } = await uploaded(place);
      const { upload_id } = await sent(place, `/api/v1/work-products/${id}/uploads/init`, announcement);
      return { params: { id, upload_id } };
    },
  },
  {
    operation: 'listWorkProductVersions',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await uploaded(place) }),
  },
  {
    operation: 'listArchiveEntries',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await uploaded(place) }),
  },
  {
    operation: 'downloadWorkProduct',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await uploaded(place) }),
  },
  ...['getDocument', 'getDocumentOutline', 'getDocumentMarks'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      prepare: async (_, place) => ({ params: { ...(await uploaded(place)), version: '1' } }),
      // Nobody reads files here: who sees the version is told that.
      ...(operation === 'getDocumentMarks' ? {} : { succeeds: 409 }),
    }),
  ),
  {
    operation: 'compareVersions',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await uploaded(place), query: { base: '1', head: '1' } }),
    // As above: nobody reads files here.
    succeeds: 409,
  },
  {
    operation: 'compareVersionGaps',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await uploaded(place), query: { base: '1', head: '1' } }),
  },
  ...['getDocumentPages', 'getPageLines', 'getPagePicture'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      prepare: async (_, place) => ({
        params: {
          ...(await uploaded(place)),
          version: '1',
          ...(operation === 'getDocumentPages' ? {} : { page: '1' }),
        },
      }),
      // Nobody reads files here: who sees the version is told that.
      succeeds: 409,
    }),
  ),
  {
    operation: 'changeWorkProduct',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await uploaded(place), body: { name: 'Renamed' } }),
  },
  {
    operation: 'reprocessWorkProduct',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await uploaded(place) }),
  },
  {
    operation: 'deleteWorkProduct',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await uploaded(place) }),
    decided: { engineer: 403 },
  },
];

async function uploaded(place: Place): Promise<{ readonly id: string }> {
  const { body } = await uploadWorkProduct(place.owner, place.workspaceId, FILE);
  return { id: (body as { id: string }).id };
}

/** Announces the file and sends it, without completing the upload. */
async function sent(
  place: Place,
  path: string,
  body: object,
): Promise<{ readonly upload_id: string; readonly file_id: string }> {
  const answer = await place.owner.request('POST', path, { body });
  const session = answer.body as {
    readonly upload_id: string;
    readonly file_id: string;
    readonly upload_url: string;
    readonly headers: Record<string, string>;
  };
  await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: FILE.bytes });
  return session;
}
