import type { Configuration } from '../configuration/configuration.js';
import type { Caller } from '../identity/callers.js';

/** Answered as 402 `{detail}`: the one error outside the envelope, as the specification has it. */
export class PaymentRequired extends Error {
  override readonly name = 'PaymentRequired';
}

/** Throws 402 when billing is on and the caller has no active subscription. */
export function passGate(configuration: Configuration, caller: Caller): void {
  if (!configuration.billing || caller.subscription.active) return;
  throw new PaymentRequired(
    'An active subscription is needed for this. Call POST /auth/sync to activate the free plan, or choose a plan.',
  );
}
