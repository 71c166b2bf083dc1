/** Plans that are bought; the free one is not. */
export const PAID_PLANS = ['pro', 'consultant'] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];

/** What a purchase is about. */
export interface CheckoutRequest {
  readonly plan: PaidPlan;
  /** Of the payer; unset: the checkout page asks for it. */
  readonly email?: string | undefined;
  /** The profile that gets the plan, when the payer is signed in. */
  readonly userId?: string | undefined;
  /** Where the payer comes back to; `{CHECKOUT_SESSION_ID}` in it becomes the id of the session. */
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** At most 255 characters. The same key with the same request gives the same session within a day. */
  readonly idempotencyKey?: string | undefined;
}

/** A session that was made, and the address of its page. */
export interface CreatedCheckout {
  readonly id: string;
  readonly url: string;
  /** Made by an earlier request with the same key. */
  readonly isReplayed: boolean;
}

export interface CheckoutSession {
  readonly id: string;
  readonly status: 'open' | 'complete' | 'expired';
  readonly plan: PaidPlan;
  readonly email: string | undefined;
  readonly userId: string | undefined;
}

/**
 * Who takes the money. What was paid is told by signed events at the webhook, never by these calls. Both throw
 * `SERVICE_UNAVAILABLE` when the provider cannot be asked.
 */
export interface PaymentProvider {
  readonly kind: 'local' | 'stripe';
  /** Headers in which the provider's signature may stand, in lower case. */
  readonly signatureHeaders: readonly string[];
  /** Secrets that sign its events; several while one replaces another. Never empty. */
  webhookSecrets(): Promise<readonly string[]>;
  /** Throws 422 for a key that was used for another request, 409 when no purchase is possible here. */
  createSession(request: CheckoutRequest): Promise<CreatedCheckout>;
  /**
   * The address of the page on which a customer sees and ends a subscription; undefined where there is none for this one.
   * Throws `SERVICE_UNAVAILABLE` like the others.
   */
  portal?(about: {
    readonly subscription: string;
    readonly customer: string | undefined;
    readonly returnUrl: string;
  }): Promise<string | undefined>;
  /** Undefined: no such session of ours. */
  findSession(id: string): Promise<CheckoutSession | undefined>;
}
