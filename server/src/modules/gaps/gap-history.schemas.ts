import { z } from 'zod';
import { Id, listOf, PageQuery, sortedBy, Timestamp } from '../../platform/http/schemas.js';
import { refsAnswer, refsQuery } from '../names/names.js';
import { Change, Severity } from './gaps.schemas.js';

const State = z.record(z.string(), z.unknown());

export const HistoryEntry = z
  .object({
    id: Id,
    type: z.enum(['run', 'change', 'comment']).meta({
      description: 'What a run said, what a person or the service changed, what a person said.',
    }),
    created_at: Timestamp,
    actor: Id.nullable().meta({ description: 'Null: a run, or the service itself.' }),
    analysis_id: Id.nullable(),
    change: Change.nullable().meta({ description: 'Of a run, against the one before.' }),
    severity: Severity.nullable().meta({ description: 'That a run found.' }),
    fields: z.array(z.string()).meta({ description: 'What an updated finding says otherwise than before.' }),
    action: z
      .string()
      .nullable()
      .meta({ description: 'As in the audit log.', examples: ['gap.status_changed'] }),
    reason: z.string().nullable(),
    before: State.nullable(),
    after: State.nullable(),
    text: z.string().nullable().meta({ description: 'Of a comment; null once its author took it back.' }),
  })
  .meta({ id: 'GapHistoryEntry' });
export type HistoryEntry = z.output<typeof HistoryEntry>;
export const History = listOf('GapHistory', HistoryEntry, refsAnswer);
export const HistoryQuery = PageQuery.extend({
  ...refsQuery,
  ...sortedBy('created_at'),
  type: z.enum(['run', 'change', 'comment']).optional(),
});
