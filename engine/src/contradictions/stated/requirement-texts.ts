import { quote } from '../../corpus/evidence.js';
import { idsInText } from '../../facts/artifacts/id-forms.js';
import { identifierKey } from '../../facts/artifacts/identifiers.js';
import { withoutScope } from '../../facts/stated/leads.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { type StatedContext, textOf } from './stated-rule.js';

/** Id of a row as a key, also where it is made of words ("Functional Safety Requirement 01-02"), and as it is written where it counts anew. */
export function nameOf(item: StatedItem): string | undefined {
  if (item.hasId) return withoutScope(item.key);
  const [only, other] = idsInText(item.id);
  return only && !other && only.start === 0 && only.end === item.id.length
    ? identifierKey(item.id)
    : undefined;
}

/** Requirements and goals by id, with every text that a document gives to it, in reading order. */
export function textsById({ facts }: StatedContext): ReadonlyMap<string, readonly StatedItem[]> {
  const byName = new Map<string, StatedItem[]>();
  for (const item of facts.items) {
    const name = item.how === 'sentence' || textOf(item, 'text') === '' ? undefined : nameOf(item);
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), item]);
  }
  return byName;
}

/** The part of a value that a rule found, in its whole. */
export const focused = (item: StatedItem, value: StatedValue, found: RegExpExecArray, note: string) =>
  quote(item.document.read.document, value.passage, value, {
    role: 'counter',
    note,
    focus: { start: value.start + found.index, end: value.start + found.index + found[0].length },
  });
