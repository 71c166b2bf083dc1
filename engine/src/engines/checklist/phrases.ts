import { everyPhrase } from '../../data/shared-schemas.js';
import { leavesOf } from './check.js';
import type { Checklist } from './checklist.js';
import { toldByCheck } from './definition-of.js';

/** Phrases that the items of a checklist look for, each once: they are found in one pass over the documents. */
export function phrasesOfChecklist({ about, items }: Checklist): readonly string[] {
  const own = items.flatMap((item) => [
    ...item.notApplicable.stated,
    ...leavesOf(item.checks).flatMap((check) =>
      toldByCheck(check).flatMap((told) => (told.kind === 'phrases' ? everyPhrase(told.value) : [])),
    ),
  ]);
  return [...new Set([...about.names, ...own])];
}
