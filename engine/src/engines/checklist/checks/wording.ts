import { z } from 'zod';
import { assessRequirements } from '../../../requirement-quality/requirement-quality.js';
import { say } from '../../../sentences/sentence.js';
import { qualityWords } from '../../../words/quality-words.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { demandText, inspectedDemands } from '../inspected.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes, plain, share, wordingRules } from '../parameters.js';
import { quoteArtifact } from '../quotes.js';

/**
 * Wording of the demands under inspection (those of the lowest level that is given): more than `tolerated` percent with a
 * hit of the rules is a fail. Where nothing is found it passes only if the rules see all of the question (`decides`).
 */
const parameters = {
  rules: wordingRules.min(1),
  /** What the rules find, for a person. */
  about: plain(z.string().min(3)).optional(),
  decides: z.literal(true).optional(),
  tolerated: share.default(0),
  /** Only demands of these types, where there are any. */
  types: artifactTypes.optional(),
};
type Check = CheckParameters<typeof parameters>;

export const wording = defineCheck('wording', parameters, checkWording);

const QUOTES = 4;
const WORDS_SHOWN = 40;

/**
 * No demand under inspection is worded as one of the rules of domain G finds. What a rule finds is a fail; where it finds
 * nothing, the rest of the question is a person's, unless the rules see all of it (`decides`).
 */
function checkWording(check: Check, context: ItemContext): Outcome {
  const demands = inspectedDemands(context, check.types);
  if (demands.length === 0) {
    return outcome('missing', 'medium', {
      rules: ['no-requirement'],
      reason: say('checks.no-requirement-was-found-in-the'),
      terms: ['requirement'],
    });
  }
  const told = demands.map((artifact) => demandText(artifact, context));
  const { requirements } = assessRequirements(
    demands.map(({ id, asil }, at) => ({
      id,
      text: told[at]!.text,
      ...(asil === undefined ? {} : { asil }),
      fieldsChecked: true,
    })),
    context.options.requirementQuality,
  );
  const rated = demands.map((artifact, at) => ({
    artifact,
    demand: told[at]!,
    hits: requirements[at]!.hits.filter((hit) => check.rules.includes(hit.rule)),
  }));
  const bad = rated.filter(({ hits }) => hits.length > 0);
  const isFine = bad.length * 100 <= rated.length * check.tolerated;
  const shown = isFine && bad.length === 0 ? rated.slice(0, QUOTES - 1) : bad.slice(0, QUOTES);
  const what = check.about ?? say('checks.another-form');
  return outcome(
    isFine ? (check.decides ? 'pass' : 'open') : 'fail',
    // A word is a reason to look; whether the demand is bad for it a person says.
    check.decides ? 'medium' : 'low',
    {
      rules:
        bad.length > 0
          ? [...new Set(bad.flatMap(({ hits }) => hits.map(({ rule }) => rule)))].sort()
          : ['wording'],
      reason:
        bad.length === 0
          ? say('checks.the-wording-of-requirements-was-looked', { rated: rated.length, what })
          : say('checks.requirements-with-such-words', {
              bad: bad.length,
              rated: rated.length,
              what,
              named: bad.slice(0, QUOTES).map(({ artifact }) => artifact.id),
            }),
      evidence: shown.flatMap(({ artifact, demand, hits: [hit] }) => {
        const said = hit && `"${demand.text.slice(hit.start, Math.min(hit.end, hit.start + WORDS_SHOWN))}"`;
        return quoteArtifact(context.corpus, artifact, {
          role: !hit ? 'support' : isFine ? 'context' : 'counter',
          note: hit
            ? say('checks.finding-with-words', {
                id: artifact.id,
                finding: qualityWords().rules.get(hit.rule)!.finding,
                said,
              })
            : artifact.id,
          ...(demand.at ? { at: demand.at } : {}),
        });
      }),
      instances: { met: rated.length - bad.length, total: rated.length },
      affected: bad.map(({ artifact }) => artifact.id),
    },
  );
}
