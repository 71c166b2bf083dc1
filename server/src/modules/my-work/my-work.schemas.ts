import { z } from 'zod';
import { Id, Timestamp, wholeNumber } from '../../platform/http/schemas.js';
import { Comment } from '../comments/comments.schemas.js';
import { Gap } from '../gaps/gaps.schemas.js';

/** In the order in which they are shown. */
export const WORK_KINDS = [
  'mention',
  'assigned',
  'proposal',
  'acceptance_ending',
  'criterion_review',
  'checklist_review',
  'suspect_links',
  'purge',
] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export const WorkQuery = z.strictObject({
  limit: wholeNumber({ min: 1, max: 100 }).default(50).meta({ description: 'Of each kind.' }),
});

const CommentPlace = Comment.pick({
  about: true,
  gap_id: true,
  standard_id: true,
  criterion_id: true,
  artifact_id: true,
  checklist_id: true,
  item_id: true,
  work_product_id: true,
  version: true,
  range: true,
}).meta({ id: 'CommentPlace', description: 'What a comment is about.' });

export const WorkItem = z
  .object({
    kind: z.enum(WORK_KINDS).meta({
      description:
        '`mention`: a comment that names the caller and waits for their answer. `assigned`: an open gap. `proposal`: a change of a gap that somebody proposed and the caller may decide. ' +
        '`acceptance_ending`: an acceptance of the caller that ends within 30 days. `criterion_review`, ' +
        '`checklist_review`: an answer of the caller about documents that say something else by now. `suspect_links`: ' +
        'confirmed links of a workspace of which an end changed. `purge`: something that somebody asked to delete for good.',
    }),
    workspace_id: Id,
    workspace_name: z.string().meta({ description: 'Name of the workspace.' }),
    id: z.string().nullable().meta({
      description:
        'Of the comment, gap, standard, checklist or request; null where it is about links of a workspace.',
    }),
    standard_id: Id.nullable().meta({ description: 'The standard that it belongs to.' }),
    label: z.string().meta({
      description:
        'Author of the comment, clause of the gap, criterion, item of the checklist, or name of what is to be deleted.',
    }),
    text: z.string().nullable().meta({ description: 'What the comment or gap says.' }),
    place: CommentPlace.nullable().meta({ description: 'What the comment is about; null: it is none.' }),
    severity: Gap.shape.severity.nullable().meta({ description: 'Of the gap.' }),
    due_date: z.iso.date().nullable().meta({ description: 'Until when it should be done.' }),
    overdue: z.boolean().meta({ description: 'True where it should be done by now.' }),
    began_at: Timestamp.meta({ description: 'Since when it waits.' }),
    count: z.int().meta({ description: 'How many it stands for.' }),
  })
  .meta({ id: 'WorkItem', description: 'One thing that waits for the caller.' });
export type WorkItem = z.output<typeof WorkItem>;

export const Work = z
  .object({
    counts: z
      .object({
        overdue: z.int().meta({ description: 'Of the assigned gaps those that should be done by now.' }),
        ...(Object.fromEntries(
          WORK_KINDS.map((kind) => [kind, z.int().meta({ description: 'How many of this kind.' })]),
        ) as Record<WorkKind, z.ZodInt>),
      })
      .meta({ description: 'How many there are of each kind, shown or not.' }),
    waiting: z.array(WorkItem).meta({ description: 'The most urgent of each kind first.' }),
  })
  .meta({ id: 'Work', description: 'What waits for the caller in all workspaces.' });
export type Work = z.output<typeof Work>;
