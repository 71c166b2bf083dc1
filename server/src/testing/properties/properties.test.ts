import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signPayload } from '../../platform/payments/signature.js';
import { routes } from '../../routes.js';
import { apiTokenOf, groupOf, placeOf } from '../isolation/place.js';
import type { Actor, IsolationRow, RequestParts, World } from '../isolation/row.js';
import { isolationRows } from '../isolation/rows.js';
import { seconds } from '../payment-events.js';
import { type Answer, type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { describedOperations, type Operation } from './description.js';
import { type GeneratedRequest, requestsFor } from './requests.js';

/** Requests per operation and the seed: `PROPERTY_RUNS=500 PROPERTY_SEED=7 npx vitest run …` for a larger run. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 8);
const SEED = Number(process.env.PROPERTY_SEED ?? 20_260_131);
const SECRET = 'whsec_0123456789abcdef';

const { operations, resolve } = describedOperations();

let database: TestDatabase;
let app: TestApp;
let world: World;
let people: Readonly<Record<Actor, Client>>;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { environment: { PAYMENT_WEBHOOK_SECRET: SECRET } });
  await app.signUp();
  people = await groupOf(app);
  world = { database, newPerson: () => database.createUser() };
}, 120_000);
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

/** Somebody to speak as, and a request that would succeed. */
interface Stage {
  readonly base: RequestParts;
  readonly speakers: readonly Client[];
}

/** Everything new, since a request may delete, close or sign out what it is about. */
async function setStage(row: IsolationRow, kind: 0 | 1 | 2): Promise<Stage> {
  const owner = await app.enter();
  await database.asOwner("update profiles set role = 'admin' where id = $1", [owner.userId]);
  const place = await placeOf(database, { ...people, owner });
  const { engineer, viewer } = place.members;
  const token = (access: 'read' | 'write', workspaceId?: string) => () =>
    apiTokenOf({ database, app }, owner, { access, ...(workspaceId ? { workspaceId } : {}) });
  const tokens = [token('read'), token('write', place.workspaceId), token('write', randomUUID())] as const;
  const route = routes.find(({ operation }) => operation === row.operation);
  const { params, query, body } = route?.examples ?? {};
  const inPath = (name: string) => route?.path.includes(`:${name}`) === true;
  const texts = (values: object = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const base: RequestParts =
    row.about === 'nobody'
      ? { params: texts(params), query: texts(query), body }
      : await row.prepare(world, place);
  const named = Object.entries(base.params ?? {}).filter(([name]) => inPath(name));
  return {
    base: { ...base, params: Object.fromEntries(named) },
    speakers: [owner, owner, owner, owner, engineer, viewer, app.anyone, await tokens[kind]()],
  };
}

function sendTo({ id, method, path }: Operation, client: Client, request: GeneratedRequest): Promise<Answer> {
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(wellFormed(request.params[name] ?? '')),
  );
  const search = Object.keys(request.query).length > 0 ? `?${new URLSearchParams(request.query)}` : '';
  const body = request.body === undefined || method === 'GET' ? undefined : JSON.stringify(request.body);
  const signature: Readonly<Record<string, string>> =
    id === 'receivePaymentEvent' && body ? { 'payment-signature': signPayload(body, SECRET, seconds()) } : {};
  return client.request(method, `/api/v1${target}${search}`, {
    ...(request.form ? { form: formOf(request.body) } : body === undefined ? {} : { body }),
    headers: { ...signature, ...request.headers },
  });
}

function formOf(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
  return form;
}

const wellFormed = (text: string): string => text.replaceAll(/[\ud800-\udfff]/gu, '?');

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const row = isolationRows.find((one) => one.operation === id) as IsolationRow;

  it(
    'answers whatever comes as it is described',
    async () => {
      // Seeds of their own, so that a new operation changes nothing for the others.
      const random = {
        seed: SEED + ([...id].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 65_536),
      };
      let stages = 0;
      const next = () => setStage(row, (stages++ % 3) as 0 | 1 | 2);
      let stage = await next();
      const speak = fc.nat(stage.speakers.length - 1);
      let used = 0;
      const told: string[] = [];
      for (const n of fc.sample(fc.tuple(fc.nat(), speak), { numRuns: RUNS, ...random }).entries()) {
        const [index, [variant, speaker]] = n;
        if (used >= (operation.method === 'GET' ? 40 : 3)) {
          stage = await next();
          used = 0;
        }
        const [request] = fc.sample(requestsFor(operation, stage.base, resolve), {
          numRuns: 1,
          seed: random.seed + variant,
        });
        // The first is the one that succeeds.
        const asked: GeneratedRequest =
          index === 0 || !request
            ? { params: {}, query: {}, body: undefined, headers: {}, form: false, ...stage.base }
            : request;
        const client = (index === 0 ? stage.speakers[0] : stage.speakers[speaker]) as Client;
        const answer = await sendTo(operation, client, asked);
        if (answer.status < 400) used += 1;
        told.push(...complaints(operation, asked, answer));
      }
      expect([...new Set(told)]).toEqual([]);
    },
    60_000 + RUNS * 5_000,
  );
});

/** What is wrong with an answer, with the request that got it. */
function complaints(operation: Operation, request: GeneratedRequest, answer: Answer): readonly string[] {
  const found = [...operation.undocumented(answer)];
  if (answer.status >= 500 && answer.status !== 503) found.push(`is answered ${answer.status}`);
  const hasBadHeaders = Object.keys(request.headers).length > 0;
  if (answer.status < 300 && !hasBadHeaders && !request.form && !operation.fits(request))
    found.push(`is answered ${answer.status} though the description does not allow it`);
  return found.map((one) => `${one}: ${JSON.stringify(request).slice(0, 600)}`);
}
