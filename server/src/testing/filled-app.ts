import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { type Filled, fillWorkspace } from './filled-workspace.js';
import { type Client, startTestApp, type TestApp, type TestAppOptions } from './test-app.js';
import {
  createBareDatabase,
  createTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from './test-database.js';
import { testServer } from './test-server.js';

export interface FilledApp {
  readonly database: TestDatabase;
  readonly app: TestApp;
  /** Administrator of the installation, `kim@example.org`. */
  readonly owner: Client;
  readonly engineer: Client;
  readonly manager: Client;
  readonly filled: Filled;
  stop(): Promise<void>;
}

/** Who is known in a picture. */
interface Person {
  readonly userId: string;
  readonly email: string;
}

/** A filled workspace to copy: a database nobody is connected to, and the directory of its objects. */
interface Picture {
  readonly template: string;
  readonly directory: string;
  readonly filled: Filled;
  readonly owner: Person;
  readonly engineer: Person;
  readonly manager: Person;
}

/**
 * An app that works on jobs, in a copy of an installation with a workspace of `fillWorkspace`. It is filled once in a run of
 * tests, by the first file that asks: some fifteen seconds of a processor, for each of twenty files otherwise.
 */
export async function startFilledApp(options: TestAppOptions = {}): Promise<FilledApp> {
  // Objects in a bucket belong to its database alone: each file fills its own.
  if (inject('testStorage')) {
    const database = await createTestDatabase();
    const app = await startTestApp(database, { work: true, ...options });
    return withStop({ database, app, ...(await fill(app, database)) });
  }
  const picture = await pictureOfThisRun();
  const directory = await mkdtemp(join(tmpdir(), 'normtrace-app-'));
  await cp(picture.directory, directory, { recursive: true });
  const database = await createTestDatabase(picture.template);
  const app = await startTestApp(database, { work: true, directory, ...options });
  const [owner, engineer, manager] = await Promise.all([
    app.enter(picture.owner),
    app.enter(picture.engineer),
    app.enter(picture.manager),
  ]);
  const started = withStop({ database, app, owner, engineer, manager, filled: picture.filled });
  return {
    ...started,
    stop: async () => {
      await started.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const withStop = (started: Omit<FilledApp, 'stop'>): FilledApp => ({
  ...started,
  stop: async () => {
    await started.app.stop();
    await started.database.stop();
  },
});

async function fill(
  app: TestApp,
  database: TestDatabase,
): Promise<Pick<FilledApp, 'owner' | 'engineer' | 'manager' | 'filled'>> {
  const owner = await app.signUp('kim@example.org');
  const members = { engineer: await app.enter(), manager: await app.enter() };
  return { owner, ...members, filled: await fillWorkspace({ app, database, owner, members }) };
}

/** The picture of this run; the first to ask takes it while the others wait. */
async function pictureOfThisRun(): Promise<Picture> {
  const { connections, template } = await testServer();
  const folder = join(inject('testFolder'), 'filled');
  const file = join(folder, 'picture.json');
  const lock = new pg.Client(connections.migration);
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock(hashtext($1))', [`filled ${template}`]);
    const taken = await readFile(file, 'utf8').catch(() => undefined);
    if (taken) return JSON.parse(taken) as Picture;
    // What one left that failed.
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    const picture = await takePicture(template, join(folder, 'data'));
    await writeFile(file, JSON.stringify(picture));
    return picture;
  } finally {
    await lock.end();
  }
}

async function takePicture(template: string, directory: string): Promise<Picture> {
  const own = `${template}_filled`;
  await mkdir(directory);
  const bare = await createBareDatabase(template, own);
  const database = openTestDatabase(bare.connections);
  try {
    const app = await startTestApp(database, { work: true, alone: true, directory });
    const { owner, engineer, manager, filled } = await fill(app, database);
    await app.stop();
    await database.stop();
    return {
      ...{ template: own, directory, filled },
      ...{ owner: personOf(owner), engineer: personOf(engineer), manager: personOf(manager) },
    };
  } catch (error) {
    await bare.stop();
    throw error;
  }
}

const personOf = ({ userId, email }: Client): Person => ({ userId, email });
