import { SEVERITIES, STANDARD_CATEGORIES, STANDARD_STRUCTURES } from '@normtrace/engine';
import { z } from 'zod';
import {
  Id,
  listOf,
  PageQuery,
  reorderedBy,
  SearchQuery,
  sortedBy,
  Timestamp,
  text,
  UpdatedSince,
} from '../../platform/http/schemas.js';
import { UploadInit } from '../uploads/uploads.schemas.js';

const Category = z.enum(STANDARD_CATEGORIES).meta({ id: 'StandardCategory' });
const CatalogId = z
  .string()
  .regex(/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/)
  .max(100);

export const CatalogStandard = z
  .object({
    id: CatalogId,
    designation: z.string(),
    short_name: z.string(),
    title: z.string(),
    publisher: z.string(),
    edition: z.string(),
    published: z.string().nullable().meta({ description: '`YYYY`, `YYYY-MM` or `YYYY-MM-DD`.' }),
    status: z.enum(['current', 'superseded', 'withdrawn', 'under_revision', 'draft']),
    supersedes: z.array(z.string()),
    superseded_by: z.array(z.string()),
    category: Category,
    group: z.string(),
    kind: z.string(),
    parts: z.array(z.object({ part: z.string(), title: z.string(), id: z.string().nullable() })),
    description: z.string(),
    obtain: z.object({ url: z.string(), access: z.string() }),
    builtin_structure: z.enum(STANDARD_STRUCTURES),
    content_policy: z.string(),
    requires_attestation: z.boolean(),
    related: z.array(z.string()),
    last_verified: z.string(),
  })
  .meta({ id: 'CatalogStandard', description: 'A published standard. Holds no text of it.' });
export type CatalogStandard = z.output<typeof CatalogStandard>;
export const CatalogList = listOf('CatalogList', CatalogStandard);
export const CatalogQuery = PageQuery.extend({
  ...reorderedBy('id', 'title'),
  limit: PageQuery.shape.limit.default(100),
  search: SearchQuery,
  category: Category.optional(),
  group: z.string().max(40).optional().meta({ description: 'Coarse group, such as `functional_safety`.' }),
});

export const StandardStatus = z
  .enum(['pending_upload', 'awaiting_attestation', 'queued', 'running', 'completed', 'failed'])
  .meta({ description: '`awaiting_attestation`: the file is there, but nobody attested its licence yet.' });

export const Standard = z
  .object({
    id: Id,
    workspace_id: Id,
    catalog_id: z.string().nullable().meta({ description: 'The built-in structure that it stands for.' }),
    name: z.string(),
    version: z.string(),
    category: z.string(),
    description: z.string(),
    attested: z.boolean(),
    requires_attestation: z.boolean().meta({
      description: 'A paid text: it is not processed before its licence was attested for exactly this file.',
    }),
    licence_mark: z.boolean().meta({
      description: 'The uploaded copy bears the mark of a licence for one person.',
    }),
    processing_status: StandardStatus,
    processing_error: z.string().nullable(),
    criteria_count: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Standard', description: 'A compliance framework in a workspace.' });
export type Standard = z.output<typeof Standard>;
export const StandardList = listOf('StandardList', Standard);
export const StandardParams = z.strictObject({ id: Id });
export const StandardUploadParams = z.strictObject({ id: Id, upload_id: Id });
export const StandardQuery = PageQuery.extend({
  ...sortedBy('created_at', 'updated_at', 'name'),
  updated_since: UpdatedSince,
  search: SearchQuery,
  category: z.string().max(80).optional(),
  workspace_id: Id.optional(),
});

export const NewStandard = z
  .strictObject({
    workspace_id: Id,
    catalog_id: CatalogId.optional().meta({ description: 'Adopts this entry of `/standards/common`.' }),
    name: text({ min: 1, max: 300 }).optional().meta({ description: 'Needed without `catalog_id`.' }),
    version: text({ max: 100 }).optional(),
    description: text({ max: 2000 }).optional(),
    category: Category.optional(),
  })
  .refine((standard) => standard.catalog_id !== undefined || standard.name !== undefined, {
    path: ['name'],
    message: 'Name the standard, or the entry of the catalog to adopt.',
  })
  .meta({ id: 'NewStandard' });

export const StandardUpload = UploadInit.meta({ id: 'StandardUpload' });

export const Attest = z
  .strictObject({
    licence_type: z.enum([
      'single_user',
      'multi_user',
      'site_network',
      'national_body_subscription',
      'free_publication',
      'own_document',
      'other',
    ]),
    licence_holder: text({ min: 1, max: 300 }),
    organisation: text({ max: 300 }).optional().meta({ description: 'Default: that of the profile.' }),
    standard_designation: text({ min: 1, max: 300 }).optional(),
    edition: text({ max: 100 }).optional(),
    file_sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/)
      .optional()
      .meta({
        description:
          'Default: the uploaded file. Another hash than that of the file is refused. Needed when somebody else ' +
          'keeps the file that they uploaded to themselves.',
      }),
    statement_version: text({ min: 1, max: 40 }).default('1'),
    allows_workspace_sharing: z.boolean().optional().meta({
      description: 'Default: false for a licence of a single user, otherwise true.',
    }),
    allows_ai_processing: z.boolean().default(false),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  })
  .meta({ id: 'Attestation', description: 'Who declares to hold a licence for which file.' });
export const RevokeQuery = z.strictObject({ reason: text({ max: 500 }).optional() });

export const StandardCriterion = z
  .object({
    id: z.string(),
    parent_id: z.string().nullable(),
    kind: z.enum(['group', 'work_product', 'expectation', 'practice', 'clause']),
    clause: z.string(),
    title: z.string().nullable(),
    text: z.string().nullable().meta({
      description:
        'Own words for built-in standards; null where the licence does not let the caller read it.',
    }),
    obligation: z.enum(['shall', 'should']),
    severity: z.enum(SEVERITIES),
    document_types: z.array(z.string()),
  })
  .meta({ id: 'Criterion', description: 'One thing that a standard demands.' });
export type StandardCriterion = z.output<typeof StandardCriterion>;
export const StandardCriterionList = listOf('StandardCriterionList', StandardCriterion);
export const CriterionQuery = PageQuery.extend({
  ...reorderedBy('id', 'severity'),
  limit: PageQuery.shape.limit.default(100),
});
