import { randomUUID } from 'node:crypto';
import type { IsolationRow, Place, World } from './row.js';

export const retentionRows: readonly IsolationRow[] = [
  {
    operation: 'listDeleted',
    about: 'workspace',
    prepare: async (_, place) => ({ params: { id: place.workspaceId } }),
  },
  {
    operation: 'requestPurge',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: { id: place.workspaceId },
      body: { type: 'work_product', target_id: await deleted(world, place), reason: 'No longer needed.' },
    }),
  },
  ...['confirmPurge', 'withdrawPurge'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      prepare: async (world, place) => ({ params: await requested(world, place) }),
    }),
  ),
];

async function deleted({ database }: World, { workspaceId, owner }: Place): Promise<string> {
  const id = randomUUID();
  await database.asOwner(
    `insert into work_products (workspace_id, id, name, original_filename, file_size, file_type, processing_status,
                                created_by, deleted_at)
     values ($1, $2, 'Plan', 'plan.md', 1, 'text/markdown', 'pending_upload', $3, now())`,
    [workspaceId, id, owner.userId],
  );
  return id;
}

/** Asked for by a manager who is nobody of those that try it. */
async function requested(world: World, place: Place) {
  const [made] = await world.database.asOwner<{ id: string }>(
    `insert into purge_requests (workspace_id, target_type, target_id, reason, requested_by)
     values ($1, 'work_product', $2, 'No longer needed.', $3) returning id`,
    [place.workspaceId, await deleted(world, place), randomUUID()],
  );
  return { id: place.workspaceId, purge_id: made?.id ?? '' };
}
