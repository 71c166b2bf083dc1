import { z } from 'zod';
import type { Cell } from '../../../documents/document.js';
import { extractionWords } from '../../../facts/artifacts/extraction-words.js';
import type { ExtractedArtifact } from '../../../facts/artifacts/statement.js';
import { english } from '../../../sentences/render.js';
import { say } from '../../../sentences/sentence.js';
import { compactTitle, type LinkRole } from '../../../words/column-titles.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { allDemands, attributesOf, inspectedDemands, inspectionWords } from '../inspected.js';
import { noArtifact, shareOutcome } from '../instances.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes } from '../parameters.js';
import { quoteArtifact } from '../quotes.js';

/**
 * Every demand under inspection (or every element of the design) has a link of the kind, also where its other end is not
 * among the documents.
 */
const parameters = {
  of: z.enum(['requirements', 'design']).default('requirements'),
  to: z.enum(['parent', 'child', 'design', 'test']),
  types: artifactTypes.optional(),
};
type Check = CheckParameters<typeof parameters>;

export const linked = defineCheck('linked', parameters, checkLinked);

/** Titles of columns and keys that state such a link, where its other end is not among the documents. */
const ROLES: Readonly<Record<Check['to'], readonly LinkRole[]>> = {
  parent: ['up'],
  child: ['down', 'decomposition', 'implementation'],
  design: ['allocation', 'implementation'],
  test: ['verification'],
};
const TARGETS: Readonly<Record<Check['to'], RegExp>> = {
  parent: /requirement$|_goal$|^hazardous_event$|^unknown$/,
  child: /requirement$|^design$/,
  design: /^design$/,
  test: /^test$|^evidence$/,
};

/**
 * Every demand under inspection has such a link. One that names something outside of the documents is stated, but whether
 * it is right cannot be seen here. That a link exists does not show that it is right: a person confirms.
 */
function checkLinked(check: Check, context: ItemContext): Outcome {
  const demands = check.of === 'design' ? context.trace.ofTypes(['design']) : demandsFor(check, context);
  if (demands.length === 0) {
    return noArtifact(
      check.of === 'design' ? ['design'] : ['software_requirement', 'technical_safety_requirement'],
      context,
    );
  }
  const rated = demands.map((artifact) => ({ artifact, state: stateOf(artifact, check, context) }));
  const absent = rated.filter(({ state }) => state === 'absent');
  const outside = rated.filter(({ state }) => state === 'outside');
  const shared = {
    context,
    filled: 100,
    rule: `linked-${check.to}`,
    what: say(`checks.link-${check.to}`),
    place: (artifact: ExtractedArtifact) => statedIn(artifact, check, context),
  };
  if (absent.length === rated.length) {
    // Nobody keeps such links in these documents; they may be kept elsewhere.
    return outcome('missing', 'low', {
      rules: [shared.rule],
      reason: say('checks.none-has-in-these-documents', { rated: rated.length, what: shared.what }),
      terms: [english(shared.what)],
    });
  }
  // The lowest elements of a design lead no further.
  if (absent.length > 0 && check.of === 'requirements') {
    return shareOutcome(
      rated.map(({ artifact, state }) => ({ artifact, met: state !== 'absent' })),
      { ...shared, confidence: 'medium' },
    );
  }
  if (outside.length > 0) {
    return outcome('open', 'low', {
      rules: [shared.rule, 'other-end-not-given'],
      reason: say('checks.links-lead-outside', {
        linked: rated.length - absent.length,
        rated: rated.length,
        what: shared.what,
        outside: outside.length,
      }),
      evidence: outside.slice(0, 3).flatMap(({ artifact }) =>
        quoteArtifact(context.corpus, artifact, {
          role: 'support',
          note: artifact.id,
          at: statedIn(artifact, check, context)!,
        }),
      ),
      instances: { met: rated.length - absent.length, total: rated.length },
    });
  }
  return shareOutcome(
    rated.filter(({ state }) => state !== 'absent').map(({ artifact }) => ({ artifact, met: true })),
    { ...shared, confidence: 'low' },
  );
}

/**
 * Demands under inspection; of an architecture those of the documents that it refers to, which may be a level above. What
 * has no known type (an assumption on the user, for example) need not be linked.
 */
function demandsFor(check: Check, context: ItemContext): readonly ExtractedArtifact[] {
  const typed = (list: readonly ExtractedArtifact[]) => list.filter(({ type }) => type !== 'unknown');
  const isLinked = (one: ExtractedArtifact) => stateOf(one, check, context) !== 'absent';
  const inspected = typed(inspectedDemands(context, check.types));
  if (check.types || check.to !== 'design' || inspected.some(isLinked)) return inspected;
  const all = typed(allDemands(context));
  const referred = new Set(all.filter(isLinked).map(({ documentId }) => documentId));
  return referred.size === 0 ? inspected : all.filter(({ documentId }) => referred.has(documentId));
}

function stateOf(
  artifact: ExtractedArtifact,
  { to }: Check,
  context: ItemContext,
): 'linked' | 'outside' | 'absent' {
  const { trace } = context;
  const neighbours = (to === 'parent' ? trace.up : trace.down).get(artifact.id) ?? [];
  if (neighbours.some(({ type }) => TARGETS[to].test(type))) return 'linked';
  return statedIn(artifact, { to }, context) ? 'outside' : 'absent';
}

/** The cell in which the artifact itself states such a link. */
function statedIn(
  artifact: ExtractedArtifact,
  { to }: Pick<Check, 'to'>,
  context: ItemContext,
): Cell | undefined {
  const { columns } = extractionWords();
  const parts = to === 'child' && artifact.type === 'design' ? inspectionWords().parts.map(compactTitle) : [];
  const stated = [...attributesOf(artifact, context)].find(([title, cell]) => {
    const role = columns.get(title)?.link;
    const isLink = parts.includes(title) || (role !== undefined && ROLES[to].includes(role));
    return isLink && /[\p{L}\p{N}]/u.test(cell.text);
  });
  return stated?.[1];
}
