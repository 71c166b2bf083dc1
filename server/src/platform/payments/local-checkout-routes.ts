import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Dependencies } from '../dependencies.js';
import { PREFIX } from '../http/register-routes.js';
import { type CheckoutView, checkoutPage, notFoundPage, STYLE_HASH } from './local-checkout-page.js';
import { findLocalSession, type LocalSession, markEnded, markPaid, statusOf } from './local-provider.js';
import { signPayload } from './signature.js';

const MAX_FORM_BYTES = 4096;

type Request = FastifyRequest<{ Params: { id: string }; Body: URLSearchParams }>;

/**
 * The pages of the test checkout, outside the API: `GET /checkout/{session}` and its form. Paying signs the event that
 * a provider would send and posts it to the webhook of this service, so that a purchase here takes the same way.
 * Nothing is there (404) with another provider, or where the test checkout is not open.
 */
export async function localCheckoutPages(app: FastifyInstance, dependencies: Dependencies): Promise<void> {
  const { payments } = dependencies.configuration;
  if (payments.kind !== 'local' || !payments.isOpen) return;
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    );
    const options = { schema: { hide: true }, config: { counted: true } } as const;
    scope.get('/checkout/:id', options, (request: Request, reply) => show({ request, reply, dependencies }));
    scope.post('/checkout/:id', options, async (request: Request, reply) => {
      const exchange = { request, reply, dependencies };
      const session = await findLocalSession(dependencies.database, request.params.id);
      const action = request.body?.get('action');
      if (!session || (action !== 'pay' && action !== 'end')) return show(exchange);
      return action === 'pay' ? pay(app, exchange, session) : end(app, exchange, session);
    });
  });
}

interface Exchange {
  readonly request: Request;
  readonly reply: FastifyReply;
  readonly dependencies: Dependencies;
}

async function show(exchange: Exchange, view: Partial<CheckoutView> = {}): Promise<FastifyReply> {
  const { request, reply, dependencies } = exchange;
  const session = await findLocalSession(dependencies.database, request.params.id);
  reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policyFor(session));
  if (!session) return reply.code(404).send(notFoundPage());
  const status = session.ended_at ? 'ended' : statusOf(session, dependencies.clock());
  return reply.send(checkoutPage({ session, status, returnUrl: returnUrl(session), ...view }));
}

async function pay(app: FastifyInstance, exchange: Exchange, session: LocalSession): Promise<FastifyReply> {
  const { request, reply, dependencies } = exchange;
  const now = dependencies.clock();
  const status = statusOf(session, now);
  if (status === 'expired') return show(exchange);
  if (status === 'open') {
    const given = request.body.get('email')?.trim();
    const email = z
      .email()
      .max(320)
      .safeParse(session.email ?? given);
    if (!email.success) {
      reply.code(422);
      return show(exchange, {
        given: given ?? '',
        problem: 'Enter an email address such as jo@example.org.',
      });
    }
    const wasTaken = await post(app, exchange, {
      id: `evt_local_${suffixOf(session)}_paid`,
      type: 'checkout.session.completed',
      object: {
        id: session.id,
        object: 'checkout.session',
        mode: 'subscription',
        status: 'complete',
        payment_status: 'paid',
        client_reference_id: session.client_reference_id,
        customer_email: email.data,
        metadata: { plan: session.plan },
        ...namesOf(session),
      },
    });
    if (!wasTaken) return failed(exchange);
    await markPaid(dependencies.database, session.id, email.data, now);
  }
  return reply.redirect(returnUrl(session), 303);
}

async function end(app: FastifyInstance, exchange: Exchange, session: LocalSession): Promise<FastifyReply> {
  const { reply, dependencies } = exchange;
  if (session.paid_at && !session.ended_at) {
    const { customer, subscription } = namesOf(session);
    const wasTaken = await post(app, exchange, {
      id: `evt_local_${suffixOf(session)}_ended`,
      type: 'customer.subscription.deleted',
      object: { id: subscription, object: 'subscription', customer, status: 'canceled' },
    });
    if (!wasTaken) return failed(exchange);
    await markEnded(dependencies.database, session.id, dependencies.clock());
  }
  return reply.redirect(`/checkout/${session.id}`, 303);
}

/** Posts an event to the webhook as a provider would, in the name of the client, whose requests it counts among. */
async function post(
  app: FastifyInstance,
  { request, dependencies }: Exchange,
  event: { readonly id: string; readonly type: string; readonly object: object },
): Promise<boolean> {
  const created = Math.floor(dependencies.clock().getTime() / 1000);
  const { id, type, object } = event;
  const body = JSON.stringify({ id, object: 'event', type, created, data: { object } });
  const [secret = ''] = await dependencies.payments.webhookSecrets();
  const { statusCode } = await app.inject({
    method: 'POST',
    url: `${PREFIX}/payments/webhook`,
    remoteAddress: request.ip,
    headers: {
      'content-type': 'application/json',
      'payment-signature': signPayload(body, secret, created),
      'x-forwarded-for': request.ip,
      'x-forwarded-proto': 'https',
      'x-request-id': request.id,
    },
    payload: body,
  });
  return statusCode === 200;
}

function failed(exchange: Exchange): Promise<FastifyReply> {
  exchange.reply.code(503);
  return show(exchange, { problem: 'This could not be recorded just now. Try again in a moment.' });
}

/** A second attempt at the same purchase makes the same event, and that has one effect. */
const suffixOf = (session: LocalSession): string => session.id.replace(/^cs_local_/, '');
const namesOf = (session: LocalSession) => ({
  customer: `cus_local_${suffixOf(session)}`,
  subscription: `sub_local_${suffixOf(session)}`,
});
const returnUrl = (session: LocalSession): string =>
  session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);

/** A form may lead to where its answer leads: browsers look at redirects too. */
const policyFor = (session: LocalSession | undefined): string =>
  `default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src '${STYLE_HASH}'; ` +
  `form-action 'self'${session ? ` ${new URL(session.success_url).origin}` : ''}`;
