import { z } from 'zod';
import { Id, listOf, PageQuery, several, sortedBy, Timestamp } from '../../platform/http/schemas.js';

export const ACTIVITY_TYPES = [
  'analysis',
  'gap',
  'work_product',
  'standard',
  'criterion',
  'checklist',
  'trace',
  'report',
  'template',
  'member',
  'workspace',
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

export const ActivityQuery = PageQuery.extend({
  ...sortedBy('created_at'),
  type: several(z.enum(ACTIVITY_TYPES)).meta({ description: 'What it is about; everything unless told.' }),
  actor_id: Id.optional().meta({ description: 'Who did it.' }),
});

export const Activity = z
  .object({
    id: Id,
    created_at: Timestamp.meta({ description: 'When it was done.' }),
    actor: z
      .object({ id: Id, name: z.string().meta({ description: 'Name or address.' }) })
      .nullable()
      .meta({ description: 'Who did it; of a run who started it.' }),
    action: z.string(),
    type: z.enum(ACTIVITY_TYPES).meta({ description: 'What it is about.' }),
    object_id: z
      .string()
      .meta({ description: 'Of what it is about; of a criterion its standard, of an item its checklist.' }),
    label: z.string().nullable().meta({
      description:
        'Name of what it is about as it is now: clause, document, standard, artifact, person; null where it is gone.',
    }),
    text: z.string().nullable().meta({ description: 'What the gap says.' }),
    standard_id: Id.nullable().meta({ description: 'The standard that it belongs to.' }),
    became: z.string().nullable().meta({
      description: 'What it is since: status or severity of a gap, role of a member, type of a run.',
    }),
    version: z.int().nullable().meta({ description: 'The version that was uploaded.' }),
    group_key: z.string().nullable().meta({
      description:
        'The same for everything of one kind that was done in one request, such as a change of many gaps.',
    }),
  })
  .meta({ id: 'Activity', description: 'One thing that was done in a workspace.' });
export type Activity = z.output<typeof Activity>;
export const ActivityList = listOf('ActivityList', Activity);
