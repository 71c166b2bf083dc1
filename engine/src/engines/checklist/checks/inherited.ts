import { z } from 'zod';
import { isFilled } from '../../../corpus/placeholders/emptiness.js';
import type { Cell } from '../../../documents/document.js';
import type { ExtractedArtifact } from '../../../facts/artifacts/statement.js';
import { type Sentence, say } from '../../../sentences/sentence.js';
import { plainValue } from '../../../text/plain-value.js';
import { compactTitle } from '../../../words/column-titles.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { attributesOf, inspectedDemands, inspectionWords } from '../inspected.js';
import { shareOutcome } from '../instances.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes } from '../parameters.js';

/** Every demand under inspection has the attribute, and none has less than what it refines. */
const parameters = { attribute: z.enum(['safety', 'security']), types: artifactTypes.optional() };
type Check = CheckParameters<typeof parameters>;

export const inherited = defineCheck('inherited', parameters, checkInherited);

/** Kinds of gap about a level that is lower than that of the source (domain E.6). */
const TOO_LOW: ReadonlySet<string> = new Set(['AI-02', 'AI-03', 'AI-04', 'AI-10']);

/**
 * Every demand under inspection has the attribute, and none has less than what it refines: a level that is too low, or
 * "no" below a "yes". Whether the value is right where nothing is above it, is a person's question.
 */
function checkInherited({ attribute, types }: Check, context: ItemContext): Outcome {
  const { titles, inherited } = inspectionWords().attributes[attribute];
  const keys = titles.map(compactTitle);
  const cellFor = (artifact: ExtractedArtifact): Cell | undefined => {
    const attributes = attributesOf(artifact, context);
    const cell = keys.map((key) => attributes.get(key)).find((one) => one !== undefined);
    return cell && isFilled(cell.text) ? cell : undefined;
  };
  const demands = inspectedDemands(context, types);
  const rated = demands.map((artifact) => ({ artifact, cell: cellFor(artifact) }));
  const unset = rated.filter(({ artifact, cell }) => !cell && !(attribute === 'safety' && artifact.asil));
  const rule = `${attribute}-attribute`;
  if (demands.length === 0 || unset.length === demands.length) {
    return outcome('missing', 'medium', {
      rules: [rule],
      reason: say('checks.none-of-requirements-has-an-attribute', { demands: demands.length, attribute }),
      terms: titles.slice(0, 5),
    });
  }
  const wanted = new Set(inherited.map(plainValue));
  const isYes = (cell: Cell | undefined) => cell !== undefined && wanted.has(plainValue(cell.text));
  const above = (artifact: ExtractedArtifact) =>
    (context.trace.up.get(artifact.id) ?? []).flatMap(({ id }) => context.trace.byId.get(id) ?? []);
  const tooLow = rated.filter(({ artifact, cell }) => {
    if (attribute === 'safety')
      return (context.trace.gaps.get(artifact.id) ?? []).some(({ kind }) => TOO_LOW.has(kind));
    return cell !== undefined && !isYes(cell) && above(artifact).some((one) => isYes(cellFor(one)));
  });
  const bad = new Set([...unset, ...tooLow].map(({ artifact }) => artifact));
  const notes = new Map<string, Sentence>([
    ...unset.map(({ artifact }) => [artifact.id, say('checks.has-no-value', { id: artifact.id })] as const),
    ...tooLow.map(({ artifact }) => [artifact.id, say('checks.has-less', { id: artifact.id })] as const),
  ]);
  const cells = new Map(rated.map(({ artifact, cell }) => [artifact, cell]));
  const rooted = demands.some((artifact) => above(artifact).length > 0);
  return shareOutcome(
    rated.map(({ artifact }) => ({ artifact, met: !bad.has(artifact) })),
    {
      context,
      filled: 100,
      rule,
      what: say('checks.a-value-not-below', { attribute }),
      place: (artifact) => cells.get(artifact) ?? artifact.asilPlace,
      confidence: bad.size > 0 ? 'medium' : rooted ? 'medium' : 'low',
      notes,
    },
  );
}
