import { z } from 'zod';
import { Id, listOf, PageQuery, sortedBy, Timestamp } from '../../platform/http/schemas.js';
import { GapChange, gapFilters, MOST_AT_ONCE } from './gaps.schemas.js';

/** Gaps of one change that a job makes. */
export const MOST_OF_A_JOB = 200_000;

export const NewGapsChange = z
  .strictObject({
    workspace_id: Id,
    ids: z.array(Id).min(1).max(MOST_AT_ONCE).optional(),
    filter: z.strictObject(gapFilters).optional().meta({
      description: 'All gaps that match when it begins, instead of ids; as the query of the list.',
    }),
    expected_total: z.int().min(1).max(MOST_OF_A_JOB).optional().meta({
      description:
        'With `filter`: the total that the caller saw. When it is another one now, nothing begins.',
    }),
    change: GapChange,
  })
  .refine((body) => (body.ids === undefined) !== (body.filter === undefined), 'Name either ids or a filter.')
  .refine((body) => new Set(body.ids).size === (body.ids?.length ?? 0), 'An id appears twice.')
  .refine(
    (body) => (body.filter === undefined) === (body.expected_total === undefined),
    'A filter needs expected_total, ids do not.',
  )
  .meta({ id: 'NewGapsChange' });
export type NewGapsChange = z.output<typeof NewGapsChange>;

export const StartedGapsChange = z
  .object({
    id: Id,
    workspace_id: Id,
    status: z.enum(['queued', 'running', 'completed', 'stopped', 'failed']),
    error: z.string().nullable().meta({ description: 'Why it ended early; what was changed by then is.' }),
    undoes: Id.nullable().meta({ description: 'The change that this one takes back.' }),
    undone_by: Id.nullable().meta({ description: 'The change that takes this one back.' }),
    total: z.int().meta({ description: 'Gaps that it is for.' }),
    done: z.int().meta({ description: 'Of them, those that have had their turn.' }),
    changed: z.int(),
    proposed: z.int().meta({ description: 'Of them, those whose change waits for a manager now.' }),
    refused: z.int().meta({ description: 'Those that could not be changed, and are as they were.' }),
    refusal: z.string().nullable().meta({ description: 'Why the first of them could not be.' }),
    created_by: Id,
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'StartedGapsChange', description: 'A change of very many gaps, and how far it is.' });
export type StartedGapsChange = z.output<typeof StartedGapsChange>;

export const StartedGapsChangeList = listOf('StartedGapsChangeList', StartedGapsChange);
export const StartedGapsChangeQuery = PageQuery.extend({ ...sortedBy('created_at'), workspace_id: Id });
export const StartedGapsChangeParams = z.strictObject({
  change_id: Id.meta({ description: 'Id of the change.' }),
});
