import {
  type AnalysedDocument,
  analyseGaps,
  type Checklist,
  checkChecklist,
  checkCompleteness,
  type Standard,
} from '@normtrace/engine';

/** Two engines that say opposite things of one fact, in a sentence. */
export type Opposite = string;

/**
 * Runs gap analyses, completeness and checklists over the same documents and looks for facts of which two of them say opposite things:
 * a section of a template that one finds complete and another does not find, a metadata field that one reads and another misses.
 * @param today The day by which dates are judged, so that the answer is the same tomorrow.
 */
export async function oppositesOf(
  documents: readonly AnalysedDocument[],
  {
    standards,
    checklists,
    today,
  }: {
    readonly standards: readonly Standard[];
    readonly checklists: readonly Checklist[];
    readonly today: string;
  },
): Promise<readonly Opposite[]> {
  const completeness = await checkCompleteness({ documents, templates: [], scope: {}, options: { today } });
  const affectedBy = (isKind: (kind: string) => boolean) =>
    completeness.findings.filter(({ kind }) => isKind(kind)).flatMap(({ affected = [] }) => affected);
  const absent = new Set(affectedBy((kind) => kind === 'section_missing').map(({ id }) => id));
  const complete = new Set(
    completeness.documents.flatMap(({ templates }) =>
      templates.flatMap(({ type, sections }) =>
        sections.filter(({ state }) => state === 'complete').map(({ key }) => `${type}.${key}`),
      ),
    ),
  );
  const notStated = affectedBy((kind) => kind.includes('metadata'));
  const found: Opposite[] = [];
  for (const standard of standards) {
    const criteria = new Map(standard.criteria.map((one) => [one.id, one]));
    const { verdicts } = await analyseGaps({ standard, documents, scope: {}, options: {} });
    const byId = new Map(verdicts.map(({ criterionId, verdict }) => [criterionId, verdict]));
    for (const { criterionId: id, verdict, rules, evidence } of verdicts) {
      const { lookFor, parentId = '' } = criteria.get(id)!;
      const { sections = [], metadata = [] } = lookFor ?? {};
      // Of a work product that is not there, sections of its kind stand in documents about something else.
      const parent = byId.get(parentId);
      const isThere = parent === undefined || parent === 'covered' || parent === 'partial';
      const hasSections = sections.length > 0;
      if (verdict === 'covered' && rules.includes('section-complete') && hasSections) {
        if (sections.every((one) => absent.has(one)))
          found.push(`${id} is covered by a section that completeness does not find`);
      }
      const isSilent = verdict === 'missing' && rules.includes('nothing-found') && isThere;
      if (isSilent && sections.some((one) => complete.has(one)))
        found.push(`${id} is missing, completeness finds its section complete`);
      if (verdict === 'covered' && rules.includes('metadata-field')) {
        const quoted = new Set(evidence.map(({ documentId }) => documentId));
        for (const { id: field, documentId = '' } of notStated) {
          if (quoted.has(documentId) && metadata.some((one) => field === one || field.endsWith(`.${one}`)))
            found.push(`${id} reads ${field}, completeness does not`);
        }
      }
    }
  }
  for (const checklist of checklists) {
    const options = { conditions: {}, today };
    const { items } = await checkChecklist({ checklist, documents, scope: {}, options });
    for (const { itemId, verdict, confidence } of items) {
      const { checks = [] } = checklist.items.find(({ id }) => id === itemId) ?? {};
      const sections = checks.flatMap((check) => (check.check === 'section' ? (check.of as string[]) : []));
      if (confidence === 'low' || sections.length === 0) continue;
      if (verdict === 'pass' && sections.every((one) => absent.has(one)))
        found.push(`${itemId} passes by a section that completeness does not find`);
      const isAlone = checks.length === 1;
      if (verdict === 'missing' && isAlone && sections.some((one) => complete.has(one)))
        found.push(`${itemId} is missing, completeness finds its section complete`);
    }
  }
  return found;
}
