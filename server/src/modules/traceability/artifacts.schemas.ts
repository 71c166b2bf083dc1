import { ARTIFACT_TYPES, EVIDENCE_RESULTS } from '@normtrace/engine';
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
  text,
  UpdatedSince,
  withOneField,
} from '../../platform/http/schemas.js';
import { Evidence, TextRange } from '../gaps/gaps.schemas.js';
import { MAX_ID_LENGTH } from './trace-columns.js';

export const ArtifactType = z.enum(ARTIFACT_TYPES).meta({ id: 'ArtifactType' });
export const Origin = z.enum(['document', 'manual']).meta({
  description: '`document`: taken out of a work product. `manual`: added by a person.',
});
/** Ids as written: `SG-01`. */
export const WrittenId = text({ min: 1, max: MAX_ID_LENGTH });
/** What artifacts are called, by their ids as written. */
export const ArtifactNames = z.record(
  WrittenId,
  z.object({
    id: Id,
    type: ArtifactType,
    name: z.string().meta({ description: 'Its name, else the beginning of its text.' }),
  }),
);
export const PlaceLocation = Evidence.shape.location;

export const Ratings = z.object({
  severity: z.int().min(0).max(3),
  exposure: z.int().min(0).max(4),
  controllability: z.int().min(0).max(3),
});

const Place = z.object({ work_product_id: Id, version: z.int(), location: PlaceLocation });

export const Artifact = z
  .object({
    id: Id,
    workspace_id: Id,
    artifact_id: z.string().meta({ description: 'Id as written in the documents; links name it.' }),
    type: ArtifactType,
    told_type: ArtifactType.nullable().meta({
      description: 'What the documents tell, where a person said something else.',
    }),
    origin: Origin,
    name: z.string().nullable(),
    text: z.string(),
    status: z.string().nullable(),
    asil: z.string().nullable().meta({ description: 'Integrity level as written.' }),
    artifact_version: z.string().nullable(),
    cal: z.int().nullable(),
    risk: z.int().nullable(),
    ratings: Ratings.nullable(),
    informational: z.boolean(),
    external: z.boolean(),
    kind: z.string().nullable(),
    result: z.enum(EVIDENCE_RESULTS).nullable(),
    stale: z.boolean(),
    configuration: z.string().nullable(),
    verification_method: z.string().nullable(),
    content_hash: z.string().meta({
      description: 'Of what it says: text, name, type and integrity. Equal hashes say the same.',
    }),
    work_product_id: Id.nullable(),
    version: z.int().nullable().meta({ description: 'Version of the work product.' }),
    location: PlaceLocation.nullable(),
    quote: z.string().nullable().meta({ description: 'Exact words of the document there.' }),
    range: TextRange.nullable().meta({ description: 'Where exactly the quote stands.' }),
    other_places: z.array(Place).meta({ description: 'Where else the documents state the same id.' }),
    created_by: Id.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'Artifact',
    description: 'An identified thing: a goal, requirement, design element, test, result.',
  });
export type Artifact = z.output<typeof Artifact>;

export const ArtifactList = listOf('ArtifactList', Artifact);
export const ArtifactParams = z.strictObject({ id: Id });
export const ArtifactQuery = PageQuery.extend({
  ...sortedBy('created_at', 'updated_at', 'artifact_id'),
  updated_since: UpdatedSince,
  ...fromOffset,
  search: SearchQuery,
  workspace_id: Id.optional(),
  artifact_id: WrittenId.optional(),
  type: several(ArtifactType),
  origin: several(Origin),
  work_product_id: Id.optional(),
  asil: several(text({ min: 1, max: 40 })).meta({ description: 'Integrity level as written.' }),
  linked: flag().optional().meta({ description: '`false`: no link that counts names it.' }),
});

const short = text({ min: 1, max: 200 });
const fields = {
  name: short,
  status: short,
  asil: text({ min: 1, max: 40 }),
  artifact_version: text({ min: 1, max: 80 }),
  cal: z.int().min(1).max(4),
  risk: z.int().min(1).max(5),
  ratings: z.strictObject(Ratings.shape),
  informational: z.boolean(),
  external: z.boolean(),
  kind: short,
  result: z.enum(EVIDENCE_RESULTS),
  stale: z.boolean(),
  configuration: short,
  verification_method: short,
};

export const NewArtifact = z
  .strictObject({
    workspace_id: Id,
    artifact_id: WrittenId,
    type: ArtifactType,
    text: text({ max: 20_000 }).default(''),
    ...optional(fields),
  })
  .meta({ id: 'NewArtifact' });

export const ArtifactChange = withOneField(
  z.strictObject({
    type: ArtifactType.nullable().optional().meta({
      description: 'Of an artifact of the documents: null returns to what they tell.',
    }),
    text: text({ max: 20_000 }).optional(),
    ...optional(nullable(fields)),
  }),
).meta({
  id: 'ArtifactChange',
  description: 'Of artifacts of the documents only `type` can change; null empties a field.',
});

function optional<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  return Object.fromEntries(Object.entries(shape).map(([name, one]) => [name, one.optional()])) as {
    [Name in keyof Shape]: z.ZodOptional<Shape[Name]>;
  };
}

function nullable<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  return Object.fromEntries(Object.entries(shape).map(([name, one]) => [name, one.nullable()])) as {
    [Name in keyof Shape]: z.ZodNullable<Shape[Name]>;
  };
}
