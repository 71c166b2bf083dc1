import { randomUUID } from 'node:crypto';
import type { IsolationRow, Place, World } from './row.js';

/** Whoever may export exports for themselves. */
const exporters = (status: number) => ({ manager: status, admin: status, owner: status });

export const archiveRows: readonly IsolationRow[] = [
  {
    operation: 'exportWorkspace',
    about: 'workspace',
    prepare: async (_, place) => ({ params: { id: place.workspaceId } }),
    decided: exporters(202),
  },
  {
    operation: 'listWorkspaceExports',
    about: 'workspace',
    prepare: async (_, place) => ({ params: { id: place.workspaceId } }),
    decided: exporters(200),
  },
  ...['getWorkspaceExport', 'downloadWorkspaceExport'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      // Made by the owner, and still to be packed.
      prepare: async (world, place) => ({ params: await asked(world, place) }),
      ...(operation === 'getWorkspaceExport' ? {} : { succeeds: 409 }),
      decided: { ...exporters(403), owner: operation === 'getWorkspaceExport' ? 200 : 409 },
    }),
  ),
  {
    operation: 'announceWorkspaceImport',
    about: 'installation',
    prepare: async () => ({ body: { size: 1000 } }),
  },
  // Imports are their user's: everybody else's is absent for everybody.
  ...['completeWorkspaceImport', 'getWorkspaceImport'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'installation',
      prepare: async () => ({ params: { import_id: randomUUID() } }),
      succeeds: 404,
    }),
  ),
];

async function asked({ database }: World, { workspaceId, owner }: Place) {
  const [made] = await database.asOwner<{ id: string }>(
    'insert into workspace_exports (workspace_id, created_by) values ($1, $2) returning id',
    [workspaceId, owner.userId],
  );
  return { id: workspaceId, export_id: made?.id ?? '' };
}
