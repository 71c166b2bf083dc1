import { type Corpus, documentOf } from '../corpus/corpus.js';
import { passageAt } from '../corpus/passages/passages-of.js';
import type { Finding, Remedy } from '../findings/finding.js';
import { isAtLeast } from '../findings/severities.js';
import type { Asked, Asking } from '../models/asking.js';
import { modelWords } from '../models/read-answer.js';
import type { Language } from '../sentences/sentence.js';
import { wordsOnly } from '../sentences/worded.js';
import { mayOrderModel } from '../text/embedded-instruction.js';
import { isGrounded } from './grounded.js';
import { promisesFulfilment } from './promises.js';

const FEWEST_STEPS = 2;
const MOST_STEPS = 4;
const MOST_QUOTES = 4;

/**
 * Findings with steps that close them, written by a model beside the rule's recommendation: for those from medium up. A step
 * with a number, id, clause, level or date that is not in what the model was given is left out; so are findings whose words
 * may not be sent.
 */
export async function withRemedies(
  findings: readonly Finding[],
  { asking, corpus, language }: { asking: Asking; corpus: Corpus; language: Language },
): Promise<readonly Finding[]> {
  const { withheld = [] } = asking.use;
  const asked = findings.flatMap((finding) => {
    if (!isAtLeast(finding.severity, 'medium')) return [];
    if (finding.evidence.some(({ documentId }) => withheld.includes(documentId))) return [];
    const given = givenOf(finding, language);
    return given.input.some(mayOrderModel) ? [] : [{ finding, ...given }];
  });
  const answers = await asking.ask(
    asked.map(
      ({ finding, values }): Asked<'remedy'> => ({
        task: 'remedy',
        values: { language, ...values },
        sends: finding.evidence.slice(0, MOST_QUOTES).map(({ documentId, start }) => ({
          documentId,
          passageId: passageAt(documentOf(corpus, documentId).read.passages, start)?.id ?? documentId,
        })),
      }),
    ),
  );
  const remedies = new Map<Finding, Remedy>();
  asked.forEach(({ finding, input }, at) => {
    const given = answers[at]!;
    if ('failed' in given) return;
    const { effort } = given.answer;
    const steps = given.answer.steps
      .map((step) => modelWords(step).replace(/^(?:\d{1,2}[.)]|[-–•])\s*/, ''))
      .filter(
        (step) => step !== '' && !mayOrderModel(step) && !promisesFulfilment(step) && isGrounded(step, input),
      )
      .slice(0, MOST_STEPS);
    if (steps.length < FEWEST_STEPS) return;
    remedies.set(finding, { language, steps, ...(effort === 'cannot_tell' ? {} : { effort }) });
  });
  return findings.map((finding) => {
    const remedy = remedies.get(finding);
    return remedy ? { ...finding, remedy } : finding;
  });
}

/** What a model is given of a finding, in the language of the reader. */
function givenOf(finding: Finding, language: Language) {
  const { title, expected, observed, recommendation } = wordsOnly(finding, language);
  const quotes = finding.evidence.slice(0, MOST_QUOTES).map(({ quote }) => quote);
  return {
    values: { title, expected, observed, recommendation, quotes: quotes.map((quote) => ({ quote })) },
    input: [title, expected, observed, recommendation, ...quotes],
  };
}
