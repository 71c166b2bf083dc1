import { randomUUID } from 'node:crypto';
import { signPayload } from '../platform/payments/signature.js';
import type { Answer, TestApp } from './test-app.js';

/** An event as the provider sends it, with ids of its own unless told. */
export function completedCheckout(
  about: {
    readonly id?: string;
    readonly created?: number;
    readonly email?: string | null;
    readonly userId?: string;
    readonly customer?: string | null;
    readonly subscription?: string | null;
    readonly plan?: string;
    readonly payment?: string;
    readonly kind?: string;
  } = {},
) {
  const { id = `evt_${randomUUID()}`, created = seconds(), plan = 'pro', payment = 'paid' } = about;
  const { customer = `cus_${randomUUID()}`, subscription = `sub_${randomUUID()}` } = about;
  return {
    id,
    object: 'event',
    type: about.kind ?? 'checkout.session.completed',
    created,
    data: {
      object: {
        id: `cs_${id}`,
        object: 'checkout.session',
        payment_status: payment,
        customer,
        subscription,
        client_reference_id: about.userId ?? null,
        customer_details: { email: about.email ?? null },
        metadata: { plan },
      },
    },
  };
}

export function endedSubscription(about: {
  readonly id?: string;
  readonly created?: number;
  readonly customer?: string;
  readonly subscription: string;
}) {
  const { id = `evt_${randomUUID()}`, created = seconds(), subscription, customer = null } = about;
  const object = { id: subscription, object: 'subscription', customer, status: 'canceled' };
  return { id, object: 'event', type: 'customer.subscription.deleted', created, data: { object } };
}

/** Posts a body to the webhook, rightly signed unless told. */
export function deliver(
  app: TestApp,
  event: object | string,
  {
    secret,
    at = seconds(),
    header,
  }: { readonly secret: string; readonly at?: number; readonly header?: string },
): Promise<Answer> {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  return app.anyone.request('POST', '/api/v1/payments/webhook', {
    body,
    headers: { 'payment-signature': header ?? signPayload(body, secret, at) },
  });
}

export const seconds = (date = new Date()): number => Math.floor(date.getTime() / 1000);
