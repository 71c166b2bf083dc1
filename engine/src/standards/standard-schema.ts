import { z } from 'zod';
import { keySchema, phrasesSchema } from '../data/shared-schemas.js';
import { severitySchema } from '../findings/severity-schema.js';
import { verificationSchema } from './verification-schema.js';

/** `17-00`, as process assessment models number information items and work products. */
const informationItemIdSchema = z.string().regex(/^\d{2}-\d{2}$/, 'Ids of information items look like 17-00');

/** Ids as standards number things: `26262-3:6.5.1`, `aspice-4.0:SWE.1.BP3`, `21434:WP-06-01`. */
const criterionIdSchema = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}:._-]*$/u, 'Ids have no spaces');

/** Level of a process assessment model at which something is asked for; level 1 where absent. */
const capabilityLevel = z.int().min(2).max(5).optional();

/** Parts that every demand has. */
const demand = {
  title: z.string().min(2),
  severity: severitySchema,
  obligation: z.enum(['shall', 'should']).default('shall'),
  condition: keySchema.optional(),
  plan: z.boolean().optional(),
  sections: z.array(z.string()).default([]),
  columns: z.array(z.string()).default([]),
  metadata: z.array(keySchema).default([]),
  terms: z.array(phrasesSchema).default([]),
  rule: z.enum(['no_open_placeholder', 'consistent_integrity_level']).optional(),
  verified: verificationSchema.optional(),
};

const expectationSchema = z.strictObject({
  /** Number within its work product; kept when others are added or removed. */
  n: z.int().min(1),
  text: z.string().min(10),
  ...demand,
});

const groupSchema = z.strictObject({
  id: criterionIdSchema,
  parent: criterionIdSchema.optional(),
  clause: z.string().min(1),
  title: z.string().min(2),
  text: z.string().optional(),
  verified: verificationSchema.optional(),
  capability_level: capabilityLevel,
  /** What a process puts out: ids of `information-items.yaml`. */
  information_items: z.array(informationItemIdSchema).default([]),
  /** With `identified_by`, words that name what the group is about: a test report is of units or of the system. */
  identified_by: z.literal('name').optional(),
  terms: z.array(phrasesSchema).default([]),
  /** For chapters that demand content without a work product of their own. */
  expectations: z.array(expectationSchema).default([]),
});

const entrySchema = z.strictObject({
  id: criterionIdSchema,
  group: criterionIdSchema,
  /** The group's clause where absent. */
  clause: z.string().min(1).optional(),
  /** Own words; a work product without text is demanded by its title. */
  text: z.string().min(10).optional(),
  ...demand,
  document_types: z.array(keySchema).default([]),
  identified_by: z.literal('name').optional(),
  /** Document types of the work products that it is a review of. */
  reviews: z.array(keySchema).default([]),
  capability_level: capabilityLevel,
  expectations: z.array(expectationSchema).default([]),
});

/** One file of `standards/`. */
export const standardFileSchema = z.strictObject({
  standard: z.string(),
  groups: z.array(groupSchema).min(1),
  practices: z.array(entrySchema).default([]),
  clauses: z.array(entrySchema).default([]),
  work_products: z.array(entrySchema).default([]),
});

/** `information-items.yaml`. */
export const informationItemsSchema = z.strictObject({
  models: z.array(
    z.strictObject({
      /** Standards that number their information items or work products so. */
      standards: z.array(z.string()).min(1),
      items: z.array(
        z.strictObject({
          id: informationItemIdSchema,
          name: z.string().min(3),
          /** Where it is usually found. */
          document_types: z.array(keySchema).default([]),
          verified: verificationSchema,
        }),
      ),
    }),
  ),
});

/** `general-expectations.yaml`. */
export const generalExpectationsSchema = z.strictObject({ expectations: z.array(expectationSchema) });

export type StandardFile = z.output<typeof standardFileSchema>;
export type GroupEntry = z.output<typeof groupSchema>;
export type DemandEntry = z.output<typeof entrySchema>;
export type ExpectationEntry = z.output<typeof expectationSchema>;
