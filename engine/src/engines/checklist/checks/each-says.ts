import { z } from 'zod';
import { passageAt } from '../../../corpus/passages/passages-of.js';
import { isFilled } from '../../../corpus/placeholders/emptiness.js';
import { everyPhrase } from '../../../data/shared-schemas.js';
import type { ExtractedArtifact } from '../../../facts/artifacts/statement.js';
import { type Sentence, say } from '../../../sentences/sentence.js';
import { phraseFinder } from '../../../text/phrases.js';
import { asContext, type ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { goalsServed } from '../goals-served.js';
import { noArtifact, shareOutcome } from '../instances.js';
import { type Outcome, outcome } from '../outcome.js';

import { artifactTypes, expression, key, phrases, plain, share } from '../parameters.js';
import { quoteArtifact } from '../quotes.js';

/** Each artifact says each of the parts: in its text, its row, or in a field of its record. */
const parameters = {
  of: artifactTypes,
  parts: z.array(
    z.strictObject({
      /** For a person: what is not said. */
      name: plain(z.string().min(3)),
      /** In German results; the same where absent. */
      name_de: plain(z.string().min(3)).optional(),
      terms: phrases.optional(),
      /** Fields of the record that say it when they are filled. */
      fields: z.array(key).default([]),
      /** Expression that says it: a number with a unit. */
      matches: expression.optional(),
    }),
  ),
  filled: share.default(100),
  /** Only artifacts whose text has one of these. */
  about: phrases.optional(),
  /** What one does not say, another one of the same type may that serves the same goal: one detects, another one reacts. */
  shared: z.literal(true).optional(),
};
type Check = CheckParameters<typeof parameters>;

export const eachSays = defineCheck('each_says', parameters, checkEachSays);

function checkEachSays(check: Check, context: ItemContext): Outcome {
  const all = context.trace.ofTypes(check.of);
  if (all.length === 0) return noArtifact(check.of, context);
  const about = check.about && phraseFinder(everyPhrase(check.about));
  const artifacts = about ? all.filter((one) => about(wholeText(one, context)).length > 0) : all;
  if (artifacts.length === 0) {
    return outcome('missing', 'low', {
      rules: ['none-about-it'],
      reason: say('checks.none-of-the-is-about-it', { all: all.length }),
      terms: everyPhrase(check.about!),
    });
  }
  const parts = check.parts.map((part) => ({
    name: part.name_de === undefined ? part.name : { en: part.name, de: part.name_de },
    fields: part.fields,
    find: part.terms && phraseFinder(everyPhrase(part.terms)),
    expression: part.matches === undefined ? undefined : new RegExp(part.matches, 'iu'),
  }));
  const unsaid = new Map<string, Sentence>();
  const saidBy = new Map(
    artifacts.map((artifact) => {
      const text = wholeText(artifact, context);
      const fields = context.trace.recordOf(artifact)?.fields;
      const own = parts.filter(
        (part) =>
          part.fields.some((key) => isFilled(fields?.get(key)?.value ?? '')) ||
          (part.find && part.find(text).length > 0) ||
          part.expression?.test(text),
      );
      return [artifact, own] as const;
    }),
  );
  const goalsOf = (one: ExtractedArtifact) => (check.shared ? goalsServed(one.id, context) : []);
  const saidFor = new Map<string, Set<(typeof parts)[number]>>();
  // The safe state of a goal is the one of all that serve it.
  const givenBy = (goal: string) => {
    const record = context.trace.byId.get(goal);
    const fields = record && context.trace.recordOf(record)?.fields;
    return parts.filter((part) => part.fields.some((key) => isFilled(fields?.get(key)?.value ?? '')));
  };
  for (const [artifact, own] of saidBy) {
    for (const goal of goalsOf(artifact)) {
      const known = saidFor.get(goal) ?? new Set(givenBy(goal));
      for (const part of own) known.add(part);
      saidFor.set(goal, known);
    }
  }
  const rated = artifacts.map((artifact) => {
    const own = saidBy.get(artifact)!;
    const lacking = parts.filter(
      (part) => !own.includes(part) && !goalsOf(artifact).some((goal) => saidFor.get(goal)!.has(part)),
    );
    if (lacking.length > 0) {
      unsaid.set(
        artifact.id,
        say('checks.does-not-say', { id: artifact.id, names: lacking.map((part) => part.name) }),
      );
    }
    return { artifact, met: lacking.length === 0 };
  });
  const names = parts.map((part) => part.name);
  const isSaid = [...saidBy.values(), ...[...saidFor.values()].map((one) => [...one])].some(
    (some) => some.length > 0,
  );
  if (!isSaid) {
    return outcome('missing', 'low', {
      rules: ['each-says'],
      reason: say('checks.none-of-the-says', { artifacts: artifacts.length, names }),
      evidence: artifacts
        .slice(0, 2)
        .flatMap((one) =>
          quoteArtifact(context.corpus, one, { role: 'context', note: unsaid.get(one.id) ?? '' }),
        ),
      terms: check.parts.map(({ name }) => name),
    });
  }
  const found = shareOutcome(rated, {
    context,
    filled: check.filled,
    rule: 'each-says',
    what: say('checks.listed-words', { names }),
    // Words can be other words: what is not found is an inference.
    confidence: rated.every((one) => one.met) ? 'medium' : 'low',
    notes: unsaid,
  });
  // Where most of them lack a part, the parts may stand in other places or words: a question, and no failure of each.
  const met = rated.filter((one) => one.met).length;
  if (found.state !== 'fail' || met * 2 >= rated.length) return found;
  // Where hardly any of them says all parts, the words of this author are others: nothing speaks against them.
  const isUnread = met * FEWEST_READ < rated.length;
  return isUnread
    ? { ...found, state: 'open', severity: 'low', evidence: asContext(found.evidence) }
    : { ...found, state: 'open' };
}

/** Of so many artifacts one has to say all parts. Our own. */
const FEWEST_READ = 5;

/** The artifact's text and everything else that its row or paragraph says. */
function wholeText(artifact: ExtractedArtifact, { corpus, trace }: ItemContext): string {
  const record = trace.recordOf(artifact);
  const document = corpus.documents.find((one) => one.id === artifact.documentId)!;
  const around = record?.passage ?? passageAt(document.read.passages, artifact.start);
  return [
    artifact.text,
    around?.text ?? '',
    document.read.document.text.slice(artifact.start, Math.min(artifact.end, artifact.start + 4000)),
  ].join('\n');
}
