import { isGenericSentence } from '../../corpus/passages/guidance.js';
import { say } from '../../sentences/sentence.js';
import type { Trap } from './trap.js';

/** T7: a rule about documents of this kind in general, as standards and templates state it. */
export const genericTrap: Trap = ({ sentence, plan }) => {
  if (plan || !isGenericSentence(sentence)) return undefined;
  return {
    trap: 'T7',
    rule: 'T7-generic',
    effect: 'ignored',
    note: say('verdicts.it-says-what-such-documents-contain'),
  };
};
