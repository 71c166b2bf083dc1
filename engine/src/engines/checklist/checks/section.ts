import { partsOfTypes } from '../../../corpus/corpus.js';
import { type Sentence, say } from '../../../sentences/sentence.js';
import type { SectionResult } from '../../completeness/completeness.js';
import { documentsOf, type ItemContext, nameOfTypes, namesOfTypes } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { anyOf, type Outcome, outcome } from '../outcome.js';
import { sections } from '../parameters.js';

/** One of the sections is there and has content (domain D.3). The fullest decides. */
const parameters = { of: sections.min(1) };
type Check = CheckParameters<typeof parameters>;

export const section = defineCheck('section', parameters, checkSection);

export function checkSection({ of }: Check, context: ItemContext): Outcome {
  const found = of.flatMap((reference) => {
    const [type, key] = reference.split('.') as [string, string];
    return partsOfTypes(context.corpus, [type]).flatMap((part) => {
      const section = context.sectionsOf(part).find((one) => one.key === key);
      const [document] = documentsOf(context, [part]);
      return section ? [{ section, name: document!.name, told: outcomeOf(section, document!.name) }] : [];
    });
  });
  const outcomes = found.map((one) => one.told);
  if (found.length > 1 && outcomes.every(({ state }) => state === 'missing')) {
    const titles = new Map(found.map(({ section }) => [section.title, section.said.title]));
    const quotedEach = (names: readonly (string | Sentence)[]) =>
      names.map((text) => say('general.quoted', { text }));
    return {
      ...anyOf(outcomes),
      reason: say('checks.no-heading-names-in-and-nothing', {
        titles: quotedEach([...titles.values()]),
        documents: quotedEach([...new Set(found.map(({ name }) => name))]),
      }),
    };
  }
  if (found.length > 0) return anyOf(outcomes);
  const types = [...new Set(of.map((reference) => reference.split('.')[0]!))];
  return outcome('missing', 'high', {
    rules: ['no-document-of-the-type'],
    reason: say('checks.no-document-of-types', { types: namesOfTypes(context, types) }),
    terms: types.map((type) => nameOfTypes(context, [type]).en),
  });
}

function outcomeOf(section: SectionResult, name: string): Outcome {
  const { state, said, evidence, search } = section;
  const rules = [`section-${state.replaceAll('_', '-')}`];
  const told = {
    rules,
    evidence,
    reason: say('checks.section-in-document', {
      heading: section.heading ?? section.said.title,
      name,
      reason: said.reason,
    }),
  };
  const terms = search ? { terms: search.terms } : {};
  if (section.needsPerson) return outcome('open', 'low', told);
  switch (state) {
    case 'complete':
      // Filled rows are fields; prose is a statement (domain F.1).
      return outcome('pass', section.rows > 0 ? 'high' : 'medium', told);
    case 'present_unlabelled':
      return outcome('pass', 'medium', told);
    case 'by_reference':
      return section.reference?.target === 'provided'
        ? outcome('pass', 'medium', told)
        : outcome('fail', 'medium', { ...told, evidence: asCounter(evidence) });
    case 'tailored_out':
      return outcome('na', 'medium', told);
    case 'thin':
      // An instruction of the template beside a few words: begun, not done.
      return section.instructions > 0
        ? outcome('fail', 'medium', { ...told, evidence: asCounter(evidence) })
        : outcome('open', 'low', told);
    case 'placeholder':
    case 'empty':
      return outcome('fail', 'high', { ...told, evidence: asCounter(evidence) });
    case 'missing':
      return outcome('missing', 'medium', { ...told, ...terms });
  }
}

const asCounter = (evidence: SectionResult['evidence']) =>
  evidence.map((one) => ({ ...one, role: 'counter' as const }));
