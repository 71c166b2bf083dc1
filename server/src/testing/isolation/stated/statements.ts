import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** What this folder's YAML files state about the database; validated here. */
const FOLDER = new URL('../../../../src/testing/isolation/stated/', import.meta.url);
const read = <T>(schema: z.ZodType<T>, file: string): T =>
  schema.parse(parse(readFileSync(new URL(file, FOLDER), 'utf8')));

export const COMMANDS = ['select', 'insert', 'update', 'delete'] as const;
export type Command = (typeof COMMANDS)[number];

const Value = z.union([z.string(), z.number(), z.null()]);
export type Value = z.infer<typeof Value>;
const Values = z.record(z.string(), Value);

const Grants = z
  .array(
    z.union([
      z.enum(COMMANDS),
      z.strictObject({ select: z.array(z.string()) }),
      z.strictObject({ update: z.array(z.string()) }),
    ]),
  )
  .default([]);

const Access = z.strictObject({
  rows: z.enum(['workspace', 'user', 'colleagues', 'nobody', 'unforced']),
  app: Grants,
  system: Grants,
  owner: z.array(z.enum(COMMANDS)).default([]),
  set: Values.optional(),
  with: z.array(z.string()).default([]),
});
export type Access = z.infer<typeof Access>;

const Constraints = z.strictObject({
  checks: z.record(z.string(), z.strictObject({ table: z.string(), set: Values })),
  foreign_keys: z.record(
    z.string(),
    z.strictObject({ table: z.string(), columns: z.array(z.string()), given: Values.default({}) }),
  ),
  unique: z.record(
    z.string(),
    z.strictObject({ table: z.string(), other: z.array(z.string()), given: Values.default({}) }),
  ),
});

const Samples = z.strictObject({ columns: Values, tables: z.record(z.string(), Values) });

export const loadAccess = (): Readonly<Record<string, Access>> =>
  read(z.record(z.string(), Access), 'access.yaml');
export const loadConstraints = (): z.infer<typeof Constraints> => read(Constraints, 'constraints.yaml');
export const loadSamples = (): z.infer<typeof Samples> => read(Samples, 'samples.yaml');

/** The columns that a role may use for a command; `undefined`: none, `all`: every one. */
export function columnsFor(grants: Access['app'], command: Command): 'all' | readonly string[] | undefined {
  for (const grant of grants) {
    if (grant === command) return 'all';
    if (typeof grant === 'object' && command in grant) return Object.values(grant)[0];
  }
  return undefined;
}
