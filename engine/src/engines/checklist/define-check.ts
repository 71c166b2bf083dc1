import { z } from 'zod';
import { severitySchema } from '../../findings/severity-schema.js';
import type { ItemContext } from './context.js';
import type { Outcome } from './outcome.js';
import type { DeclaredShape } from './parameters.js';

/** What every check may carry. */
const common = {
  /** Of a `fail` that this check finds, where it differs from the item's. */
  severity: severitySchema.optional(),
  /** A person confirms whatever it finds. */
  confirm: z.literal(true).optional(),
};

/** The parameters of a check, with their defaults. */
export type CheckParameters<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/**
 * One kind of check: its name in the data files, its parameters and what it looks at. References and phrases are read from the
 * schema of the parameters (`parameters.ts`); a text that does not say what it is does not compile.
 */
export function defineCheck<const Name extends string, Shape extends z.ZodRawShape>(
  name: Name,
  parameters: Shape & DeclaredShape<Shape>,
  run: (check: CheckParameters<Shape>, context: ItemContext) => Outcome,
) {
  const shape: Shape = parameters;
  return { name, schema: z.strictObject({ check: z.literal(name), ...shape, ...common }), run };
}
