import { z } from 'zod';
import { say } from '../../sentences/sentence.js';
import { readWords } from '../../words/read-words.js';
import type { Trap } from './trap.js';

const schema = z.strictObject({
  openings: z.string(),
  aboutUse: z.string(),
  aboutUseEnd: z.string(),
  wholeSentence: z.string(),
});

let compiled: { opening: RegExp; aboutUse: RegExp; wholeSentence: RegExp } | undefined;

/**
 * T10: "if decomposition is used, …" does not say that it is used. A requirement that begins with a condition
 * ("If the torque exceeds 3 Nm, the ECU shall enter the safe state") states its main clause all the same.
 */
export const conditionalTrap: Trap = ({ sentence, start, end }) => {
  if (!compiled) {
    const words = readWords('conditional', schema);
    compiled = {
      opening: new RegExp(`(?:^|[,;:(]\\s*|\\s)(${words.openings})\\s`, 'giu'),
      aboutUse: new RegExp(`${words.aboutUse}|${words.aboutUseEnd}`, 'iu'),
      wholeSentence: new RegExp(words.wholeSentence, 'iu'),
    };
  }
  const hit = {
    trap: 'T10',
    rule: 'T10-conditional',
    effect: 'ignored',
    note: say('verdicts.it-stands-under-a-condition-that'),
  } as const;
  if (compiled.wholeSentence.test(sentence)) return hit;
  for (const opening of sentence.matchAll(compiled.opening)) {
    const from = opening.index;
    const comma = sentence.slice(from + opening[0].length).search(/[,;]|\sthen\s|\sdann\s/);
    const to = comma < 0 ? sentence.length : from + opening[0].length + comma;
    const holdsMention = from <= start && end <= to;
    if (holdsMention && compiled.aboutUse.test(sentence.slice(end, to))) return hit;
  }
  return undefined;
};
