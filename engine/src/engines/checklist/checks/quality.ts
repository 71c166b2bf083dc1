import { z } from 'zod';
import { isWithin } from '../../../corpus/corpus.js';
import { quote } from '../../../corpus/evidence.js';
import type { ExtractedArtifact } from '../../../facts/artifacts/statement.js';
import { assessRequirements } from '../../../requirement-quality/requirement-quality.js';
import { say } from '../../../sentences/sentence.js';
import { qualityWords } from '../../../words/quality-words.js';
import { type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes, documentTypes, share, wordingRules } from '../parameters.js';

/** Wording rules of domain G: at most `share` percent of the requirements with a hit of at least `least`. */
const parameters = {
  in: documentTypes,
  /** Also artifacts of these types, wherever they stand. */
  of: artifactTypes.optional(),
  share: share.default(5),
  least: z.enum(['low', 'medium', 'high']).default('medium'),
  rules: wordingRules.optional(),
};
type Check = CheckParameters<typeof parameters>;

export const quality = defineCheck('quality', parameters, checkQuality);

const ORDER = ['low', 'medium', 'high'];
const QUOTES = 4;

function checkQuality(check: Check, context: ItemContext): Outcome {
  const parts = partsFor(context, check.in);
  const requirements = context
    .requirements()
    .filter(({ id, passage }) => isWithin(parts, passage) || isOfType(check.of, context.trace.byId.get(id)));
  if (requirements.length === 0) {
    return outcome('missing', parts.length > 0 ? 'medium' : 'high', {
      rules: ['no-requirement'],
      reason: say('checks.no-requirement-was-found-in-a', { in: namesOfTypes(context, check.in) }),
      terms: ['requirement'],
    });
  }
  const assessed = assessRequirements(requirements, context.options.requirementQuality).requirements;
  const hits = requirements.map((requirement, at) => ({
    requirement,
    hits: assessed[at]!.hits.filter(
      (hit) =>
        ORDER.indexOf(hit.severity) >= ORDER.indexOf(check.least) &&
        (check.rules?.includes(hit.rule) ?? true),
    ),
  }));
  const bad = hits.filter((one) => one.hits.length > 0);
  const percent = Math.round((bad.length * 1000) / requirements.length) / 10;
  const instances = { met: requirements.length - bad.length, total: requirements.length };
  const isFine = bad.length * 100 <= requirements.length * check.share;
  const shown = (isFine ? hits.filter((one) => one.hits.length === 0) : bad).slice(0, QUOTES);
  return outcome(isFine ? 'pass' : 'fail', 'medium', {
    rules: isFine ? ['wording'] : [...new Set(bad.flatMap((one) => one.hits.map((hit) => hit.rule)))].sort(),
    reason: say('checks.of-requirements-have-a-wording-that', {
      bad: bad.length,
      requirements: requirements.length,
      percent,
      share: check.share,
    }),
    evidence: shown.map(({ requirement, hits: own }) => {
      const { document, passage, start, end } = requirement;
      const [hit] = own;
      const note = hit
        ? say('checks.finding-of-requirement', {
            id: requirement.id,
            finding: qualityWords().rules.get(hit.rule)!.finding,
          })
        : requirement.id;
      const focus = hit ? { focus: { start: start + hit.start, end: start + hit.end } } : {};
      return quote(
        document.read.document,
        passage,
        { start, end },
        { role: isFine ? 'support' : 'counter', note, ...focus },
      );
    }),
    instances,
    affected: bad.map((one) => one.requirement.id),
  });
}

const isOfType = (types: Check['of'], artifact: ExtractedArtifact | undefined): boolean =>
  artifact !== undefined && (types?.includes(artifact.type) ?? false);
