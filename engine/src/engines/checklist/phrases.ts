import { leavesOf } from '../../checklists/check.js';
import type { Checklist } from '../../checklists/checklist.js';
import { everyPhrase } from '../../data/shared-schemas.js';

/** Phrases that the items of a checklist look for, each once: they are found in one pass over the documents. */
export function phrasesOfChecklist({ about, items }: Checklist): readonly string[] {
  const own = items.flatMap((item) => [
    ...item.notApplicable.stated,
    ...leavesOf(item.checks).flatMap((check) => {
      switch (check.check) {
        case 'statement':
        case 'ask':
        case 'names_each':
        case 'inspect':
          return check.terms.flatMap(everyPhrase);
        case 'not_stated':
          return everyPhrase(check.terms);
        case 'document':
        case 'record':
          return check.names ? everyPhrase(check.names) : [];
        default:
          return [];
      }
    }),
  ]);
  return [...new Set([...about.names, ...own])];
}
