import { isWithin } from '../../../corpus/corpus.js';
import { quote } from '../../../corpus/evidence.js';
import { hitsOf, sentenceOf } from '../../../corpus/mentions.js';
import { everyPhrase } from '../../../data/shared-schemas.js';
import { negationTrap } from '../../../judgement/traps/t02-negation.js';
import { say, written } from '../../../sentences/sentence.js';
import { documentsOf, type ItemContext, nameOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { documentTypes, groups } from '../parameters.js';
import { quoteDocument } from '../quotes.js';

/** The documents name each of the things, in whatever words: a plan that lists work products. */
const parameters = { terms: groups, in: documentTypes };
type Check = CheckParameters<typeof parameters>;

export const namesEach = defineCheck('names_each', parameters, checkNamesEach);

/** Naming is what is asked for: list items, cells and sentences count, tables of contents and glossaries do not. */
function checkNamesEach({ terms, in: types }: Check, context: ItemContext): Outcome {
  const parts = partsFor(context, types);
  const name = nameOfTypes(context, types);
  if (parts.length === 0) {
    return outcome('missing', 'high', {
      rules: ['no-document-of-the-type'],
      reason: say('checks.no-document-of-name', { name }),
      terms: terms.flatMap(everyPhrase),
    });
  }
  const groups = terms.map((group) => {
    const phrases = everyPhrase(group);
    const hits = hitsOf(context.index, phrases).filter(
      (hit) => isWithin(parts, hit.passage) && (hit.passage.role === 'body' || hit.passage.role === 'scope'),
    );
    const hit = hits.find((one) => {
      const { sentence, start, end } = sentenceOf(one);
      return !negationTrap({ sentence, start, end, role: one.passage.role });
    });
    return { phrase: { en: group.en[0]!, de: group.de[0] ?? group.en[0]! }, hit };
  });
  const absent = groups.filter((one) => !one.hit);
  const instances = { met: groups.length - absent.length, total: groups.length };
  const evidence = groups.flatMap(({ hit, phrase }) =>
    hit
      ? [
          quote(hit.document.read.document, hit.passage, sentenceOf(hit).place, {
            role: 'support',
            note: written(phrase),
            focus: hit,
          }),
        ]
      : [],
  );
  const names = absent.map((one) => one.phrase);
  const ids = names.map(({ en }) => en);
  if (absent.length === groups.length) {
    return outcome('missing', 'medium', {
      rules: ['none-named'],
      reason: say('checks.names-no-group', { name }),
      terms: ids,
      instances,
    });
  }
  if (absent.length > 0) {
    return outcome('fail', 'low', {
      rules: ['not-all-named'],
      reason: say('checks.names-some-groups', { name, met: instances.met, total: instances.total, names }),
      evidence: [
        ...documentsOf(context, parts).flatMap((one) =>
          quoteDocument(one, 'counter', say('checks.does-not-name', { names })),
        ),
        ...evidence.map((one) => ({ ...one, role: 'context' as const })),
      ],
      instances,
      affected: names,
    });
  }
  return outcome('pass', 'medium', {
    rules: ['all-named'],
    reason: say('checks.names-all-groups', { name, groups: groups.length }),
    evidence,
    instances,
  });
}
