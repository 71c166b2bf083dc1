import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it came to the server. */
export interface StripeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: Readonly<Record<string, string>>;
}

export interface StripeServer {
  readonly address: string;
  readonly requests: readonly StripeRequest[];
  /** The next so many requests fail: with this status, or with a broken connection. */
  failNext(status: number | 'broken', times?: number): void;
  /** Changes a session, as the customer or the provider does. */
  change(id: string, fields: object): void;
  stop(): Promise<void>;
}

interface Remembered {
  readonly form: string;
  readonly answer: object;
}

const KEY = 'sk_test_local';
const PRICES = ['price_pro', 'price_consultant'];

/**
 * Speaks as much of Stripe's HTTP API as the service uses: sessions of the checkout made and read, bodies as forms,
 * the key as a bearer token, errors in Stripe's form, answers remembered by `Idempotency-Key`.
 */
export async function startStripeServer(): Promise<StripeServer> {
  const sessions = new Map<string, Record<string, unknown>>();
  const remembered = new Map<string, Remembered>();
  const requests: StripeRequest[] = [];
  const failures: (number | 'broken')[] = [];

  const server = createServer(async (request, response) => {
    const form = await text(request);
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url, headers, form: Object.fromEntries(new URLSearchParams(form)) });
    const reply = (status: number, body: object, more: Record<string, string> = {}) =>
      response
        .writeHead(status, {
          'content-type': 'application/json',
          'request-id': `req_${randomUUID()}`,
          ...more,
        })
        .end(JSON.stringify(body));
    const refuse = (status: number, error: object) => reply(status, { error });

    const failure = failures.shift();
    if (failure === 'broken') return request.socket.destroy();
    if (failure) return refuse(failure, { type: 'api_error', message: 'An unknown error occurred' });
    if (headers.authorization !== `Bearer ${KEY}`) {
      return refuse(401, {
        type: 'invalid_request_error',
        message: `Invalid API Key provided: ${headers.authorization}`,
      });
    }
    if (method === 'GET') {
      const id = /^\/v1\/checkout\/sessions\/([^/?]+)$/.exec(url)?.[1] ?? '';
      const found = sessions.get(id);
      const missing = {
        type: 'invalid_request_error',
        code: 'resource_missing',
        param: 'session',
        message: `No such checkout.session: ${id}`,
      };
      return found ? reply(200, found) : refuse(404, missing);
    }
    if (url === '/v1/billing_portal/sessions') {
      const back = new URLSearchParams(form).get('return_url');
      return reply(200, {
        id: `bps_${randomUUID()}`,
        object: 'billing_portal.session',
        return_url: back,
        url: `https://billing.example/${new URLSearchParams(form).get('customer')}`,
      });
    }
    if (url !== '/v1/checkout/sessions' || headers['content-type'] !== 'application/x-www-form-urlencoded') {
      return refuse(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: ${url})`,
      });
    }
    const key = headers['idempotency-key'];
    const first = typeof key === 'string' ? remembered.get(key) : undefined;
    if (first) {
      const reused = {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters',
      };
      return first.form === form
        ? reply(200, first.answer, { 'idempotent-replayed': 'true' })
        : refuse(400, reused);
    }
    const fields = new URLSearchParams(form);
    const email = fields.get('customer_email');
    if (!PRICES.includes(fields.get('line_items[0][price]') ?? '')) {
      return refuse(400, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        param: 'line_items[0][price]',
        message: 'No such price',
      });
    }
    if (email?.endsWith('@refused.example')) {
      return refuse(400, {
        type: 'invalid_request_error',
        code: 'email_invalid',
        param: 'customer_email',
        message: `Invalid email address: ${email}`,
      });
    }
    const id = `cs_test_${randomUUID().replaceAll('-', '')}`;
    const plan = fields.get('metadata[plan]');
    const session = {
      id,
      object: 'checkout.session',
      url: `https://checkout.example/c/pay/${id}`,
      mode: fields.get('mode'),
      status: 'open',
      payment_status: 'unpaid',
      client_reference_id: fields.get('client_reference_id'),
      customer_email: email,
      customer_details: email ? { email } : null,
      metadata: plan ? { plan } : {},
    };
    sessions.set(id, session);
    if (typeof key === 'string') remembered.set(key, { form, answer: session });
    return reply(200, session);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failNext: (status, times = 1) => {
      failures.push(...Array<number | 'broken'>(times).fill(status));
    },
    change: (id, fields) => {
      sessions.set(id, { ...sessions.get(id), ...fields });
    },
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
