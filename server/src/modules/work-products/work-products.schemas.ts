import { z } from 'zod';
import {
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

export const WorkProductList = listOf('WorkProductList', WorkProduct);
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

export const WorkProductQuery = PageQuery.extend({
  ...sortedBy('created_at', 'updated_at', 'name'),
  updated_since: UpdatedSince,
  search: SearchQuery,
  workspace_id: Id.optional(),
  type: z.string().max(200).optional().meta({ description: 'Document type or media type.' }),
  category: several(z.string().max(80)),
  processing_status: several(ProcessingStatus),
  tag: several(z.string().max(50)).meta({ description: 'Only those with one of these tags.' }),
  source_archive: Id.optional().meta({ description: 'Documents that came out of this archive.' }),
});

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
