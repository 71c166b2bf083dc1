import { z } from 'zod';
import { Id, listOf, PageQuery, sortedBy, Timestamp, text } from '../../platform/http/schemas.js';

export const DeletedType = z.enum(['work_product', 'standard']);

export const PurgeRequest = z
  .object({
    id: Id,
    type: DeletedType,
    target_id: Id,
    reason: z.string(),
    requested_by: Id,
    created_at: Timestamp,
  })
  .meta({ id: 'PurgeRequest', description: 'One person has asked to delete something for good at once.' });
export type PurgeRequest = z.output<typeof PurgeRequest>;

export const DeletedItem = z
  .object({
    id: Id,
    type: DeletedType,
    name: z.string(),
    created_at: Timestamp,
    deleted_at: Timestamp,
    purged_at: Timestamp.meta({ description: 'When it goes away for good, unless two people do it before.' }),
    reports: z
      .int()
      .min(0)
      .meta({ description: 'Reports that quote it; only a purge at once deletes them.' }),
    purge_request: PurgeRequest.nullable(),
  })
  .meta({ id: 'DeletedItem' });
export type DeletedItem = z.output<typeof DeletedItem>;
export const DeletedList = listOf('DeletedList', DeletedItem);

export const WorkspaceParams = z.strictObject({ id: Id });
export const PurgeParams = z.strictObject({ id: Id, purge_id: Id });
export const DeletedQuery = PageQuery.extend({
  ...sortedBy('created_at', 'deleted_at', 'name'),
  type: DeletedType.optional(),
});
export const NewPurge = z
  .strictObject({ type: DeletedType, target_id: Id, reason: text({ min: 1, max: 1000 }) })
  .meta({ id: 'NewPurge' });
