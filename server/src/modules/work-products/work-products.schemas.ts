import { z } from 'zod';
import {
  fromOffset,
  Id,
  listOf,
  PageQuery,
  reorderedBy,
  SearchQuery,
  several,
  sortedBy,
  Timestamp,
  text,
  UpdatedSince,
  wholeNumber,
  withOneField,
} from '../../platform/http/schemas.js';
import { refsAnswer, refsQuery } from '../names/names.js';
import { ANALYSIS_TYPES } from '../runs/analysis-type.js';
import { UploadInit, UploadSession } from '../uploads/uploads.schemas.js';

export const ProcessingStatus = z
  .enum(['pending_upload', 'queued', 'running', 'completed', 'failed'])
  .meta({ description: 'From the announcement of a file to its being readable by analyses.' });

const tags = z.array(text({ min: 1, max: 50 })).max(20);
const name = text({ min: 1, max: 300 });
const category = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,79}$/, 'The id of a document type: lower case, with underscores.')
  .meta({ description: 'Document type, such as `hara` or `functional_safety_concept`.' });

export const WorkProduct = z
  .object({
    id: Id,
    workspace_id: Id,
    name: z.string(),
    original_filename: z.string(),
    file_url: z.url().meta({ description: 'The file of the newest version, with the usual bearer token.' }),
    file_size: z.int().meta({ description: 'Bytes.' }),
    file_type: z.string().meta({ description: 'Media type as announced.' }),
    category: z.string().nullable().meta({
      description: 'Document type; detected unless a person chose it, null while it is not known.',
    }),
    uploaded_at: Timestamp,
    processing_status: ProcessingStatus,
    processing_error: z.string().nullable().meta({ description: 'What is wrong, where, and what to do.' }),
    compliance_score: z.number().meta({
      description:
        'Of the last gap analysis that read the newest version, 0 to 100; 0 as well while there is none, see `assessed`.',
    }),
    assessed: z.boolean().meta({
      description: 'A gap analysis has read the newest version and could judge something of its standard.',
    }),
    tags: z.array(z.string()),
    ai_excluded: z.boolean().meta({
      description: 'True: its words are sent to no language model, whatever the workspace allows.',
    }),
    version: z.int().meta({ description: 'Newest version; 0 before the first upload is complete.' }),
    uploaded_by: Id.nullable().meta({
      description: 'Who uploaded the newest version; null before there is one.',
    }),
    format: z.string().nullable().meta({
      description: 'Format of the newest version, recognised by content; null until it was read.',
    }),
    language: z.string().nullable().meta({ description: 'Of the newest version; null until it was read.' }),
    page_count: z.int().nullable().meta({
      description: 'Of the newest version; null where the format has no pages, and until it was read.',
    }),
    source_archive: z
      .object({
        work_product_id: Id.nullable().meta({ description: 'The archive; null when it was deleted.' }),
        path: z.string(),
        version: z
          .int()
          .nullable()
          .meta({ description: 'Newest version of the archive that holds the path.' }),
      })
      .nullable()
      .meta({ description: 'Where a document that came out of an archive (ZIP) came from.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'WorkProduct', description: 'An engineering document of a workspace.' });
export type WorkProduct = z.output<typeof WorkProduct>;
/** As it is read alone. */
export const NamedWorkProduct = WorkProduct.extend(refsAnswer).meta({
  id: 'NamedWorkProduct',
  description: 'A work product, with names where they are asked for.',
});

export const WorkProductVersion = z
  .object({
    work_product_id: Id,
    version: z.int(),
    original_filename: z.string(),
    file_url: z.url(),
    file_size: z.int(),
    file_type: z.string(),
    sha256: z.string(),
    uploaded_at: Timestamp,
    uploaded_by: Id,
    processing_status: ProcessingStatus,
    processing_error: z.string().nullable(),
    format: z.string().nullable().meta({ description: 'Format that was recognised by content.' }),
    language: z.string().nullable(),
    page_count: z.int().nullable(),
    detected_category: z.string().nullable(),
    notes: z.array(z.object({ code: z.string(), message: z.string() })).meta({
      description: 'What whoever relies on the reading has to know.',
    }),
  })
  .meta({ id: 'WorkProductVersion', description: 'One uploaded file; it never changes.' });
export type WorkProductVersion = z.output<typeof WorkProductVersion>;

export const ArchiveEntry = z
  .object({
    path: z.string(),
    outcome: z.enum(['new', 'changed', 'unchanged', 'refused', 'gone']).meta({
      description:
        'A work product was made, or its next version; its newest version has these bytes already; `error` says why not; ' +
        'or a former version of the archive held this path.',
    }),
    work_product_id: Id.nullable().meta({ description: 'Null for `refused`, and when it was deleted.' }),
    version: z.int().nullable().meta({ description: 'The version of the work product with these bytes.' }),
    processing_status: ProcessingStatus.nullable(),
    error: z.string().nullable().meta({ description: 'Why it was refused, or could not be read.' }),
  })
  .meta({ id: 'ArchiveEntry', description: 'What became of one file of an archive.' });
export type ArchiveEntry = z.output<typeof ArchiveEntry>;

export const ArchiveEntryList = listOf('ArchiveEntryList', ArchiveEntry);

export const WorkProductSummary = z
  .object({
    gaps: z
      .object({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int() })
      .meta({ description: 'Open gaps that are about the document, or whose newest run quotes it.' }),
    newest_run: z
      .object({
        analysis_id: Id,
        type: z.enum(ANALYSIS_TYPES),
        version: z.int().meta({ description: 'The version that it read.' }),
        finished_at: Timestamp,
      })
      .nullable()
      .meta({ description: 'The newest completed analysis that read the document.' }),
  })
  .meta({ id: 'WorkProductSummary', description: 'How a document stands.' });

export const ListedWorkProduct = WorkProduct.extend({
  summary: WorkProductSummary.optional().meta({ description: 'Where `include` asks for it.' }),
}).meta({ id: 'ListedWorkProduct' });
export type ListedWorkProduct = z.output<typeof ListedWorkProduct>;

export const WorkProductList = listOf('WorkProductList', ListedWorkProduct, refsAnswer);
export const WorkProductVersionList = listOf('WorkProductVersionList', WorkProductVersion);

export const WorkProductParams = z.strictObject({ id: Id });
export const FileParams = z.strictObject({ file_id: Id });
export const UploadParams = z.strictObject({ id: Id, upload_id: Id });
/** As large as a version can be in the database. */
const LAST_VERSION = 2 ** 31 - 1;
export const ContentQuery = z.strictObject({
  version: wholeNumber({ min: 1, max: LAST_VERSION }).optional(),
});

export const VersionQuery = PageQuery.extend(reorderedBy('version', 'uploaded_at'));
export const EntryQuery = PageQuery.extend({ ...reorderedBy('path'), ...ContentQuery.shape });

const filters = {
  search: SearchQuery,
  type: z.string().max(200).optional().meta({ description: 'Document type or media type.' }),
  category: several(z.string().max(80)).meta({
    description: 'Only those of one of these document types; `none`: those whose type is not known.',
  }),
  processing_status: several(ProcessingStatus),
  tag: several(z.string().max(50)).meta({ description: 'Only those with one of these tags.' }),
  format: several(z.string().max(40)).meta({ description: 'Only those that were read as one of these.' }),
  language: several(z.string().max(20)).meta({ description: 'Only those in one of these languages.' }),
  source_archive: Id.optional().meta({ description: 'Documents that came out of this archive.' }),
};

export const WorkProductQuery = PageQuery.extend({
  ...refsQuery,
  ...fromOffset,
  ...sortedBy(
    'created_at',
    'updated_at',
    'name',
    'category',
    'compliance_score',
    'file_size',
    'page_count',
    'processing_status',
    'uploaded_at',
    'gaps',
  ),
  updated_since: UpdatedSince,
  workspace_id: Id.optional(),
  ...filters,
  include: z.enum(['summary']).optional().meta({
    description: '`summary`: how each stands, with its open gaps and its newest run.',
  }),
});

export const FACETS = ['category', 'processing_status', 'tag', 'format', 'language'] as const;
export type Facet = (typeof FACETS)[number];
export const FacetQuery = z.strictObject({
  workspace_id: Id,
  ...filters,
  facets: several(z.enum(FACETS)).meta({ description: 'Which; all unless told.' }),
});
export const WorkProductFacets = z
  .object({
    total: z.int().meta({ description: 'Work products under all filters.' }),
    facets: z
      .partialRecord(
        z.enum(FACETS),
        z.object({
          values: z
            .array(z.object({ value: z.string(), count: z.int() }))
            .meta({ description: 'The commonest first.' }),
          more: z.int().meta({ description: 'Values beyond the first 50.' }),
        }),
      )
      .meta({ description: 'Each counted under all filters but its own.' }),
  })
  .meta({ id: 'WorkProductFacets', description: 'How many work products have which value.' });

export const DocumentTypes = z
  .object({
    types: z.array(
      z.object({
        id: z.string().meta({ description: '`category` of work products.' }),
        name: z.object({ en: z.string(), de: z.string() }),
      }),
    ),
  })
  .meta({ id: 'DocumentTypes', description: 'All document types with what people call them.' });

export const DeletionQuery = z.strictObject({
  documents: z.enum(['keep', 'delete']).optional().meta({
    description: 'What happens to the documents that came out of an archive; asked for when there are any.',
  }),
});

export const WorkProductUpload = UploadInit.extend({
  workspace_id: Id,
  name: name.optional(),
  category: category.optional(),
}).meta({ id: 'WorkProductUpload' });

export const VersionUpload = UploadInit.meta({ id: 'VersionUpload' });

export const WorkProductUploadSession = UploadSession.extend({
  file_id: Id.meta({ description: 'The work product.' }),
}).meta({ id: 'WorkProductUploadSession' });
export type WorkProductUploadSession = z.output<typeof WorkProductUploadSession>;

export const WorkProductChange = withOneField(
  z.strictObject({
    name: name.optional(),
    category: category.nullable().optional().meta({ description: 'Null: back to the detected one.' }),
    tags: tags.optional(),
    ai_excluded: z.boolean().optional().meta({
      description: 'True: its words are sent to no language model, whatever the workspace allows.',
    }),
  }),
).meta({ id: 'WorkProductChange' });

/** As many as can be changed or deleted at once. */
export const MOST_AT_ONCE = 1000;

const chosen = {
  workspace_id: Id,
  ids: z.array(Id).min(1).max(MOST_AT_ONCE).optional(),
  filter: z.strictObject(filters).optional().meta({
    description: 'All work products that match, instead of ids; as the query of the list.',
  }),
  expected_total: z.int().min(1).max(MOST_AT_ONCE).optional().meta({
    description: 'With `filter`: the total that the caller saw. When it is another one now, nothing happens.',
  }),
};
type Chosen = { ids?: unknown[] | undefined; filter?: unknown; expected_total?: unknown };
const idsOrFilter = <Schema extends z.ZodType<Chosen>>(schema: Schema) =>
  schema
    .refine(
      (body) => (body.ids === undefined) !== (body.filter === undefined),
      'Name either ids or a filter.',
    )
    .refine((body) => new Set(body.ids).size === (body.ids?.length ?? 0), 'An id appears twice.')
    .refine(
      (body) => (body.filter === undefined) === (body.expected_total === undefined),
      'A filter needs expected_total, ids do not.',
    );

export const WorkProductsChange = idsOrFilter(
  z.strictObject({
    ...chosen,
    change: withOneField(
      z.strictObject({
        category: category.nullable().optional().meta({ description: 'Null: back to the detected one.' }),
        add_tags: tags.optional().meta({ description: 'Tags that each has afterwards.' }),
        remove_tags: tags.optional().meta({ description: 'Tags that none has afterwards.' }),
        ai_excluded: z.boolean().optional().meta({
          description: 'True: their words are sent to no language model, whatever the workspace allows.',
        }),
      }),
    ),
  }),
).meta({ id: 'WorkProductsChange' });
export type WorkProductsChange = z.output<typeof WorkProductsChange>;

export const ChangedWorkProducts = z
  .object({
    changed: z.int(),
    unchanged: z.int().meta({ description: 'Those that were as wished already.' }),
  })
  .meta({ id: 'ChangedWorkProducts' });

export const WorkProductsDeletion = idsOrFilter(
  z.strictObject({ ...chosen, documents: DeletionQuery.shape.documents }),
).meta({ id: 'WorkProductsDeletion' });
export type WorkProductsDeletion = z.output<typeof WorkProductsDeletion>;

export const DeletedWorkProducts = z
  .object({
    deleted: z.int().meta({ description: 'With the documents of archives that went along.' }),
  })
  .meta({ id: 'DeletedWorkProducts' });

export const UploadMatch = z
  .strictObject({
    workspace_id: Id,
    files: z
      .array(UploadInit.omit({ content_type: true }))
      .min(1)
      .max(500)
      .meta({ description: 'The files, as they would be announced.' }),
  })
  .meta({ id: 'UploadMatch' });
export type UploadMatch = z.output<typeof UploadMatch>;

const Matched = { id: Id, name: z.string(), version: z.int() };
export const UploadMatches = z
  .object({
    files: z
      .array(
        z.object({
          filename: z.string().meta({ description: 'As in the request.' }),
          same_as: z
            .object({
              ...Matched,
              is_newest: z
                .boolean()
                .meta({ description: 'False: a later version of the document has other bytes.' }),
            })
            .nullable()
            .meta({ description: 'The document and its version with the same bytes; needs `sha256`.' }),
          next_version_of: z
            .array(
              z.object({
                ...Matched,
                why: z.enum(['same_filename', 'same_title']).meta({
                  description:
                    'Its newest file has this name; or a name that differs in a version, a date, a copy number or the ending only.',
                }),
              }),
            )
            .meta({
              description: 'Documents of which it may be the next version, the likeliest first; up to 5.',
            }),
          refused: z
            .object({
              code: z.enum(['invalid_filename', 'unsupported_type', 'too_large', 'no_room']),
              message: z.string(),
            })
            .nullable()
            .meta({ description: 'Why it cannot be uploaded.' }),
        }),
      )
      .meta({ description: 'In the order of the request.' }),
  })
  .meta({ id: 'UploadMatches', description: 'What files would be in a workspace. Nothing was stored.' });
export type UploadMatches = z.output<typeof UploadMatches>;
