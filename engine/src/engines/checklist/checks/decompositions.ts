import { say } from '../../../sentences/sentence.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes } from '../parameters.js';
import { quoteArtifact } from '../quotes.js';

/** What the artifacts decompose, or are decomposed from, follows a permitted scheme (AI-03 to AI-06, AI-11, AI-16). */
const parameters = { of: artifactTypes };
type Check = CheckParameters<typeof parameters>;

export const decompositions = defineCheck('decompositions', parameters, checkDecompositions);

const KINDS: ReadonlySet<string> = new Set(['AI-03', 'AI-04', 'AI-05', 'AI-06', 'AI-11', 'AI-16']);
const QUOTES = 4;

/**
 * Decompositions that the artifacts take part in follow a permitted scheme. Such gaps stand at the parent and name its parts; parts
 * of other types are another list's business.
 */
function checkDecompositions({ of }: Check, { trace, corpus }: ItemContext): Outcome {
  const own = new Set(trace.ofTypes(of).map((one) => one.id));
  const hits = [...trace.gaps.values()]
    .flat()
    .filter((gap) => KINDS.has(gap.kind) && [gap.artifactId, ...gap.related].some((id) => own.has(id)));
  const parts = hits.filter(
    (gap) => gap.related.some((id) => own.has(id)) || !gap.related.some((id) => trace.byId.has(id)),
  );
  if (parts.length === 0) {
    return outcome('neutral', 'medium', {
      rules: ['no-decomposition-defect'],
      reason: say('checks.no-defect-of-a-decomposition-was'),
    });
  }
  return outcome('fail', 'high', {
    rules: [...new Set(parts.map((gap) => gap.kind))],
    reason: say('checks.description-and-more', {
      description: parts[0]!.said.description,
      more: parts.length - 1,
    }),
    evidence: parts.slice(0, QUOTES).flatMap((gap) =>
      [gap.artifactId, ...gap.related.slice(0, 3)].flatMap((id) => {
        const artifact = trace.byId.get(id);
        return artifact
          ? quoteArtifact(corpus, artifact, {
              role: 'counter',
              note: say('checks.level-of', { id }),
              ...(artifact.asilPlace ? { at: artifact.asilPlace } : {}),
            })
          : [];
      }),
    ),
    affected: [...new Set(parts.flatMap((gap) => gap.related.filter((id) => own.has(id))))],
  });
}
