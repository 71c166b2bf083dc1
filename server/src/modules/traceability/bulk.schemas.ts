import { z } from 'zod';
import { Id } from '../../platform/http/schemas.js';
import { NewArtifact } from './artifacts.schemas.js';
import { NewTraceLink } from './links.schemas.js';

/** Lines of one request. */
export const MOST_LINES = 10_000;
/** Ten thousand lines with texts of some length. */
export const MOST_BYTES = 32 * 1024 * 1024;

/** What a line has to keep; checked line by line, so that one wrong value refuses one line. */
export const CheckedArtifact = NewArtifact.omit({ workspace_id: true });
export const CheckedLink = NewTraceLink.omit({ workspace_id: true });

const word = z.string();

/** A line as it comes: the kinds of its fields are those of the schema, their values are looked at one line at a time. */
const ArtifactLine = z
  .strictObject({
    artifact_id: word,
    type: word.meta({ description: 'One of the types of artifacts.' }),
    text: word.optional(),
    name: word.optional(),
    status: word.optional(),
    asil: word.optional(),
    artifact_version: word.optional(),
    cal: z.int().optional(),
    risk: z.int().optional(),
    ratings: z
      .strictObject({ severity: z.int(), exposure: z.int(), controllability: z.int() })
      .optional()
      .meta({ description: 'Severity, exposure and controllability of a hazardous event.' }),
    informational: z.boolean().optional(),
    external: z.boolean().optional(),
    kind: word.optional(),
    result: word.optional(),
    stale: z.boolean().optional(),
    configuration: word.optional(),
    verification_method: word.optional(),
  })
  .meta({
    id: 'ArtifactLine',
    description: 'All that is to be known of an artifact: what a line leaves out is empty afterwards.',
  });

const LinkLine = z
  .strictObject({
    source_id: word.meta({ description: 'Id of an artifact as written, or the `id` of its resource.' }),
    target_id: word.meta({ description: 'Like `source_id`; read "source, type, target".' }),
    link_type: word.meta({ description: 'One of the types of links.' }),
  })
  .meta({ id: 'TraceLinkLine' });

export const ArtifactLines = z
  .strictObject({
    workspace_id: Id,
    artifacts: z.array(ArtifactLine).min(1).max(MOST_LINES).meta({ description: 'The lines, in order.' }),
  })
  .meta({ id: 'ArtifactLines' });

export const LinkLines = z
  .strictObject({
    workspace_id: Id,
    links: z.array(LinkLine).min(1).max(MOST_LINES).meta({ description: 'The lines, in order.' }),
  })
  .meta({ id: 'TraceLinkLines' });

const Refusal = z
  .object({
    code: z.string().meta({
      description:
        '`from_a_document`, `duplicate_line`, `unknown`, `self_link`, or what is wrong with a value: `too_big`, …',
    }),
    path: z.string().meta({ description: 'Field of the line.' }),
    message: z.string().meta({ description: 'What is wrong, and what to do.' }),
  })
  .meta({ id: 'LineRefusal', description: 'Why nothing was stored of a line.' });

export const LineOutcome = z
  .object({
    index: z.int().min(0).meta({ description: 'Position of the line in the request, from 0.' }),
    outcome: z.enum(['created', 'updated', 'unchanged', 'refused']).meta({
      description: '`unchanged`: all of it was there already.',
    }),
    id: Id.nullable().meta({ description: 'Of what the line is about; null for a line that was refused.' }),
    error: Refusal.nullable(),
  })
  .meta({ id: 'LineOutcome', description: 'What became of one line.' });
export type LineOutcome = z.output<typeof LineOutcome>;

const count = z.int().min(0);
export const BulkOutcome = z
  .object({
    workspace_id: Id,
    created: count.meta({ description: 'Lines that made something new.' }),
    updated: count.meta({ description: 'Lines that changed what was there.' }),
    unchanged: count.meta({ description: 'Lines all of which was there already.' }),
    refused: count.meta({ description: 'Lines of which nothing was stored.' }),
    lines: z.array(LineOutcome).meta({ description: 'One for each line of the request, in its order.' }),
  })
  .meta({ id: 'BulkOutcome', description: 'What became of the lines of a request.' });
export type BulkOutcome = z.output<typeof BulkOutcome>;
