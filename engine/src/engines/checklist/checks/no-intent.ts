import { isWithin } from '../../../corpus/corpus.js';
import { quote } from '../../../corpus/evidence.js';
import { probeSections } from '../../../judgement/probe-sections.js';
import { intentTrap } from '../../../judgement/traps/t03-intent.js';
import { say } from '../../../sentences/sentence.js';
import { splitSentences } from '../../../text/sentences.js';
import { documentsOf, type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { documentTypes, sections } from '../parameters.js';

/** No statement of intent where results are demanded (trap T3). */
const parameters = {
  in: documentTypes,
  sections: sections.min(1).optional(),
  /** Sections in which the future has its place. */
  except: sections.default([]),
};
type Check = CheckParameters<typeof parameters>;

export const noIntent = defineCheck('no_intent', parameters, checkNoIntent);

const QUOTES = 5;
const TELLING_WORDS = 6;

function checkNoIntent(check: Check, context: ItemContext): Outcome {
  const { corpus } = context;
  const parts = partsFor(context, check.in);
  const found = check.sections ? probeSections(corpus, check.sections, parts) : [];
  const ranges = found.length > 0 ? found : parts;
  const left = check.except.length > 0 ? probeSections(corpus, check.except, parts) : [];
  if (parts.length === 0) {
    return outcome('missing', 'high', {
      rules: ['no-document-of-the-type'],
      reason: say('checks.no-document-of-place', { in: namesOfTypes(context, check.in) }),
    });
  }
  const sentences = documentsOf(context, parts).flatMap((document) =>
    document.read.passages.flatMap((passage) => {
      const isIn = (range: { readonly documentId: string; readonly start: number; readonly end: number }) =>
        range.documentId === document.id &&
        passage.blockIndex >= range.start &&
        passage.blockIndex < range.end;
      const inside = ranges.some(isIn) && !left.some(isIn);
      if (passage.role !== 'body' || passage.header || !inside || !isWithin(parts, passage)) return [];
      const { text, blocks } = document.read.document;
      return (blocks[passage.blockIndex]!.cells ?? [passage]).flatMap((segment) =>
        splitSentences(text.slice(segment.start, segment.end)).map((range) => {
          const place = { start: segment.start + range.start, end: segment.start + range.end };
          const sentence = text.slice(place.start, place.end);
          const mention = { sentence, start: 0, end: sentence.length, role: passage.role };
          return { document, passage, place, sentence, intent: intentTrap(mention) };
        }),
      );
    }),
  );
  const intents = sentences.filter((one) => one.intent);
  if (intents.length > 0) {
    return outcome('fail', 'medium', {
      rules: ['T3-intent'],
      reason: say('checks.what-has-to-be-shown', { intents: intents.length }),
      evidence: intents.slice(0, QUOTES).map(({ document, passage, place }) =>
        quote(document.read.document, passage, place, {
          role: 'counter',
          note: say('checks.announced-not-shown'),
        }),
      ),
    });
  }
  const telling = sentences.filter(
    ({ sentence }) => (sentence.match(/\p{L}{2,}/gu) ?? []).length >= TELLING_WORDS,
  );
  if (telling.length === 0) {
    return outcome('missing', 'medium', {
      rules: ['nothing-told'],
      reason: say('checks.there-is-no-statement-that-could'),
    });
  }
  return outcome('pass', 'medium', {
    rules: ['no-intent'],
    reason: say('checks.none-of-statements-announces-what-has', { telling: telling.length }),
    evidence: telling.slice(0, 2).map(({ document, passage, place }) =>
      quote(document.read.document, passage, place, {
        role: 'support',
        note: say('checks.stated-not-announced'),
      }),
    ),
  });
}
