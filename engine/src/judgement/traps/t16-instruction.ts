import { say } from '../../sentences/sentence.js';
import { embeddedInstruction } from '../../text/embedded-instruction.js';
import type { Trap } from './trap.js';

/** T16: text that orders a verdict is content like any other, and no evidence. */
export const instructionTrap: Trap = ({ sentence }) => {
  if (!embeddedInstruction(sentence)) return undefined;
  return {
    trap: 'T16',
    rule: 'T16-embedded-instruction',
    effect: 'ignored',
    note: say('verdicts.the-sentence-gives-orders-to-whoever'),
  };
};
