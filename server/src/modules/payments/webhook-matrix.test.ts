import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../platform/database/sql.js';
import { signPayload } from '../../platform/payments/signature.js';
import { completedCheckout, deliver, endedSubscription, seconds } from '../../testing/payment-events.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

const [NEW, OLD, RETIRED] = ['whsec_new_0123456789', 'whsec_old_0123456789', 'whsec_retired_012345'] as const;
const ENDED = 'customer.subscription.deleted';
const NOW = new Date(Math.floor(Date.now() / 1000) * 1000);
const T = seconds(NOW);

let database: TestDatabase;
let app: TestApp;
let jo: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, {
    environment: { PAYMENT_WEBHOOK_SECRET: `${NEW}, ${OLD}` },
    clock: () => NOW,
  });
  jo = await app.signUp();
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const hex = (secret: string, text: string, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest('hex');
/** Through a pooled connection: this is asked hundreds of times. */
const read = <Row>(statement: ReturnType<typeof sql>): Promise<Row[]> =>
  database.database.asSystem('what a test left behind', (transaction) => transaction.many<Row>(statement));
const stored = (about = ''): Promise<unknown[]> => {
  const like = `%${about}%`;
  return read(sql`
    select (select count(*)::int from payment_events where id like ${like}) as events,
           (select json_agg(s order by reference) from payment_subscriptions s where reference like ${like})
             as subscriptions,
           (select json_agg(p order by email) from pending_subscriptions p where email like ${like}) as pending,
           (select json_agg(json_build_array(id, subscription_status, subscription_plan) order by id) from profiles
            where email like ${like}) as profiles`);
};

/** What is sent for an event that would give somebody a plan. */
interface Delivery {
  readonly body: string;
  readonly header: string | undefined;
}
type Case = readonly [
  name: string,
  status: number,
  reason: string | undefined,
  make: (body: string) => Delivery,
];

const signed =
  (secret: string, at = T) =>
  (body: string): Delivery => ({ body, header: signPayload(body, secret, at) });
const header =
  (write: (body: string) => string | undefined) =>
  (body: string): Delivery => ({ body, header: write(body) });
/** Signed as it was, sent as it is not. */
const changed =
  (change: (body: string) => string) =>
  (body: string): Delivery => ({ body: change(body), header: signPayload(body, NEW, T) });

const right = (body: string) => hex(NEW, `${T}.${body}`);
const flip = (text: string, index: number): string =>
  text.slice(0, index) + (text[index] === '0' ? '1' : '0') + text.slice(index + 1);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const ACCEPTED: readonly Case[] = [
  ['the new secret', 200, undefined, signed(NEW)],
  ['the old secret', 200, undefined, signed(OLD)],
  ...[-300, -299, -60, -1, 1, 60, 299, 300].map(
    (shift): Case => [`a time ${shift} s away`, 200, undefined, signed(NEW, T + shift)],
  ),
  [
    'both secrets at once, in either order',
    200,
    undefined,
    header((body) => `t=${T},v1=${hex(OLD, `${T}.${body}`)},v1=${right(body)}`),
  ],
  [
    'one right signature among wrong ones',
    200,
    undefined,
    header((body) => `t=${T},v1=${hex(RETIRED, `${T}.${body}`)},v1=${right(body)}`),
  ],
  [
    'a scheme of another version beside it',
    200,
    undefined,
    header((body) => `t=${T},v1=${right(body)},v0=abc`),
  ],
  ['the signature before the time', 200, undefined, header((body) => `v1=${right(body)},t=${T}`)],
  ['blanks between the parts', 200, undefined, header((body) => `t=${T}, v1=${right(body)}`)],
];

const REFUSED: readonly Case[] = [
  ['no header', 400, 'missing_signature', header(() => undefined)],
  ['an empty header', 400, 'missing_signature', header(() => '')],
  ...(
    [
      ['no time', (body) => `v1=${right(body)}`],
      ['no signature', () => `t=${T}`],
      ['only another version', (body) => `t=${T},v0=${right(body)}`],
      ['two times', (body) => `t=${T},t=${T},v1=${right(body)}`],
      ['a time that is none', (body) => `t=now,v1=${right(body)}`],
      ['a negative time', (body) => `t=-${T},v1=${hex(NEW, `-${T}.${body}`)}`],
      ['a time with a fraction', (body) => `t=${T}.0,v1=${hex(NEW, `${T}.0.${body}`)}`],
      ['a time in hexadecimal', (body) => `t=0x${T.toString(16)},v1=${right(body)}`],
      ['an endless time', (body) => `t=${'9'.repeat(40)},v1=${hex(NEW, `${'9'.repeat(40)}.${body}`)}`],
      ['a short signature', (body) => `t=${T},v1=${right(body).slice(1)}`],
      ['a long signature', (body) => `t=${T},v1=${right(body)}0`],
      ['an empty signature', () => `t=${T},v1=`],
      ['capital letters', (body) => `t=${T},v1=${right(body).toUpperCase()}X`],
      ['base64', (body) => `t=${T},v1=${Buffer.from(right(body), 'hex').toString('base64')}`],
      ['SHA-1', (body) => `t=${T},v1=${hex(NEW, `${T}.${body}`, 'sha1')}`],
      ['SHA-512', (body) => `t=${T},v1=${hex(NEW, `${T}.${body}`, 'sha512')}`],
      ['too many signatures', (body) => `t=${T}${`,v1=${right(body)}`.repeat(17)}`],
      ['words', () => 'letmein'],
      ['separators', () => ',,,=,t=,v1=,'],
    ] as const satisfies readonly (readonly [string, (body: string) => string])[]
  ).map(([name, write]): Case => [name, 400, 'malformed_signature', header(write)]),
  ...(
    [
      ['a secret that was retired', (body) => `t=${T},v1=${hex(RETIRED, `${T}.${body}`)}`],
      ['the secrets with their comma', (body) => `t=${T},v1=${hex(`${NEW}, ${OLD}`, `${T}.${body}`)}`],
      ['no secret', (body) => `t=${T},v1=${hex('', `${T}.${body}`)}`],
      ['the body alone', (body) => `t=${T},v1=${hex(NEW, body)}`],
      ['the time alone', () => `t=${T},v1=${hex(NEW, `${T}.`)}`],
      ['another time', (body) => `t=${T},v1=${hex(NEW, `${T - 1}.${body}`)}`],
      ['a fresh time over an old signature', (body) => `t=${T},v1=${hex(NEW, `${T - 4000}.${body}`)}`],
      ['another separator', (body) => `t=${T},v1=${hex(NEW, `${T}:${body}`)}`],
      ['zeros', () => `t=${T},v1=${'0'.repeat(64)}`],
    ] as const satisfies readonly (readonly [string, (body: string) => string])[]
  ).map(([name, write]): Case => [name, 400, 'invalid_signature', header(write)]),
  ...numbers(64).map(
    (at): Case => [
      `digit ${at} of the signature changed`,
      400,
      'invalid_signature',
      header((body) => `t=${T},v1=${flip(right(body), at)}`),
    ],
  ),
  ...numbers(10).map(
    (at): Case => [
      `digit ${at} of the time changed`,
      400,
      'invalid_signature',
      header((body) => `t=${flip(String(T), at)},v1=${right(body)}`),
    ],
  ),
  ...numbers(24).map(
    (part): Case => [
      `a byte at ${part}/24 of the body changed`,
      400,
      'invalid_signature',
      changed((body) => flip(body, Math.floor((body.length * part) / 24))),
    ],
  ),
  ...(
    [
      ['a line more', (body) => `${body}\n`],
      ['a blank before', (body) => ` ${body}`],
      ['a byte less', (body) => body.slice(0, -1)],
      ['the same value written with blanks', (body) => JSON.stringify(JSON.parse(body), null, 1)],
      ['another plan', (body) => body.replace('"pro"', '"consultant"')],
      ['another customer', (body) => body.replace('cus_', 'cus_x')],
      ['a field twice', (body) => body.replace('{', '{"type":"x",')],
      ['an escape for a letter', (body) => body.replace('event', '\\u0065vent')],
      ['a byte order mark', (body) => `\uFEFF${body}`],
      ['nothing', () => ''],
      ['something else', () => '{}'],
    ] as const satisfies readonly (readonly [string, (body: string) => string])[]
  ).map(([name, change]): Case => [`the body with ${name}`, 400, 'invalid_signature', changed(change)]),
  ...[-301, -302, -600, -3600, -86_400, -T, 301, 302, 600, 3600, 86_400, 10 ** 9].map(
    (shift): Case => [`a time ${shift} s away`, 400, 'timestamp_outside_tolerance', signed(NEW, T + shift)],
  ),
  ['an old delivery of the old secret', 400, 'timestamp_outside_tolerance', signed(OLD, T - 301)],
  ...(
    [
      ['no JSON', 'plan=pro'],
      ['half of JSON', '{"id":"evt_1"'],
      ['null', 'null'],
      ['a list', '[]'],
      ['no id', '{"type":"x","created":1,"data":{"object":{}}}'],
      ['an empty id', '{"id":"","type":"x","created":1,"data":{"object":{}}}'],
      ['an id that cannot be stored', '{"id":"e\\u0000","type":"x","created":1,"data":{"object":{}}}'],
      ['no time of creation', `{"id":"evt_1","type":"${ENDED}","data":{"object":{}}}`],
      [
        'a time of creation with a fraction',
        `{"id":"evt_1","type":"${ENDED}","created":1.5,"data":{"object":{}}}`,
      ],
      ['no object', `{"id":"evt_1","type":"${ENDED}","created":1,"data":{}}`],
    ] as const
  ).map(
    ([name, body]): Case => [
      `${name}, rightly signed`,
      400,
      'malformed_event',
      () => ({ body, header: signPayload(body, NEW, T) }),
    ],
  ),
];

const send = ({ body, header: value }: Delivery) =>
  app.anyone.request('POST', '/api/v1/payments/webhook', {
    body,
    headers: value === undefined ? {} : { 'payment-signature': value },
  });

describe('a signature', () => {
  it('comes in at least two hundred cases with the orders below', () => {
    expect(ACCEPTED.length + REFUSED.length + HISTORIES.length * 24).toBeGreaterThanOrEqual(240);
  });

  it.each(ACCEPTED)('with %s is answered %d', async (_name, status, _reason, make) => {
    const event = completedCheckout({ created: T, userId: jo.userId });
    const answer = await send(make(JSON.stringify(event)));
    expect([answer.status, answer.body]).toEqual([status, { received: true }]);
    const [row] = await read(sql`select effect from payment_events where id = ${event.id}`);
    expect(row).toEqual({ effect: 'activated' });
  });

  it.each(REFUSED)(
    'with %s is answered %d %s, and nothing is stored',
    async (_name, status, reason, make) => {
      const before = await stored();
      const delivery = make(JSON.stringify(completedCheckout({ created: T, email: 'nobody@example.org' })));
      const answer = await send(delivery);
      expect([answer.status, answer.body]).toEqual([
        status,
        { error: expect.objectContaining({ code: 'BAD_REQUEST', details: { reason } }) },
      ]);
      expect(await stored()).toEqual(before);
    },
  );
});

/** A step of a history, so many seconds after its beginning: what happened to which subscription. */
type Step = readonly [after: number, what: 'pro' | 'consultant' | 'end', subscription: 'a' | 'b'];

/** Four steps each, and how the payer stands after all of them, in whatever order they arrive. */
const HISTORIES: readonly (readonly [name: string, steps: readonly Step[], plan: string | null])[] = [
  [
    'bought, ended, bought anew, ended',
    [
      [0, 'pro', 'a'],
      [10, 'end', 'a'],
      [20, 'pro', 'b'],
      [30, 'end', 'b'],
    ],
    null,
  ],
  [
    'bought, changed up, the first ended, the second changed down',
    [
      [0, 'pro', 'a'],
      [10, 'consultant', 'b'],
      [20, 'end', 'a'],
      [30, 'pro', 'b'],
    ],
    'pro',
  ],
  [
    'two bought, told anew, the second ended',
    [
      [0, 'consultant', 'a'],
      [10, 'pro', 'b'],
      [20, 'consultant', 'a'],
      [30, 'end', 'b'],
    ],
    'consultant',
  ],
  [
    'bought and ended in one second, twice',
    [
      [0, 'pro', 'a'],
      [0, 'end', 'a'],
      [5, 'consultant', 'b'],
      [5, 'end', 'b'],
    ],
    null,
  ],
  [
    'told two plans in one second',
    [
      [0, 'pro', 'a'],
      [0, 'consultant', 'a'],
      [0, 'pro', 'b'],
      [0, 'end', 'b'],
    ],
    'consultant',
  ],
];

const ORDERS = permutations([0, 1, 2, 3]);
function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

describe.each(HISTORIES)('%s', (_name, steps, plan) => {
  const run = async (
    order: readonly number[],
    payer: { readonly email: string; readonly userId?: string },
  ): Promise<void> => {
    const suffix = payer.email;
    const names = (subscription: string) => ({
      subscription: `sub_${subscription}_${suffix}`,
      customer: `cus_${suffix}`,
    });
    const events = steps.map(([after, what, subscription], index) => {
      const about = { id: `evt_${index}_${suffix}`, created: T + after, ...names(subscription) };
      return what === 'end'
        ? endedSubscription(about)
        : completedCheckout({ ...about, ...payer, plan: what });
    });
    const deliverAll = async (secret: string, at: number) => {
      for (const index of order) {
        expect((await deliver(app, events[index] ?? {}, { secret, at })).status).toBe(200);
      }
    };
    await deliverAll(NEW, T);
    // All of it once more, of the other secret this time, changes nothing.
    const before = await stored(suffix);
    await deliverAll(OLD, T + 1);
    expect(await stored(suffix)).toEqual(before);
  };

  it.each(ORDERS)('in the order %d %d %d %d, for a profile', async (...order) => {
    const person = await database.createUser();
    await run(order, person);
    const [profile] = await read(sql`
      select subscription_status as status, subscription_plan as plan from profiles where id = ${person.userId}`);
    expect(profile).toEqual({ status: plan ? 'active' : 'inactive', plan });
  });

  it.each(ORDERS)('in the order %d %d %d %d, before the sign-up', async (...order) => {
    const email = `${crypto.randomUUID()}@example.org`;
    await run(order, { email });
    const pending = await database.asOwner('select plan from pending_subscriptions where email = $1', [
      email,
    ]);
    expect(pending).toEqual(plan ? [{ plan }] : []);
  });
});
