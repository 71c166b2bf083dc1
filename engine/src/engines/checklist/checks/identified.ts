import { isWithin } from '../../../corpus/corpus.js';
import { quote } from '../../../corpus/evidence.js';
import { artifactWord } from '../../../facts/artifacts/artifact-word.js';
import { say } from '../../../sentences/sentence.js';
import { qualityWords } from '../../../words/quality-words.js';
import { type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { noArtifact, untypedDemands } from '../instances.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes, documentTypes } from '../parameters.js';
import { quoteArtifact, quoteRange } from '../quotes.js';

/** Artifacts of the types exist with an id of their own, and no id means two things. */
const parameters = { of: artifactTypes, in: documentTypes.optional() };
type Check = CheckParameters<typeof parameters>;

export const identified = defineCheck('identified', parameters, checkIdentified);

const QUOTES = 3;

function checkIdentified(check: Check, context: ItemContext): Outcome {
  const { corpus, trace } = context;
  const documents = check.in
    ? new Set(partsFor(context, check.in).map((part) => part.documentId))
    : undefined;
  const own = trace.ofTypes(check.of).filter((one) => !documents || documents.has(one.documentId));
  if (own.length === 0) return withoutIds(check, context);
  // The message names the id: "SWR-1" has another meaning elsewhere.
  const doubled = new Set(
    trace.notes
      .filter(({ code }) => code === 'other_meaning')
      .map(({ message }) => message.slice(1, message.lastIndexOf('"'))),
  );
  const affected = own.filter(({ id }) => doubled.has(id));
  if (affected.length > 0) {
    return outcome('fail', 'high', {
      rules: ['duplicate-id'],
      reason: say('checks.has-another-meaning-elsewhere-more-such', {
        id: affected[0]!.id,
        more: affected.length - 1,
      }),
      evidence: affected.slice(0, QUOTES).flatMap((one) =>
        quoteArtifact(corpus, one, {
          role: 'counter',
          note: say('checks.the-same-id-stands-for-something'),
        }),
      ),
      instances: { met: own.length - affected.length, total: own.length },
      affected: affected.map((one) => one.id),
    });
  }
  return outcome('pass', 'high', {
    rules: ['identified'],
    reason: say('checks.of-them-with-an-id-of', { own: own.length }),
    evidence: own
      .slice(0, QUOTES)
      .flatMap((one) => quoteArtifact(corpus, one, { role: 'support', note: one.id })),
    instances: { met: own.length, total: own.length },
  });
}

const SEVERAL = 3;

function withoutIds(check: Check, context: ItemContext): Outcome {
  const { expressions } = qualityWords();
  const parts = check.in ? partsFor(context, check.in) : [];
  const prose = context.corpus.documents.flatMap((document) =>
    document.read.passages
      .filter(
        (passage) =>
          passage.role === 'body' &&
          isWithin(parts, passage) &&
          passage.text.search(expressions.normative) >= 0,
      )
      .map((passage) => ({ document, passage })),
  );
  if (prose.length >= SEVERAL) {
    return outcome('fail', 'medium', {
      rules: ['demands-without-id'],
      reason: say('checks.paragraphs-demand-something-none-with-an', { prose: prose.length }),
      evidence: prose.slice(0, QUOTES).flatMap(({ document, passage }) => {
        const cell = document.read.document.blocks[passage.blockIndex]!.cells;
        const evidence = cell
          ? quoteRange(document, passage, { role: 'counter', note: say('checks.no-identifier') })
          : quote(document.read.document, passage, passage, {
              role: 'counter',
              note: say('checks.no-identifier'),
            });
        return evidence ? [evidence] : [];
      }),
    });
  }
  if (!check.in || context.trace.hollowOf(check.of).length > 0) {
    const found = noArtifact(check.of, context);
    return found.state === 'missing' ? (ofUnknownType(context) ?? found) : found;
  }
  return outcome('missing', parts.length > 0 ? 'medium' : 'high', {
    rules: ['no-artifact'],
    reason: say('checks.no-with-an-identifier-in-a', {
      of: check.of.map(artifactWord),
      in: namesOfTypes(context, check.in),
    }),
    terms: check.of.map((type) => type.replaceAll('_', ' ')),
  });
}

/** Statements with ids are there; only what they are is not known. */
function ofUnknownType(context: ItemContext): Outcome | undefined {
  const untyped = untypedDemands(context.trace);
  if (untyped.length === 0) return undefined;
  return outcome('open', 'low', {
    rules: ['type-not-known'],
    reason: say('checks.statements-have-an-id-of-their', { untyped: untyped.length }),
    evidence: untyped
      .slice(0, QUOTES)
      .flatMap((one) => quoteArtifact(context.corpus, one, { role: 'context', note: one.id })),
  });
}
