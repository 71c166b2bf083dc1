import { openRoute, plainRoute, type Route } from '../../platform/http/route.js';
import { beginCheckout, readSession } from './checkout.service.js';
import {
  Checkout,
  NewCheckout,
  NewPortal,
  PaymentEvent,
  Portal,
  Received,
  SessionInfo,
  SessionParams,
  Subscription,
} from './payments.schemas.js';
import { openPortal, readSubscription } from './subscription.service.js';
import { receiveEvent } from './webhook.service.js';

const common = { tag: 'Payments', gate: 'open' } as const;
const because = 'Somebody may pay before they sign up.';
const sessionId = 'cs_local_2Ezx8cJ5mQ1vN7kTzH0bW4yR6uD3sLpA';
const origin = 'https://normtrace.example.org';

const postCheckout = openRoute({
  ...common,
  operation: 'createCheckoutSession',
  method: 'POST',
  path: '/payments/create-checkout-session',
  summary: 'Begin a purchase',
  description:
    'Makes a checkout session for a paid plan; send the payer to `url`. Needs no token; with one, the plan goes to ' +
    'the profile of the caller, else to the one with the email address of the payer.',
  because,
  idempotent: true,
  body: NewCheckout,
  answer: Checkout,
  errors: ['CONFLICT'],
  examples: {
    body: {
      plan: 'pro',
      email: 'jo@example.org',
      success_url: `${origin}/paid?session={CHECKOUT_SESSION_ID}`,
      cancel_url: `${origin}/plans`,
    },
    answer: { session_id: sessionId, url: `${origin}/checkout/${sessionId}` },
  },
  handle: (context) => beginCheckout(context, context.body),
});

const getSession = openRoute({
  ...common,
  operation: 'getSessionInfo',
  method: 'GET',
  path: '/payments/session-info/:session_id',
  summary: 'Read a purchase',
  description:
    'For the page after the payment. The email address is masked unless its owner asks, with a token.',
  because,
  params: SessionParams,
  answer: SessionInfo,
  errors: ['NOT_FOUND'],
  examples: {
    params: { session_id: sessionId },
    answer: {
      session_id: sessionId,
      status: 'completed',
      plan: 'pro',
      customer_email: 'j***@example.org',
      paid_at: '2026-01-31T09:30:00.000Z',
    },
  },
  handle: (context) => readSession(context, context.params.session_id),
});

const postWebhook = openRoute({
  ...common,
  operation: 'receivePaymentEvent',
  method: 'POST',
  path: '/payments/webhook',
  summary: 'Receive a callback of the payment provider',
  description:
    'Needs the header `Payment-Signature: t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`, made with ' +
    'PAYMENT_WEBHOOK_SECRET over the bytes of the body and not older than 300 seconds; anything else is 400 with ' +
    '`details.reason`. `checkout.session.completed` activates the plan in `metadata.plan`; ' +
    '`customer.subscription.deleted` ends it. Other kinds are noted. Each event counts once, and of two about the ' +
    'same subscription the one that was created later.',
  because: 'The signature is the proof.',
  rawBody: true,
  body: PaymentEvent,
  answer: Received,
  examples: {
    body: {
      id: 'evt_1',
      type: 'checkout.session.completed',
      created: 1_769_851_800,
      data: {
        object: {
          id: sessionId,
          customer: 'cus_1',
          subscription: 'sub_1',
          customer_email: 'jo@example.org',
          metadata: { plan: 'pro' },
        },
      },
    },
    answer: { received: true },
  },
  handle: receiveEvent,
});

const self = {
  ...common,
  permission: 'profile.self',
  within: 'installation',
  person: true,
} as const;

const getSubscription = plainRoute({
  ...self,
  operation: 'getSubscription',
  method: 'GET',
  path: '/payments/subscription',
  summary: 'Read one’s own subscription',
  description: 'The plan of the caller, what it allows and how much of that is used.',
  answer: Subscription,
  examples: {
    answer: {
      billing: true,
      status: 'active',
      plan: 'pro',
      began_at: '2026-01-31T09:30:00.000Z',
      manageable: true,
      usage: { workspaces: 3, analyses: 41 },
      limits: { workspaces: 10, analyses_a_month: null },
      counts_again_at: '2026-03-01T00:00:00.000Z',
    },
  },
  handle: readSubscription,
});

const postPortal = plainRoute({
  ...self,
  operation: 'createPortalSession',
  method: 'POST',
  path: '/payments/create-portal-session',
  summary: 'Go to the page of what was bought',
  description:
    'The address of the page on which the payment provider shows what the caller has bought, and ends it; send the person ' +
    'there. 409 where nothing was bought.',
  body: NewPortal,
  answer: Portal,
  errors: ['CONFLICT'],
  examples: {
    body: { return_url: `${origin}/me/subscription` },
    answer: { url: `${origin}/checkout/${sessionId}` },
  },
  handle: (context) => openPortal(context, context.body),
});

export const paymentRoutes: readonly Route[] = [
  postCheckout,
  getSession,
  getSubscription,
  postPortal,
  postWebhook,
];
