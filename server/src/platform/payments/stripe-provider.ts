import type { Logger } from 'pino';
import Stripe from 'stripe';
import type { Configuration } from '../configuration/configuration.js';
import { ApiError, invalid } from '../http/api-error.js';
import { keyReused } from '../http/idempotency.js';
import {
  type CheckoutRequest,
  type CheckoutSession,
  PAID_PLANS,
  type PaidPlan,
  type PaymentProvider,
} from './payment-provider.js';

type StripeSettings = Extract<Configuration['payments'], { kind: 'stripe' }>;

const STATES: readonly CheckoutSession['status'][] = ['open', 'complete', 'expired'];
const TIMEOUT_MILLISECONDS = 15_000;
const RETRIES = 2;

/** Stripe through its own client. Its webhook signs in the same form as ours, in a header of another name. */
export function createStripeProvider(
  settings: StripeSettings,
  webhookSecrets: readonly string[],
  log: Logger,
): PaymentProvider {
  const { protocol, hostname, port } = new URL(settings.apiBase);
  const stripe = new Stripe(settings.secretKey, {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    timeout: TIMEOUT_MILLISECONDS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    appInfo: { name: 'Normtrace' },
  });
  return {
    kind: 'stripe',
    signatureHeaders: ['payment-signature', 'stripe-signature'],
    webhookSecrets: async () => webhookSecrets,
    async createSession(request) {
      const { idempotencyKey } = request;
      const session = await stripe.checkout.sessions
        .create(paramsOf(request, settings.prices), idempotencyKey === undefined ? {} : { idempotencyKey })
        .catch((error: unknown) => {
          throw translated(error, log);
        });
      if (!session.url) throw unavailable();
      const isReplayed = session.lastResponse.headers['idempotent-replayed'] === 'true';
      return { id: session.id, url: session.url, isReplayed };
    },
    async portal({ customer, returnUrl }) {
      if (customer === undefined) return undefined;
      const session = await stripe.billingPortal.sessions
        .create({ customer, return_url: returnUrl })
        .catch((error: unknown) => {
          throw translated(error, log);
        });
      return session.url;
    },
    async findSession(id) {
      const session = await stripe.checkout.sessions.retrieve(id).catch((error: unknown) => {
        if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
          return undefined;
        throw translated(error, log);
      });
      return session && toSession(session);
    },
  };
}

/** The metadata carry the plan through Stripe: the events bring it back. */
const paramsOf = (
  { plan, email, userId, successUrl, cancelUrl }: CheckoutRequest,
  prices: StripeSettings['prices'],
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'subscription',
  line_items: [{ price: prices[plan], quantity: 1 }],
  success_url: successUrl,
  cancel_url: cancelUrl,
  metadata: { plan },
  subscription_data: { metadata: { plan } },
  ...(email === undefined ? {} : { customer_email: email }),
  ...(userId === undefined ? {} : { client_reference_id: userId }),
});

/** Undefined for a session that something else of the same account made. */
function toSession(session: Stripe.Checkout.Session): CheckoutSession | undefined {
  const plan = session.metadata?.plan;
  if (!isPaidPlan(plan)) return undefined;
  return {
    id: session.id,
    status: STATES.find((state) => state === session.status) ?? 'open',
    plan,
    email: session.customer_details?.email ?? session.customer_email ?? undefined,
    userId: session.client_reference_id ?? undefined,
  };
}

const isPaidPlan = (plan: string | undefined): plan is PaidPlan =>
  (PAID_PLANS as readonly (string | undefined)[]).includes(plan);

/** In our own words: what Stripe says may name keys and prices of the account, so it goes to the log alone. */
function translated(error: unknown, log: Logger): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  if (error instanceof Stripe.errors.StripeIdempotencyError) return keyReused();
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'customer_email') {
    return invalid('body.email', 'The payment provider does not accept this email address.');
  }
  log.error(
    {
      type: error.type,
      code: error.code,
      param: error.param,
      status: error.statusCode,
      providerRequest: error.requestId,
    },
    'the payment provider refused a request',
  );
  return unavailable();
}

const unavailable = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', 'The payment provider cannot be asked at the moment. Try again later.');
