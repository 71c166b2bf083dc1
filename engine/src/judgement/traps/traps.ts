import { roleTrap } from './t01-role.js';
import { negationTrap } from './t02-negation.js';
import { intentTrap } from './t03-intent.js';
import { genericTrap } from './t07-generic.js';
import { senseTrap } from './t09-senses.js';
import { conditionalTrap } from './t10-conditional.js';
import { claimedTrap } from './t12-claimed.js';
import { exampleTrap } from './t15-example.js';
import { instructionTrap } from './t16-instruction.js';
import type { Mention, Trap, TrapHit } from './trap.js';

/**
 * The traps that one sentence can show, in the order in which they decide. T4 and T6 need the documents around
 * it, T5 and T13 compare places, T14 looks at sections: they stand elsewhere.
 */
const TRAPS: readonly Trap[] = [
  roleTrap,
  instructionTrap,
  senseTrap,
  exampleTrap,
  genericTrap,
  conditionalTrap,
  negationTrap,
  intentTrap,
  claimedTrap,
];

/** Why a mention is no evidence; undefined when it states something about the item. */
export function trapOf(mention: Mention): TrapHit | undefined {
  for (const trap of TRAPS) {
    const hit = trap(mention);
    if (hit) return hit;
  }
  return undefined;
}
