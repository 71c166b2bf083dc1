import { z } from 'zod';
import { keySchema } from '../data/shared-schemas.js';
import { readTable } from '../words/read-words.js';
import { listChecklistIds, loadChecklist } from './load-checklists.js';

const types = z.array(keySchema).min(1);
const schema = z.strictObject({
  domains: z.array(
    z.strictObject({
      domain: keySchema,
      shown_by: types,
      standards: z.array(z.strictObject({ standard: z.string().min(1), documents: types })),
    }),
  ),
});

/** Ids of built-in standards and checklists. */
export interface UsualAnalyses {
  readonly standards: readonly string[];
  readonly checklists: readonly string[];
}

/**
 * What documents of these types are usually compared with, in the order of `data/usual-analyses.yaml`: the standards
 * and checklists of each domain that one of the types shows. Empty where none does.
 */
export async function usualAnalyses(documentTypes: ReadonlySet<string>): Promise<UsualAnalyses> {
  const isThere = (wanted: readonly string[]) => wanted.some((type) => documentTypes.has(type));
  const shown = readTable('usual-analyses', schema).domains.filter((one) => isThere(one.shown_by));
  const domains = new Set<string>(shown.map(({ domain }) => domain));
  const checklists = await Promise.all((await listChecklistIds()).map((id) => loadChecklist(id)));
  return {
    standards: shown.flatMap(({ standards }) =>
      standards.filter(({ documents }) => isThere(documents)).map(({ standard }) => standard),
    ),
    checklists: checklists
      .filter(({ domain, about }) => domains.has(domain) && isThere(about.documentTypes))
      .map(({ id }) => id),
  };
}
