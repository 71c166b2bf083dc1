import { z } from 'zod';
import { Timestamp } from '../../platform/http/schemas.js';
import { PAID_PLANS } from '../../platform/payments/payment-provider.js';
import { PLANS } from './plans.js';

const Plan = z.enum(PAID_PLANS);
const Target = (description: string) => z.url().max(2048).meta({ description });

export const NewCheckout = z
  .strictObject({
    plan: Plan,
    email: z
      .email()
      .max(320)
      .optional()
      .meta({ description: 'Of the payer. Default: that of the access token, or the checkout asks for it.' }),
    success_url: Target(
      'Where the payer goes afterwards; `{CHECKOUT_SESSION_ID}` in it becomes the id of the session. Its origin ' +
        'has to be among ALLOWED_ORIGINS.',
    ).meta({ format: 'uri-template' }),
    cancel_url: Target('Where the payer goes without paying. Its origin has to be among ALLOWED_ORIGINS.'),
  })
  .meta({ id: 'NewCheckout' });

export const Checkout = z
  .object({
    session_id: z.string(),
    url: z.url().meta({ description: 'The page of the checkout: send the payer there.' }),
  })
  .meta({ id: 'Checkout', description: 'A purchase that was begun.' });

export const SessionParams = z.strictObject({
  session_id: z.string().regex(/^[A-Za-z0-9_-]{1,255}$/, 'Not the id of a checkout session.'),
});

export const SessionInfo = z
  .object({
    session_id: z.string(),
    status: z.enum(['open', 'completed', 'expired']),
    plan: Plan,
    customer_email: z
      .string()
      .nullable()
      .meta({ description: 'In full for its owner, else masked (`j***@example.org`).' }),
    paid_at: Timestamp.nullable().meta({ description: 'Null until the provider has confirmed the payment.' }),
  })
  .meta({ id: 'SessionInfo', description: 'Where a purchase stands.' });

const used = (description: string) => z.int().meta({ description });
const limit = (description: string) => z.int().nullable().meta({ description });

export const Subscription = z
  .object({
    billing: z
      .boolean()
      .meta({ description: 'False: this installation limits nothing, whatever stands here.' }),
    status: z.enum(['active', 'inactive']).meta({ description: 'Whether the caller has a plan in force.' }),
    plan: z.enum(PLANS).nullable().meta({ description: 'The plan in force; null: none.' }),
    began_at: Timestamp.nullable().meta({
      description: 'When what was bought came into force; null: nothing was bought.',
    }),
    manageable: z.boolean().meta({
      description:
        'A page of the payment provider shows it and ends it: `POST /payments/create-portal-session`.',
    }),
    usage: z
      .object({
        workspaces: used('Workspaces that the caller owns.'),
        analyses: used('Analyses that the caller has started in this calendar month (UTC).'),
      })
      .meta({ description: 'What of the plan is used.' }),
    limits: z
      .object({
        workspaces: limit('Workspaces that the caller may own; null: no limit.'),
        analyses_a_month: limit('Analyses that the caller may start in a month; null: no limit.'),
      })
      .meta({ description: 'What the plan allows; without one, what the free one does.' }),
    counts_again_at: Timestamp.meta({ description: 'When the analyses of a new month begin to count.' }),
  })
  .meta({ id: 'Subscription', description: 'What the caller has bought, and how much of it is used.' });

export const NewPortal = z
  .strictObject({
    return_url: Target('Where the person comes back to. Its origin has to be among ALLOWED_ORIGINS.'),
  })
  .meta({ id: 'NewPortal' });

export const Portal = z
  .object({ url: z.url().meta({ description: 'The page of the provider: send the person there.' }) })
  .meta({ id: 'Portal', description: 'Where somebody sees and ends what they have bought.' });

/** What every event has, of whatever kind. */
export const AnyEvent = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255).meta({ description: '`checkout.session.completed`, …' }),
});

/** The form of Stripe's events; of its many fields those that count here. */
export const PaymentEvent = AnyEvent.extend({
  created: z.int().min(0).max(253_402_300_799).meta({ description: 'Unix seconds' }),
  data: z.looseObject({ object: z.record(z.string(), z.unknown()) }),
}).meta({ id: 'PaymentEvent', description: 'A signed callback of the payment provider.' });
export type PaymentEvent = z.infer<typeof PaymentEvent>;

const name = z.string().min(1).max(255).nullish();

/** `data.object` of a completed checkout. */
export const CompletedCheckout = z.object({
  id: z.string().min(1).max(255),
  customer: name,
  subscription: name,
  client_reference_id: z.string().nullish(),
  customer_email: z.string().nullish(),
  customer_details: z.object({ email: z.string().nullish() }).nullish(),
  payment_status: z.string().nullish(),
  metadata: z.object({ plan: Plan }),
});

/** `data.object` of a subscription that has ended. */
export const EndedSubscription = z.object({ id: z.string().min(1).max(255), customer: name });

export const Received = z.object({ received: z.literal(true) }).meta({ id: 'Received' });
