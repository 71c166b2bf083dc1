import { uploadStandard } from '../upload.js';
import type { IsolationRow, Place } from './row.js';

const FILE = {
  name: 'own.md',
  type: 'text/markdown',
  bytes: '# Own rules\n\n## R1 First\n\nThere shall be a plan.\n',
};
const LICENCE = { licence_type: 'own_document', licence_holder: 'Example Mobility' };
const EVERYBODY = { viewer: 200, engineer: 200, manager: 200, admin: 200, owner: 200 };

export const standardRows: readonly IsolationRow[] = [
  { operation: 'listCommonStandards', about: 'installation', prepare: async () => ({}) },
  {
    operation: 'listStandards',
    about: 'visible',
    prepare: async (_, place) => {
      const { id } = await adopted(place);
      return { query: { workspace_id: place.workspaceId }, marker: id };
    },
  },
  {
    operation: 'createStandard',
    about: 'workspace',
    prepare: async (_, place) => ({ body: { workspace_id: place.workspaceId, name: 'Own rules' } }),
  },
  {
    operation: 'getStandard',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await adopted(place) }),
  },
  {
    operation: 'deleteStandard',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await adopted(place) }),
    decided: { engineer: 403 },
  },
  {
    operation: 'listStandardCriteria',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await adopted(place) }),
    decided: EVERYBODY,
  },
  {
    operation: 'attestStandard',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await adopted(place), body: LICENCE }),
  },
  {
    operation: 'revokeAttestation',
    about: 'workspace',
    prepare: async (_, place) => {
      const params = await adopted(place);
      await place.owner.request('PATCH', `/api/v1/standards/${params.id}/attest`, { body: LICENCE });
      return { params };
    },
    decided: { engineer: 403 },
  },
  {
    operation: 'announceStandardFile',
    about: 'workspace',
    prepare: async (_, place) => ({ params: await own(place), body: announcement }),
  },
  {
    operation: 'completeStandardUpload',
    about: 'workspace',
    prepare: async (_, place) => {
      const { id } = await own(place);
      const { body } = await place.owner.request('POST', `/api/v1/standards/${id}/uploads/init`, {
        body: announcement,
      });
      const session = body as { upload_id: string; upload_url: string; headers: Record<string, string> };
      await fetch(session.upload_url, { method: 'PUT', headers: session.headers, body: FILE.bytes });
      return { params: { id, upload_id: session.upload_id } };
    },
  },
  {
    operation: 'reprocessStandard',
    about: 'workspace',
    prepare: async (_, place) => {
      const params = await own(place);
      await uploadStandard(place.owner, params.id, FILE);
      return { params };
    },
  },
];

const announcement = { filename: FILE.name, size: FILE.bytes.length, content_type: FILE.type };

const adopted = (place: Place) => create(place, { catalog_id: 'iso-26262-3-2018' });
const own = (place: Place) => create(place, { name: 'Own rules' });

async function create(place: Place, what: object): Promise<{ readonly id: string }> {
  const { body } = await place.owner.request('POST', '/api/v1/standards', {
    body: { workspace_id: place.workspaceId, ...what },
  });
  return { id: (body as { id: string }).id };
}
