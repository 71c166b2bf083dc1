import { z } from 'zod';
import { DEFINITIONS } from './definition-of.js';

/** One check that looks at the documents: one of `engines/checklist/checks`, with its parameters. */
export type LeafCheck = z.output<(typeof DEFINITIONS)[number]['schema']>;
export type CheckName = LeafCheck['check'];
/** The parameters of one kind of check. */
export type CheckOf<Name extends CheckName> = Extract<LeafCheck, { check: Name }>;

/** Several checks: all of them, or any one, has to pass. */
export interface CheckGroup {
  readonly check: 'all' | 'any';
  readonly of: readonly Check[];
}

export type Check = LeafCheck | CheckGroup;

const groupSchema = z.strictObject({
  check: z.enum(['all', 'any']),
  of: z.array(z.lazy((): z.ZodType<Check> => checkSchema)).min(2),
});

/** One check as the data files write it; defaults are filled in. */
export const checkSchema: z.ZodType<Check> = z.discriminatedUnion('check', [
  groupSchema,
  ...DEFINITIONS.map(({ schema }) => schema),
]);

export function isGroup(one: Check): one is CheckGroup {
  return one.check === 'all' || one.check === 'any';
}

/** All checks of a tree that look at documents, in order. */
export function leavesOf(checks: readonly Check[]): readonly LeafCheck[] {
  return checks.flatMap((one) => (isGroup(one) ? leavesOf(one.of) : [one]));
}
