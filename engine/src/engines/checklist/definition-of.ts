import * as registry from './checks/registry.js';
import type { ItemContext } from './context.js';
import type { Outcome } from './outcome.js';
import { type Told, toldBy } from './parameters.js';

type Definition = (typeof registry)[keyof typeof registry];
/** Every kind of check, sorted by the name of its constant. */
export const DEFINITIONS: readonly Definition[] = Object.values(registry);

type Name = Definition['name'];
const byName: ReadonlyMap<string, Definition> = new Map(DEFINITIONS.map((one) => [one.name, one]));

const definitionOf = ({ check }: { readonly check: Name }): Definition => byName.get(check)!;

/** What one check says. Its parameters are those that its schema has read. */
export function runDefined(check: { readonly check: Name }, context: ItemContext): Outcome {
  return definitionOf(check).run(check as never, context);
}

/** What the parameters of one check name and look for. */
export function toldByCheck(check: { readonly check: Name }): readonly Told[] {
  return toldBy(definitionOf(check).schema, check);
}
