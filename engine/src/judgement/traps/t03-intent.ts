import { z } from 'zod';
import type { ArtifactType } from '../../facts/artifacts/artifact.js';
import { extractionWords } from '../../facts/artifacts/extraction-words.js';
import { idsInText } from '../../facts/artifacts/id-forms.js';
import { typeOfId } from '../../facts/artifacts/infer-type.js';
import { say } from '../../sentences/sentence.js';
import { anyOf, listSchema, readWords } from '../../words/read-words.js';
import { clauseAround } from './clause.js';
import type { Mention, Trap } from './trap.js';

const schema = z.strictObject({ workVerbs: z.string(), patterns: listSchema, done: listSchema });

let compiled: { intent: RegExp; done: RegExp } | undefined;

/**
 * T3: announced, not done. Where a plan is demanded an announcement is the right thing. "The driver will be
 * warned" tells what the item does and is none.
 */
export const intentTrap: Trap = (mention) => {
  if (mention.plan) return undefined;
  if (!compiled) {
    const words = readWords('intent', schema);
    const fill = (patterns: readonly string[]) =>
      anyOf(patterns.map((pattern) => pattern.replaceAll('{work}', words.workVerbs)));
    compiled = { intent: fill(words.patterns), done: fill(words.done) };
  }
  const clause = clauseAround(mention);
  const text = clause.before + clause.words + clause.after;
  if (!compiled.intent.test(text) || compiled.done.test(text) || isOfRequirement(mention)) return undefined;
  return {
    trap: 'T3',
    rule: 'T3-intent',
    effect: 'counter',
    note: say('verdicts.announced-for-later'),
  };
};

/** The row of a requirement: what "shall be conducted at every start" there is a demand on the item, no plan of the project. */
function isOfRequirement({ row }: Mention): boolean {
  if (!row) return false;
  const [first] = idsInText(row.text);
  const type = first?.start === 0 ? typeOfId(first.id, extractionWords()) : undefined;
  return type !== undefined && REQUIREMENTS.has(type);
}

const REQUIREMENTS: ReadonlySet<ArtifactType> = new Set<ArtifactType>([
  ...(['functional_safety_requirement', 'technical_safety_requirement', 'hardware_requirement'] as const),
  ...(['software_requirement', 'cybersecurity_requirement'] as const),
]);
