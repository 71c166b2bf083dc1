import { z } from 'zod';
import { Id } from '../../platform/http/schemas.js';
import { NewArtifact } from './artifacts.schemas.js';
import { NewTraceLink } from './links.schemas.js';

export const MOST_LINES = 10_000;

export const NewArtifacts = z
  .strictObject({
    workspace_id: Id,
    artifacts: z
      .array(NewArtifact.omit({ workspace_id: true }).meta({ id: 'ArtifactLine' }))
      .min(1)
      .max(MOST_LINES)
      .meta({ description: 'As for `POST /traceability/artifacts`.' }),
  })
  .meta({ id: 'NewArtifacts' });
export type NewArtifacts = z.output<typeof NewArtifacts>;

export const NewTraceLinks = z
  .strictObject({
    workspace_id: Id,
    links: z
      .array(NewTraceLink.omit({ workspace_id: true }).meta({ id: 'TraceLinkLine' }))
      .min(1)
      .max(MOST_LINES)
      .meta({ description: 'As for `POST /traceability/links`.' }),
  })
  .meta({ id: 'NewTraceLinks' });
export type NewTraceLinks = z.output<typeof NewTraceLinks>;

export const BulkOutcome = z
  .object({
    added: z.int().meta({ description: 'How many lines were added.' }),
    refused: z.int().meta({ description: 'How many were not.' }),
    items: z
      .array(
        z.object({
          line: z.int().min(0).meta({ description: 'Place in the request, from 0.' }),
          outcome: z.enum(['added', 'refused']).meta({ description: 'What became of it.' }),
          id: Id.nullable().meta({
            description: 'What was added, or what was there already; null where neither is.',
          }),
          code: z
            .enum(['duplicate', 'unknown_source', 'unknown_target', 'self_link'])
            .nullable()
            .meta({ description: 'Why it was refused; null where it was not.' }),
        }),
      )
      .meta({ description: 'Every line, in the order of the request.' }),
  })
  .meta({ id: 'BulkOutcome', description: 'What became of each line.' });
export type BulkOutcome = z.output<typeof BulkOutcome>;
export type LineOutcome = BulkOutcome['items'][number];
