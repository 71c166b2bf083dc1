import { z } from 'zod';
import { Id, text } from '../../platform/http/schemas.js';
import { ROLES } from '../../platform/identity/permissions.js';
import { Moment } from './archive-rows.schemas.js';

export const MANIFEST = 'manifest.json';
/** Raised when an archive cannot be read by the code of before. 1 carried what a machine had computed. */
export const ARCHIVE_FORMAT = 2;

const ArchivedFile = z.strictObject({
  path: z.string().max(200),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What an archive holds: everything that is needed to say whether it is whole and whether this version can use it. */
export const ArchiveManifest = z.strictObject({
  format: z.literal(ARCHIVE_FORMAT),
  product: z.literal('normtrace'),
  version: z.string().max(40),
  created_at: Moment,
  workspace: z.strictObject({
    id: Id,
    name: text({ min: 1, max: 200 }),
    description: text({ max: 2000 }),
  }),
  /** Everybody whom a row names. Members have a role, and an address that they can be invited at. */
  people: z
    .array(
      z.strictObject({
        id: Id,
        email: z.email().max(320).nullable(),
        name: text({ max: 200 }),
        role: z.enum(ROLES).nullable(),
      }),
    )
    .max(10_000),
  left_out: z.array(text({ max: 1000 })).max(10_000),
  files: z.array(ArchivedFile).max(200_000),
});
export type ArchiveManifest = z.output<typeof ArchiveManifest>;
