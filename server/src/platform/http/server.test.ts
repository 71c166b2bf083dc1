import { pino } from 'pino';
import { expect, test } from 'vitest';
import { loadConfiguration } from '../configuration/load.js';
import type { Dependencies } from '../dependencies.js';
import { createServer } from './server.js';

test('a connection on which nothing moves is closed, and no request takes for ever to arrive', async () => {
  const dependencies = {
    configuration: loadConfiguration({}),
    log: pino({ level: 'silent' }),
  } as Dependencies;
  const nobody = {
    size: { capacity: 1, perMinute: 1 },
    take: () => Promise.reject(new Error('nobody calls')),
  };
  const app = await createServer({
    dependencies,
    identity: { authenticate: () => Promise.reject(new Error('nobody calls')) },
    limiter: nobody,
    browserLimiter: nobody,
  });
  // Zero, which the framework sets, means never. Event streams have a heartbeat every 15 s.
  expect(app.server.timeout).toBeGreaterThan(30_000);
  expect(app.server.timeout).toBeLessThanOrEqual(300_000);
  expect(app.server.requestTimeout).toBeGreaterThan(600_000);
  await app.close();
});
