import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';

/** Texts that get a name, at most: each costs memory on every connection. Repositories have some hundred. */
const NAMED = 1_000;
const names = new Map<string, string>();
let generation = 0;

/**
 * The name of a statement, made from its text, under which the server parses and plans it once per connection. Texts past
 * the thousandth go without one.
 */
export function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < NAMED) {
    name = createHash('sha256').update(`${generation} ${text}`).digest('base64url').slice(0, 22);
    names.set(text, name);
  }
  return name;
}

/** The statement under its name, for the driver's own queries. */
export function prepared(text: string, values: readonly unknown[] = []): QueryConfig {
  const name = nameOf(text);
  return name === undefined ? { text, values: [...values] } : { name, text, values: [...values] };
}

/**
 * Gives every statement a new name, so that each connection parses it anew. A migration that changes what a
 * statement answers makes the plans that connections hold useless for as long as they live.
 */
export function forgetPlans(): void {
  generation++;
  names.clear();
}
