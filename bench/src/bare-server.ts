/**
 * The least that can answer the reads of the bench `api` over HTTP: Fastify, and the same statement in the same scope on
 * the same driver. No token, no rate limit, no schema, no tag, no headers of security. Started as a process of its own:
 * `node bare-server.js <data directory> <user id> <statement>`; tells its port to its parent.
 */
import { createRequire } from 'node:module';
import type { AddressInfo, Server } from 'node:net';
import { pino } from 'pino';
import { createDatabase } from '../../server/dist/platform/database/create-database.js';
import { databaseOf } from './database.js';

/** What of Fastify is used. */
interface Bare {
  readonly server: Server;
  get(path: string, handle: () => Promise<unknown>): void;
  listen(at: { readonly host: string; readonly port: number }): Promise<unknown>;
}

// A dependency of the server, which has it.
const fastify = createRequire(new URL('../../server/package.json', import.meta.url))('fastify') as () => Bare;

const [directory = '', userId = '', text = ''] = process.argv.slice(2);
const application = { ...(await databaseOf(directory, 'application')), database: 'normtrace' };
const database = createDatabase({
  connections: { application, system: application },
  log: pino({ level: 'silent' }),
});
const app = fastify();
app.get('/', async () => database.readAs({ userId }, { text, values: [] }));
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.((app.server.address() as AddressInfo).port);
