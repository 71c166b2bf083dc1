import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { inject } from 'vitest';
import { buildApp } from '../app.js';
import { jobDefinitions, jobHandlers } from '../jobs.js';
import { loadConfiguration } from '../platform/configuration/load.js';
import type { DatabaseConnections } from '../platform/database/connections.js';
import { sql } from '../platform/database/sql.js';
import type { Dependencies } from '../platform/dependencies.js';
import { createIdentity, type Identity } from '../platform/identity/identity.js';
import { openPayments } from '../platform/payments/open-payments.js';
import { openQueue } from '../platform/queue/pg-boss-queue.js';
import { openStorage } from '../platform/storage/open-storage.js';
import { uploadRoute } from '../platform/storage/upload-route.js';
import { freePort, type ServiceProcess, startService } from './service-process.js';
import { sharedEngine } from './shared-engine.js';
import { makeBucket } from './swift-server.js';
import type { TestDatabase } from './test-database.js';
import { addressOf } from './test-server.js';

/** An answer over real HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined without a body. Tests look at it through matchers. */
  readonly body: unknown;
  readonly text: string;
}

/** One caller of the application: requests carry their token. */
export interface Client {
  readonly token: string | undefined;
  readonly userId: string;
  readonly email: string;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form instead. */
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestApp {
  readonly address: string;
  /** Settings of any other process of the same service. */
  readonly environment: Readonly<Record<string, string>>;
  /** How many processes work on jobs. */
  readonly workers: number;
  readonly dependencies: Dependencies;
  /** Without a token. */
  readonly anyone: Client;
  /** With any token. */
  withToken(token: string | undefined, about?: { readonly userId?: string; readonly email?: string }): Client;
  /** Signs up at the embedded provider. The first of a database is the administrator of the installation. */
  signUp(email?: string): Promise<Client>;
  /** Signs up as a page of the service in a browser does: the session is in a cookie, there is no token. */
  signUpInBrowser(email?: string): Promise<Client>;
  /** With the cookie that an answer set, from a page of the service. */
  inBrowser(signedIn: Answer, about?: { readonly userId?: string; readonly email?: string }): Client;
  /** A user, by default a new one, with an open session, as a sign-up leaves them, without the password hash that a sign-up costs. */
  enter(known?: { readonly userId: string; readonly email: string }): Promise<Client>;
  stop(): Promise<void>;
}

export interface TestAppOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: () => Date;
  /** Works on jobs as well, in this process. */
  readonly work?: boolean;
  /** No processes beside this one: the test is about its own connections. */
  readonly alone?: boolean;
  /** Its data directory, which stays; by default one that comes and goes with the app. */
  readonly directory?: string;
}

/** Settings of a bucket that belongs to this database, with `TEST_STORAGE=s3`; else none. */
async function ownStorage(connections: DatabaseConnections): Promise<Readonly<Record<string, string>>> {
  const server = inject('testStorage');
  if (!server) return {};
  const bucket = new URL(addressOf(connections.migration)).pathname.slice(1).replaceAll('_', '-');
  await makeBucket(server, bucket);
  return {
    STORAGE: 's3',
    S3_ENDPOINT: server.endpoint,
    S3_REGION: server.region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: server.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
}

/**
 * The application as in production, listening on a free port, over the database of the test. With TEST_APIS and
 * TEST_WORKERS so many processes work beside it, and clients ask one after the other; with TEST_STORAGE=s3 objects are in a
 * server that checks signatures, in a bucket of this database.
 */
export async function startTestApp(
  { database, connections }: TestDatabase,
  {
    environment: own = {},
    clock: ownClock,
    work = false,
    alone = false,
    directory: kept,
  }: TestAppOptions = {},
): Promise<TestApp> {
  const clock = ownClock ?? (() => new Date());
  const environment = { ...(await ownStorage(connections)), ...own };
  const directory = kept ?? (await mkdtemp(join(tmpdir(), 'normtrace-app-')));
  const port = await freePort();
  const configuration = loadConfiguration({
    DATA_DIR: directory,
    BASE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_BURST: '1000000',
    RATE_LIMIT_PER_MINUTE: '1000000',
    // Tests share the machine with each other.
    WORKER_CONCURRENCY: '2',
    ...environment,
  });
  const log = pino({ level: configuration.logLevel });
  const { storage, uploads } = await openStorage(configuration, clock);
  const queue = await openQueue({
    connection: connections.system,
    definitions: jobDefinitions,
    concurrency: configuration.workerConcurrency,
    log,
  });
  const payments = await openPayments({ configuration, database, clock, log });
  const dependencies: Dependencies = { configuration, database, storage, queue, payments, clock, log };
  const app = await buildApp(dependencies);
  if (uploads) await uploadRoute(app, uploads);
  const engine = work ? sharedEngine(dependencies) : undefined;
  if (engine) await queue.work(jobHandlers(dependencies, engine));
  const address = await app.listen({ host: '127.0.0.1', port });
  const addresses = [address];
  let identity: Promise<Identity> | undefined;
  const others: ServiceProcess[] = [];
  let workers = work ? 1 : 0;
  const beside = { DATABASE_URL: addressOf(connections.migration), BASE_URL: address, ...environment };
  // Others would go by their own clock.
  if (ownClock === undefined && !alone) {
    const start = async (entry: 'api' | 'worker'): Promise<void> => {
      // As on machines of their own, unless the objects are on the disk that they share.
      const dataDirectory = configuration.storage.kind === 's3' ? join(directory, randomUUID()) : directory;
      others.push(await startService({ entry, dataDirectory, environment: beside }));
    };
    for (let count = 0; count < Number(process.env.TEST_APIS ?? 0); count++) await start('api');
    const apis = [...others];
    for (let count = 0; work && count < Number(process.env.TEST_WORKERS ?? 0); count++) await start('worker');
    workers += others.length - apis.length;
    await Promise.all(apis.map((api) => api.untilReady()));
    addresses.push(...apis.map(({ baseUrl }) => baseUrl));
  }
  const withToken: TestApp['withToken'] = (token, about) => clientOf(addresses, { ...about, token });
  const inBrowser = (signedIn?: Answer, about = {}): Client => {
    const [cookie = ''] = (signedIn?.headers.get('set-cookie') ?? '').split(';');
    const headers = { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) };
    return clientOf(addresses, { ...about, token: undefined, headers });
  };

  return {
    address,
    environment: beside,
    workers,
    dependencies,
    anyone: withToken(undefined),
    withToken,
    inBrowser,
    signUpInBrowser: async (email = `${randomUUID()}@example.org`) => {
      const answer = await inBrowser().request('POST', '/api/v1/auth/browser/sign-up', {
        body: { email, password: 'correct horse battery', name: 'Test User' },
      });
      if (answer.status !== 201) throw new Error(`The sign-up was answered ${answer.status}: ${answer.text}`);
      return inBrowser(answer, { userId: (answer.body as { user_id: string }).user_id, email });
    },
    signUp: async (email = `${randomUUID()}@example.org`) => {
      const { status, body, text } = await send(`${address}/api/v1/auth/sign-up`, {
        method: 'POST',
        token: undefined,
        body: { email, password: 'correct horse battery', name: 'Test User' },
      });
      if (status !== 201) throw new Error(`The sign-up for a test was answered ${status}: ${text}`);
      const { access_token, user_id } = body as { access_token: string; user_id: string };
      return withToken(access_token, { userId: user_id, email });
    },
    enter: async (known) => {
      const userId = known?.userId ?? randomUUID();
      const email = known?.email ?? `${userId}@example.org`;
      const session = {
        id: randomUUID(),
        startedAt: clock(),
        expiresAt: new Date(clock().getTime() + 3_600_000),
      };
      await database.asSystem('a session for a test', async (transaction) => {
        if (!known) {
          await transaction.run(sql`
            insert into auth.users (id, email, name) values (${userId}, ${email}, 'Test User')`);
        }
        await transaction.run(sql`
          insert into auth.sessions (id, user_id, started_at, expires_at)
          values (${session.id}, ${userId}, ${session.startedAt}, ${session.expiresAt})`);
      });
      identity ??= createIdentity(dependencies);
      const subject = { userId, email, emailVerified: false, name: 'Test User', session };
      const { access_token } = await (await identity).issue(subject);
      return withToken(access_token, { userId, email });
    },
    stop: async () => {
      await Promise.all(others.map((other) => other.end('SIGTERM')));
      await (await identity)?.close();
      await app.close();
      await queue.stop(1_000);
      await engine?.close();
      if (kept === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A caller of the service at this address. */
export const clientAt = (
  address: string,
  token: string | undefined,
  about: { readonly userId?: string; readonly email?: string } = {},
): Client => clientOf([address], { ...about, token });

/** A caller who asks these processes of one service in turn. */
function clientOf(
  addresses: readonly string[],
  {
    token,
    userId = '',
    email = '',
    headers = {},
  }: {
    readonly token: string | undefined;
    readonly userId?: string;
    readonly email?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Client {
  let turn = 0;
  return {
    token,
    userId,
    email,
    request: (method, path, options = {}) =>
      send(addresses[turn++ % addresses.length] + path, {
        method,
        token,
        ...options,
        headers: { ...headers, ...options.headers },
      }),
  };
}

async function send(
  url: string,
  request: RequestOptions & { readonly method: string; readonly token: string | undefined },
): Promise<Answer> {
  const { method, token, body, form, headers } = request;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(form ? { body: form } : {}),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}
