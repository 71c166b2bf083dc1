import { z } from 'zod';
import { Id, listOf, PageQuery, SearchQuery, sortedBy, Timestamp } from '../../platform/http/schemas.js';

export const AuditEvent = z
  .object({
    id: Id,
    workspace_id: Id.nullable().meta({ description: 'Null: about the installation or a person’s account.' }),
    sequence: z.int().min(1).meta({ description: 'Number in the chain of its workspace, without holes.' }),
    actor_id: Id.nullable().meta({ description: 'Null: the service itself, or nobody known.' }),
    actor_email: z.string().nullable(),
    token_id: Id.nullable().meta({ description: 'The API token through which it was done.' }),
    action: z.string().meta({ description: '`<resource>.<what happened>`' }),
    target_type: z.string(),
    target_id: z.string(),
    reason: z.string().nullable(),
    before: z
      .unknown()
      .meta({ description: 'The state before, as far as it was changed; null when there was none.' }),
    after: z.unknown().meta({ description: 'The state after; null when there is none.' }),
    redacted: z.boolean().meta({
      description: 'True where the reader administers without being a manager there: texts are left out.',
    }),
    request_id: z.string().nullable(),
    hash: z.string().meta({ description: 'SHA-256 over this event and the hash of the one before.' }),
    created_at: Timestamp,
  })
  .meta({
    id: 'AuditEvent',
    description: 'What was decided, by whom, when, with the state before and after.',
  });
export type AuditEvent = z.infer<typeof AuditEvent>;

/** The export as JSON. */
export const AuditEventFile = z.object({ items: z.array(AuditEvent) }).meta({ id: 'AuditEventFile' });
export const AuditEventList = listOf('AuditEventList', AuditEvent);

const moment = z.iso.datetime({ offset: true }).optional();
const filters = {
  workspace_id: Id.optional(),
  actor_id: Id.optional(),
  action: z
    .string()
    .regex(/^[a-z_]+\.([a-z_]+|\*)$/, 'An action is like gap.status_changed, or gap.* for all of a resource.')
    .max(100)
    .optional(),
  target_type: z.string().max(100).optional(),
  target_id: z.string().max(200).optional(),
  from: moment.meta({ description: 'At this moment or later.' }),
  to: moment.meta({ description: 'Before this moment.' }),
  search: SearchQuery.meta({
    description:
      'Case-insensitive text in action, target, actor’s address, request id and, where it is shown, reason.',
  }),
};

export const AuditQuery = PageQuery.extend({ ...sortedBy('created_at'), ...filters });
export const AuditExportQuery = z.strictObject({
  ...filters,
  format: z.enum(['csv', 'json']).default('csv'),
});
export type AuditFilters = Omit<z.output<typeof AuditExportQuery>, 'format'>;

export const AuditCheckQuery = z.strictObject({
  workspace_id: Id.meta({ description: 'All zeros: the chain of the installation, for its administrators.' }),
});
export const AuditCheck = z
  .object({
    workspace_id: Id,
    events: z.int().min(0),
    intact: z.boolean(),
    first_broken: z.int().nullable().meta({
      description: 'Number of the first event that was changed, or that follows a removed one.',
    }),
    last_hash: z.string().nullable().meta({
      description: 'Keep it elsewhere: a chain that was written anew from its beginning has another one.',
    }),
  })
  .meta({ id: 'AuditCheck' });
