import { z } from 'zod';
import { Id } from '../../platform/http/schemas.js';

export const MANIFEST = 'manifest.json';
/** Raised when an archive cannot be read by the code of before. */
export const ARCHIVE_FORMAT = 1;

const ArchivedFile = z.strictObject({
  path: z.string().max(500),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What an archive holds: everything that is needed to say whether it is whole and whether this version can use it. */
export const ArchiveManifest = z.strictObject({
  format: z.literal(ARCHIVE_FORMAT),
  product: z.literal('normtrace'),
  version: z.string().max(40),
  created_at: z.iso.datetime(),
  workspace: z.strictObject({
    id: Id,
    name: z.string().min(1).max(200),
    description: z.string().max(2000),
  }),
  /** Everybody whom a row names. Members have a role. */
  people: z
    .array(
      z.strictObject({
        id: Id,
        email: z.string().max(320).nullable(),
        name: z.string().max(500),
        role: z.enum(['admin', 'engineer', 'manager', 'viewer']).nullable(),
      }),
    )
    .max(10_000),
  left_out: z.array(z.string().max(1000)).max(10_000),
  files: z.array(ArchivedFile),
});
export type ArchiveManifest = z.output<typeof ArchiveManifest>;
