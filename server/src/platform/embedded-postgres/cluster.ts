import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { APPLICATION_ROLE, type DatabaseConnections, SYSTEM_ROLE } from '../database/connections.js';
import { prepareRoles } from '../database/roles.js';
import { fromOutput } from '../disk-space.js';
import type { Binaries } from './binaries.js';
import { type Credentials, makeCredentials, readCredentials } from './credentials.js';
import type { RunAs } from './run-as.js';

const DATABASE = 'normtrace';
const SUPERUSER = 'postgres';

/** Where the server listens: a directory with its Unix socket, or an address. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** The directory that PostgreSQL keeps its files in. */
export const clusterDirectory = (dataDirectory: string): string => join(dataDirectory, 'postgres');

/**
 * Makes the cluster where there is none. It is built beside its final place and moved there when it is whole, so an
 * interrupted first start leaves nothing that looks finished.
 */
export function ensureCluster(dataDirectory: string, binaries: Binaries, runAs: RunAs): Credentials {
  const cluster = clusterDirectory(dataDirectory);
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
    if (version !== binaries.majorVersion) {
      throw new Error(
        `The database in ${cluster} was made by PostgreSQL ${version}, this version brings ${binaries.majorVersion}. ` +
          'Export it with the version that made it, and import it here.',
      );
    }
    return readCredentials(dataDirectory);
  }
  const credentials = makeCredentials(dataDirectory);
  initialise(dataDirectory, credentials, binaries, runAs);
  return credentials;
}

/** Makes the database and the logins of its roles, if they are not there yet. */
export async function prepareDatabase(endpoint: Endpoint, credentials: Credentials): Promise<void> {
  const superuser = { ...endpoint, user: SUPERUSER, password: credentials.superuser };
  const found = await withClient({ ...superuser, database: 'postgres' }, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`create database ${DATABASE}`);
    // Roles made by `prepareRoles` cannot log in by themselves.
    const roles = await client.query('select from pg_roles where rolname = $1 and rolcanlogin', [
      SYSTEM_ROLE,
    ]);
    return roles.rowCount;
  });
  if (found) return;
  await withClient({ ...superuser, database: DATABASE }, async (client) => {
    await prepareRoles(client, []);
    await client.query(
      `alter role ${APPLICATION_ROLE} login password ${client.escapeLiteral(credentials.application)};
       alter role ${SYSTEM_ROLE} login password ${client.escapeLiteral(credentials.system)}`,
    );
  });
}

export function connectionsTo(endpoint: Endpoint, credentials: Credentials): DatabaseConnections {
  const as = (user: string, secret: string): pg.ClientConfig => ({
    ...endpoint,
    database: DATABASE,
    user,
    password: secret,
  });
  return {
    migration: as(SUPERUSER, credentials.superuser),
    application: as(APPLICATION_ROLE, credentials.application),
    system: as(SYSTEM_ROLE, credentials.system),
  };
}

function initialise(dataDirectory: string, credentials: Credentials, binaries: Binaries, runAs: RunAs): void {
  const cluster = clusterDirectory(dataDirectory);
  const unfinished = `${cluster}.new`;
  const passwordFile = join(dataDirectory, 'initdb-password');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  giveTo(runAs, unfinished);
  writeFileSync(passwordFile, credentials.superuser, { mode: 0o600 });
  giveTo(runAs, passwordFile);
  const [command, ...args] = [
    ...runAs.prefix,
    binaries.initdb,
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
  const result = spawnSync(command!, args, { encoding: 'utf8' });
  rmSync(passwordFile, { force: true });
  if (result.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw fromOutput(
      `The database in ${cluster} could not be made: ${result.stderr || result.error?.message}`,
    );
  }
  renameSync(unfinished, cluster);
}

function giveTo(runAs: RunAs, path: string): void {
  if (runAs.owner !== undefined) chownSync(path, runAs.owner, runAs.owner);
}

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
