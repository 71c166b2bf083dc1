import { ASSUMED_BECAUSE, EVIDENCE_RESULTS, LINK_TYPES } from '@normtrace/engine';
import { z } from 'zod';
import {
  flag,
  fromOffset,
  Id,
  listOf,
  PageQuery,
  SearchQuery,
  several,
  sortedBy,
  Timestamp,
  UpdatedSince,
} from '../../platform/http/schemas.js';
import { TextRange } from '../gaps/gaps.schemas.js';
import { Refs, refsQuery } from '../names/names.js';
import {
  ArtifactNames,
  ArtifactType,
  Origin,
  PlaceLocation,
  Ratings,
  WrittenId,
} from './artifacts.schemas.js';

export const LinkType = z.enum(LINK_TYPES).meta({ id: 'LinkType' });
const End = z.enum(['source', 'target', 'both']);
/** `true` and `false` as they stand in a query. */

export const TraceLink = z
  .object({
    id: Id,
    workspace_id: Id,
    source_id: z.string().meta({ description: 'Artifact id as written; read "source, type, target".' }),
    target_id: z.string(),
    link_type: LinkType,
    origin: Origin,
    stated_at: End.meta({ description: 'At whose place the documents state it.' }),
    rejected: z.boolean().meta({
      description:
        'A person said that it is no link: it counts for nothing, as long as both ends say what they said then.',
    }),
    assumed: z
      .enum(ASSUMED_BECAUSE)
      .nullable()
      .meta({
        description:
          'Why the link is taken to be meant although no words state it: the `number` of an id begins with that of the other end, the `text` ' +
          'says nearly what the other end says, the `place` is below the other end. It counts like a stated one. Null where it is stated, and ' +
          'once somebody confirmed it.',
      }),
    dangling: End.nullable().meta({ description: 'Which end no artifact of the workspace has as its id.' }),
    suspect: End.nullable().meta({ description: 'Which end changed since the link was confirmed.' }),
    confirmed_by: Id.nullable().meta({ description: 'Who confirmed the link last; null: nobody did.' }),
    confirmed_at: Timestamp.nullable().meta({ description: 'When it was confirmed last.' }),
    work_product_id: Id.nullable(),
    version: z.int().nullable(),
    location: PlaceLocation.nullable(),
    quote: z.string().nullable(),
    range: TextRange.nullable().meta({ description: 'Where exactly the quote stands.' }),
    created_by: Id.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'TraceLink', description: 'A relation between two artifacts.' });
export type TraceLink = z.output<typeof TraceLink>;

const linkRefs = (artifacts: string) =>
  Refs.extend({ artifacts: ArtifactNames.meta({ description: artifacts }) })
    .optional()
    .meta({ description: 'With `refs=true`.' });
/** As it is read alone. */
export const NamedTraceLink = TraceLink.extend({
  refs: linkRefs('What stands at its ends, by ids as written.'),
}).meta({ id: 'NamedTraceLink', description: 'A trace link, with names where they are asked for.' });
export const TraceLinkList = listOf('TraceLinkList', TraceLink, {
  refs: linkRefs('What stands at the ends of the links, by their ids as written; only with `workspace_id`.'),
});
export const LinkParams = z.strictObject({ id: Id });
export const LinkQuery = PageQuery.extend({
  ...refsQuery,
  ...sortedBy('created_at', 'updated_at'),
  updated_since: UpdatedSince,
  ...fromOffset,
  search: SearchQuery,
  workspace_id: Id.optional(),
  source_id: WrittenId.optional(),
  target_id: WrittenId.optional(),
  artifact_id: WrittenId.optional().meta({ description: 'Either end.' }),
  link_type: several(LinkType),
  origin: several(Origin),
  work_product_id: Id.optional(),
  suspect: flag().optional().meta({ description: '`true`: an end changed since the link was confirmed.' }),
  dangling: flag().optional().meta({ description: '`true`: an end is no artifact of the workspace.' }),
  rejected: flag().optional(),
  assumed: flag().optional().meta({
    description: '`true`: nothing states the link, and nobody confirmed or rejected it yet.',
  }),
});

/** What counts for the content hash of an artifact. */
export const COMPARED = [
  'type',
  'name',
  'text',
  'asil',
  'cal',
  'risk',
  'ratings',
  'result',
  'needs',
] as const;

const EndContent = z.object({
  type: ArtifactType,
  name: z.string().nullable(),
  text: z.string(),
  asil: z.string().nullable(),
  cal: z.int().nullable(),
  risk: z.int().nullable(),
  ratings: Ratings.nullable(),
  result: z.enum(EVIDENCE_RESULTS).nullable(),
  needs: z.array(z.string()).nullable().meta({ description: 'Types of item that have to cover it.' }),
  work_product_id: Id.nullable(),
  version: z.int().nullable().meta({ description: 'Version of the work product.' }),
});
export type EndContent = z.output<typeof EndContent>;

const ReviewedEnd = z.object({
  artifact_id: z.string().meta({ description: 'Id as written.' }),
  before: EndContent.nullable().meta({
    description:
      'What it said when the link was confirmed. Null: nobody confirmed it, the end was not defined, or it had changed before texts were ' +
      'kept.',
  }),
  now: EndContent.extend({ id: Id })
    .nullable()
    .meta({ description: 'What it says. Null: nothing defines it.' }),
  changed: z
    .array(z.enum(COMPARED))
    .meta({ description: 'What is not the same; empty where one of both is not known.' }),
  words: z
    .array(z.object({ op: z.enum(['same', 'delete', 'insert']), text: z.string() }))
    .nullable()
    .meta({
      description:
        'The text, piece by piece: in both, in the older, in the newer one. Null where it is the same.',
    }),
});
export type ReviewedEnd = z.output<typeof ReviewedEnd>;

export const TraceLinkReview = z.object({ link: TraceLink, source: ReviewedEnd, target: ReviewedEnd }).meta({
  id: 'TraceLinkReview',
  description: 'A link with what its ends say, and said when it was confirmed.',
});
export type TraceLinkReview = z.output<typeof TraceLinkReview>;

export const NewTraceLink = z
  .strictObject({
    workspace_id: Id,
    source_id: WrittenId.meta({ description: 'Id of an artifact as written, or the `id` of its resource.' }),
    target_id: WrittenId,
    link_type: LinkType,
  })
  .meta({ id: 'NewTraceLink' });

export const LinkConfirmation = z
  .strictObject({
    workspace_id: Id,
    link_ids: z.array(Id).min(1).max(1000).optional(),
    assumed: z.literal(true).optional().meta({
      description: 'Instead of `link_ids`: all links of the workspace that are assumed and have both ends.',
    }),
  })
  .refine(({ link_ids, assumed }) => (link_ids === undefined) !== (assumed === undefined), {
    path: ['link_ids'],
    message: 'Give either link_ids or assumed.',
  })
  .meta({ id: 'LinkConfirmation' });
export const ConfirmedLinks = z
  .object({ confirmed: z.int().meta({ description: 'Links confirmed, each once.' }) })
  .meta({ id: 'ConfirmedLinks' });

export const SuggestionQuery = PageQuery.extend({
  workspace_id: Id,
  artifact_id: WrittenId.optional().meta({ description: 'Only for this artifact.' }),
});

const Candidate = z.object({
  artifact_id: z.string(),
  type: ArtifactType,
  text: z.string(),
  score: z.number().meta({ description: 'How near; comparable among the candidates of one artifact only.' }),
  link: z
    .object({ source_id: z.string(), target_id: z.string(), link_type: LinkType })
    .meta({ description: 'What to send to `POST /traceability/links` to accept it.' }),
});

const Suggestion = z
  .object({
    artifact_id: z.string(),
    type: ArtifactType,
    text: z.string(),
    candidates: z.array(Candidate).meta({ description: 'Nearest first, five at most.' }),
  })
  .meta({ id: 'LinkSuggestion', description: 'An artifact without a link upwards, and what is near it.' });

export const Suggestions = listOf('LinkSuggestions', Suggestion)
  .extend({
    workspace_id: Id,
    note: z.string().meta({ description: 'What proposals are worth.' }),
  })
  .meta({
    id: 'LinkSuggestionList',
    description:
      'Artifacts in reading order. Proposals by similarity of words. They are no links and count for nothing until accepted.',
  });
