import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeApi } from '../../openapi/describe.js';
import { SETTING_NAMES } from '../../platform/configuration/settings.js';
import { completedCheckout, deliver, endedSubscription } from '../payment-events.js';
import { type Answer, type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { type Story, tellStory } from './scenario.js';
import { misfits } from './shapes.js';
import {
  ENDPOINTS,
  ENUMS,
  LISTED_GAP_TYPE,
  NAMES,
  RECORDS,
  type RecordName,
  STATEMENTS,
} from './specification.js';

const SECRET = 'whsec_0123456789abcdef';
const ORIGIN = 'https://app.example.org';

let database: TestDatabase;
let app: TestApp;
/** The same installation with subscriptions switched on. */
let gated: TestApp;
let story: Story;
let body: (endpoint: string) => Record<string, unknown>;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, {
    work: true,
    environment: { EMBEDDINGS: 'off', PAYMENT_WEBHOOK_SECRET: SECRET },
  });
  gated = await startTestApp(database, {
    environment: { BILLING: 'on', PAYMENT_WEBHOOK_SECRET: SECRET, ALLOWED_ORIGINS: ORIGIN },
  });
  story = await tellStory(app, SECRET);
  body = (endpoint) => story.answers.get(endpoint)?.body as Record<string, unknown>;
}, 180_000);
afterAll(async () => {
  await gated?.stop();
  await app?.stop();
  await database?.stop();
});

const firstOf = (list: unknown): unknown => (list as readonly unknown[])[0];
const gapsOf = (endpoint: string) =>
  body(endpoint).gaps as readonly { gap_type: string; severity: string; requirement_id: string }[];
const linkOf = (): unknown =>
  (body('GET /traceability/matrix').matrix as readonly { upstream_links: unknown[] }[]).flatMap(
    ({ upstream_links }) => upstream_links,
  )[0];

/** Where in the answers each record of the specification was seen. */
const SEEN: Readonly<Record<RecordName, () => unknown>> = {
  profile: () => body('GET /auth/me'),
  workspace: () => body('GET /workspaces/{id}'),
  standard: () => story.standard,
  workProduct: () => story.workProduct,
  standardUpload: () => body('POST /standards/{id}/uploads/init'),
  workProductUpload: () => body('POST /work-products/uploads/init'),
  traceLink: () => firstOf(body('GET /traceability/links').items),
  listedGap: () => firstOf(gapsOf('GET /traceability/gaps')),
  analysedGap: () => firstOf(gapsOf('GET /traceability/analyze')),
  persistedGap: () => firstOf(body('GET /analysis/gaps').items),
  analysis: () => firstOf(body('GET /analysis/analyses').items),
  analysisResults: () => body('GET /analysis/analyses/{id}'),
  listEnvelope: () => body('GET /workspaces'),
  syncResult: () => body('POST /auth/sync'),
  accessToken: () => body('POST /auth/refresh'),
  matrix: () => body('GET /traceability/matrix'),
  matrixRow: () => firstOf(body('GET /traceability/matrix').matrix),
  matrixLink: linkOf,
  gapList: () => body('GET /traceability/gaps'),
  traceCompleteness: () => body('GET /traceability/completeness'),
  traceAnalysis: () => body('GET /traceability/analyze'),
  gapTypeCounts: () => body('GET /traceability/analyze').summary,
  severityCounts: () => body('GET /traceability/analyze').severity_counts,
  unauthenticated: () => refusal.body,
  unauthenticatedError: () => (refusal.body as { error: unknown }).error,
  unauthenticatedDetails: () => (refusal.body as { error: { details: unknown } }).error.details,
  paymentRequired: () => unpaid.body,
};
let refusal: Answer;
let unpaid: Answer;
beforeAll(async () => {
  refusal = await app.withToken('not.a.token').request('GET', '/api/v1/auth/me');
  unpaid = await (await gated.signUp()).request('GET', '/api/v1/workspaces');
});

describe.each(Object.keys(RECORDS) as RecordName[])('the record %s', (name) => {
  it.each(Object.entries(RECORDS[name].fields))('has %s, a %s', (field, type) => {
    expect(misfits(SEEN[name](), { [field]: type })).toEqual([]);
  });
});

describe.each(ENDPOINTS)('$endpoint', ({ endpoint, takes = [], answers, open }) => {
  const [method = '', template = ''] = endpoint.split(' ');

  it('was used', () => {
    expect(story.answers.get(endpoint)?.status).toBeLessThan(300);
    if (answers) expect(misfits(story.answers.get(endpoint)?.body, RECORDS[answers].fields)).toEqual([]);
  });

  it(open ? 'needs no token' : 'needs a token', async () => {
    // The address of an upload is no path of the API: it was used without a token.
    if (method === 'PUT') return;
    const path = template.replaceAll(/\{\w+\}/g, () => randomUUID());
    const { status } = await app.anyone.request(method, `/api/v1${path}`);
    expect(status === 401).toBe(open !== true);
  });

  it('takes what was specified', () => {
    expect(takes.filter((name) => !namesTakenBy(method, template).has(name))).toEqual([]);
  });
});

interface Described {
  readonly parameters: readonly { readonly name?: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
  };
}

const description = JSON.parse(describeApi()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
};

/** Query parameters and fields of the body, as the API description tells them. */
function namesTakenBy(method: string, template: string): ReadonlySet<string | undefined> {
  const described = description.paths[template]?.[method.toLowerCase()];
  const bodies = Object.values(described?.requestBody?.content ?? {}).map(({ schema }) =>
    schema.$ref ? description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema,
  ) as readonly { readonly properties?: object }[];
  return new Set([
    ...(described?.parameters ?? []).map(({ name }) => name),
    ...bodies.flatMap((schema) => Object.keys(schema.properties ?? {})),
  ]);
}

describe('the words', () => {
  const patch = (client: Client, path: string, change: object) =>
    client.request('PATCH', `/api/v1${path}`, { body: change });

  it('of roles are these four', async () => {
    const person = await database.createUser();
    // The first who signed up is the administrator of the installation.
    for (const role of ENUMS.role.values) {
      const answer = await patch(story.owner, `/admin/users/${person.userId}`, { role });
      expect(answer).toMatchObject({ status: 200, body: { role } });
    }
    expect((await patch(story.owner, `/admin/users/${person.userId}`, { role: 'auditor' })).status).toBe(422);
  });

  it('of severities are these four', async () => {
    const ask = async (severity: string) =>
      (await story.owner.request('GET', `/api/v1/analysis/gaps?severity=${severity}`)).status;
    for (const severity of ENUMS.severity.values) expect(await ask(severity)).toBe(200);
    expect(await ask('fatal')).toBe(422);
    const found = new Set([...story.gaps, ...gapsOf('GET /traceability/analyze')].map((gap) => gap.severity));
    expect([...found].filter((one) => !ENUMS.severity.values.some((value) => value === one))).toEqual([]);
  });

  it('of links are these seven', async () => {
    const add = (link_type: string) =>
      story.owner.request('POST', '/api/v1/traceability/links', {
        body: { workspace_id: story.workspace, source_id: 'FSR-04', target_id: 'SG-02', link_type },
      });
    for (const link_type of ENUMS.linkType.values) {
      expect(await add(link_type)).toMatchObject({ status: 201, body: { link_type } });
    }
    expect((await add('relates_to')).status).toBe(422);
  });

  it('of trace gaps are these six, and each was found', () => {
    const found = new Set(gapsOf('GET /traceability/analyze').map(({ gap_type }) => gap_type));
    expect([...found].sort()).toEqual([...ENUMS.gapType.values].sort());
    expect(Object.keys(body('GET /traceability/analyze').summary as object).sort()).toEqual(
      [...ENUMS.gapType.values].sort(),
    );
  });

  it('of checklist items are these four', async () => {
    const verdicts = new Set(story.verdicts);
    expect([...verdicts].filter((one) => !ENUMS.itemVerdict.values.some((value) => value === one))).toEqual(
      [],
    );
    expect(description.components.schemas.ItemVerdict).toMatchObject({ enum: ENUMS.itemVerdict.values });
    // Documents cannot show that nothing applies without saying so; a verdict of each other kind was given.
    expect([...verdicts]).toEqual(expect.arrayContaining(['pass', 'fail', 'missing']));
  });

  it.each(ENUMS.exportFormat.values)('of formats: everything leaves as %s', (format) => {
    const media = { html: 'text/html', csv: 'text/csv', json: 'application/json' }[format];
    for (const thing of ['gap-analysis', 'checklist', 'completeness', 'report']) {
      const file = story.files.get(`${thing} ${format}`);
      expect(file?.headers.get('content-type')).toContain(media);
      expect(file?.text.length).toBeGreaterThan(100);
    }
  });

  it('of plans: two are sold', async () => {
    const buy = async (plan: string) =>
      (
        await app.anyone.request('POST', '/api/v1/payments/create-checkout-session', {
          body: { plan, success_url: `${app.address}/paid`, cancel_url: `${app.address}/plans` },
        })
      ).status;
    expect(await Promise.all(['pro', 'consultant', 'free', 'gold'].map(buy))).toEqual([200, 200, 422, 422]);
  });
});

const profileOf = async (client: Client) =>
  (await client.request('GET', '/api/v1/auth/me')).body as {
    subscription_status: string;
    subscription_plan: string | null;
  };
const sync = async (client: Client) =>
  (
    await client.request('POST', '/api/v1/auth/sync', {
      body: { id: client.userId, email: client.email, name: 'Jo' },
    })
  ).body;
const statusOf = async (client: Client) => {
  const { subscription_status, subscription_plan } = await profileOf(client);
  return [subscription_status, subscription_plan];
};

const PROOFS: Readonly<Record<keyof typeof STATEMENTS, () => Promise<void>>> = {
  'every list begins with twenty items': async () => {
    for (const { endpoint, answers } of ENDPOINTS) {
      if (answers !== 'listEnvelope') continue;
      const path = `/api/v1${endpoint.split(' ')[1]}?workspace_id=${story.workspace}`;
      const list = await story.owner.request('GET', path.replace(/(workspaces)\?.*/, '$1'));
      expect([endpoint, list.status, list.body]).toEqual([
        endpoint,
        200,
        expect.objectContaining({ limit: 20, page: 1 }),
      ]);
    }
  },
  'an access token lives for thirty minutes': async () => {
    expect(body('POST /auth/refresh')).toMatchObject({ token_type: 'bearer', expires_in: 30 * 60 });
    const [, claims = ''] = String(body('POST /auth/refresh').access_token).split('.');
    const { exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(exp - iat).toBe(30 * 60);
  },
  'an analysis may run for thirty minutes': async () => {
    expect(app.dependencies.configuration.analysisTimeoutMinutes).toBe(30);
  },
  'the rate limit is on and refuses what is beyond it': async () => {
    const limited = await startTestApp(database, {
      environment: { RATE_LIMIT_BURST: '3', RATE_LIMIT_PER_MINUTE: '1' },
    });
    try {
      const jo = limited.withToken((await app.enter()).token);
      const statuses = [];
      for (let n = 0; n < 4; n += 1) statuses.push((await jo.request('GET', '/api/v1/auth/me')).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await limited.stop();
    }
  },
  'all groups sit under the prefix of the version': async () => {
    for (const { endpoint } of ENDPOINTS) {
      const [method = '', path = ''] = endpoint.split(' ');
      if (method === 'PUT') continue;
      const elsewhere = await app.anyone.request(method, path.replaceAll(/\{\w+\}/g, randomUUID()));
      // The probe of load balancers is answered in both places.
      expect([endpoint, elsewhere.status]).toEqual([endpoint, path === '/health' ? 200 : 404]);
    }
  },
  'the documentation is served': async () => {
    for (const page of NAMES.pages) {
      const response = await fetch(app.address + page);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/html'),
      ]);
    }
  },
  'a standard counts as owned through the attestation alone': async () => {
    expect(body('POST /standards')).toMatchObject({ attested: false });
    expect(body('PATCH /standards/{id}/attest')).toMatchObject({ attested: true });
  },
  'a file travels to the address and with the headers of its session': async () => {
    expect(story.standard).toMatchObject({ processing_status: 'completed' });
    expect(story.workProduct).toMatchObject({ processing_status: 'completed', original_filename: 'hara.md' });
  },
  'a gap takes every status': async () => {
    const path = `/api/v1/analysis/gaps/${story.gaps[0]?.id}`;
    const change = (status: string) =>
      story.owner.request('PATCH', path, {
        body: { status, ...(status === 'accepted' ? { reason: 'Not in this project.' } : {}) },
      });
    for (const from of ENUMS.gapStatus.values) {
      for (const to of ENUMS.gapStatus.values) {
        expect(await change(from)).toMatchObject({ status: 200, body: { status: from } });
        expect(await change(to)).toMatchObject({ status: 200, body: { status: to } });
      }
    }
    expect((await change('closed')).status).toBe(422);
  },
  'a new profile is inactive': async () => {
    const jo = await gated.signUp();
    expect(await statusOf(jo)).toEqual(['inactive', null]);
    // By the database, whoever makes the user.
    const { userId } = await database.createUser();
    expect(
      await database.asOwner('select subscription_status from profiles where id = $1', [userId]),
    ).toEqual([{ subscription_status: 'inactive' }]);
  },
  'the first sync of an inactive profile activates the free plan': async () => {
    const jo = await gated.signUp();
    expect(await sync(jo)).toMatchObject({
      success: true,
      user_id: jo.userId,
      email: jo.email,
      subscription_migrated: false,
      subscription_plan: 'free',
    });
    expect(await statusOf(jo)).toEqual(['active', 'free']);
  },
  'a sync of an active profile changes nothing': async () => {
    const jo = await gated.signUp();
    await deliver(gated, completedCheckout({ userId: jo.userId, plan: 'consultant' }), { secret: SECRET });
    expect(await sync(jo)).toMatchObject({ subscription_migrated: false, subscription_plan: 'consultant' });
    expect(await statusOf(jo)).toEqual(['active', 'consultant']);
  },
  'a payment before the sign-up is claimed by the sync': async () => {
    const email = `${randomUUID()}@example.org`;
    await deliver(gated, completedCheckout({ email, plan: 'pro' }), { secret: SECRET });
    const waiting = () =>
      database.asOwner('select plan from pending_subscriptions where email = $1', [email]);
    expect(await waiting()).toEqual([{ plan: 'pro' }]);
    const jo = await gated.signUp(email);
    await database.asOwner('update auth.users set email_verified = true where id = $1', [jo.userId]);
    expect(await statusOf(jo)).toEqual(['inactive', null]);
    expect(await sync(jo)).toMatchObject({ subscription_migrated: true, subscription_plan: 'pro' });
    expect(await statusOf(jo)).toEqual(['active', 'pro']);
    expect(await waiting()).toEqual([]);
    expect(await sync(jo)).toMatchObject({ subscription_migrated: false, subscription_plan: 'pro' });
  },
  'a gated operation is refused without a subscription and opened by one': async () => {
    const jo = await gated.signUp();
    const ask = () => jo.request('GET', '/api/v1/workspaces');
    expect(await ask()).toMatchObject({ status: 402, body: { detail: expect.any(String) } });
    await sync(jo);
    expect((await ask()).status).toBe(200);
  },
  'a payment event without the right signature is refused': async () => {
    const event = completedCheckout({ userId: (await gated.signUp()).userId });
    for (const header of ['', 't=1,v1=00', `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`]) {
      expect((await deliver(gated, event, { secret: SECRET, header })).status).toBe(400);
    }
    expect((await deliver(gated, event, { secret: 'whsec_another_secret' })).status).toBe(400);
    expect((await deliver(gated, event, { secret: SECRET })).status).toBe(200);
  },
  'a payment event changes the subscription': async () => {
    const [bought, ended] = ENUMS.paymentEvent.values;
    const jo = await gated.signUp();
    const about = { customer: `cus_${jo.userId}`, subscription: `sub_${jo.userId}` };
    const first = completedCheckout({ userId: jo.userId, kind: bought, ...about });
    await deliver(gated, first, { secret: SECRET });
    expect(await statusOf(jo)).toEqual(['active', 'pro']);
    const last = endedSubscription(about);
    expect(last.type).toBe(ended);
    await deliver(gated, last, { secret: SECRET });
    expect(await statusOf(jo)).toEqual(['inactive', null]);
  },
  'progress reaches the client while the analysis runs': async () => {
    expect(story.events).toEqual(expect.arrayContaining(['progress', 'finding']));
    expect(story.events.at(-1)).toBe('completed');
  },
  'results are kept': async () => {
    const id = body('GET /analysis/analyses/{id}').id;
    const again = await story.owner.request('GET', `/api/v1/analysis/analyses/${id}`);
    const tag = { 'if-none-match': String(again.headers.get('etag')) };
    const third = await story.owner.request('GET', `/api/v1/analysis/analyses/${id}`, { headers: tag });
    expect([again.status, third.status]).toEqual([200, 304]);
  },
  'origins that are not allowed get no access': async () => {
    const preflight = async (origin: string) =>
      (
        await fetch(`${gated.address}/api/v1/auth/me`, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'GET' },
        })
      ).headers.get('access-control-allow-origin');
    expect(await preflight(ORIGIN)).toBe(ORIGIN);
    expect(await preflight('https://evil.example.org')).not.toBe('https://evil.example.org');
  },
  'workspaces of others are out of reach': async () => {
    const stranger = await app.enter();
    const answer = await stranger.request('GET', `/api/v1/workspaces/${story.workspace}`);
    expect(answer.status).toBe(404);
  },
  'the database knows four roles': async () => {
    const { userId } = await database.createUser();
    const set = (role: string) =>
      database.asOwner('update profiles set role = $2 where id = $1', [userId, role]);
    for (const role of ENUMS.role.values) await set(role);
    await expect(set('auditor')).rejects.toThrow(/check constraint/);
  },
  'a refused token is told with its code, reason and request': async () => {
    expect(refusal).toMatchObject({
      status: 401,
      body: { error: { code: NAMES.refusalCode[0], request_id: refusal.headers.get('x-request-id') } },
    });
  },
  'a row of the matrix that has everything is complete': async () => {
    const rows = body('GET /traceability/matrix').matrix as readonly {
      readonly requirement_id: string;
      readonly status: string;
    }[];
    const complete = rows.filter(({ status }) => status === NAMES.matrixStatus[0]);
    expect(complete.map(({ requirement_id }) => requirement_id)).toContain('FSR-01');
    expect(complete.map(({ requirement_id }) => requirement_id)).not.toContain('FSR-04');
  },
  'requirements without a test case are listed': async () => {
    const listed = gapsOf('GET /traceability/gaps').filter(({ gap_type }) => gap_type === LISTED_GAP_TYPE);
    expect(listed.map(({ requirement_id }) => requirement_id)).toContain('FSR-04');
    expect(new Set(listed.map(({ severity }) => severity))).toEqual(new Set(['high']));
    const analysed = gapsOf('GET /traceability/analyze').map(({ gap_type }) => gap_type);
    expect(analysed).not.toContain(LISTED_GAP_TYPE);
  },
  'missing verification at ASIL D is critical': async () => {
    const gaps = gapsOf('GET /traceability/analyze') as unknown as readonly {
      readonly artifact_id: string;
      readonly gap_type: string;
      readonly severity: string;
    }[];
    expect(gaps).toContainEqual(
      expect.objectContaining({
        artifact_id: 'FSR-04',
        gap_type: 'missing_verification',
        severity: 'critical',
      }),
    );
  },
};

it.each(Object.keys(STATEMENTS) as (keyof typeof STATEMENTS)[])('%s', (statement) => PROOFS[statement]());

it('the settings that operators rely on exist', () => {
  for (const name of NAMES.settings) expect(SETTING_NAMES).toContain(name);
});
