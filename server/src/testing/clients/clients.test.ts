import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { CLIENTS, roundWith } from './generated-clients.js';

/** Whether generators may be fetched: `npm run clients`. Those that are there already are always used. */
const MAY_INSTALL = process.env.CLIENTS === 'all';
const DOCUMENT = `# Hazard analysis and risk assessment

## Scope

The item is the lane assistance system of a passenger car.

| ID | Hazardous event | S | E | C | ASIL |
|---|---|---|---|---|---|
| HE-01 | Unwanted steering torque on a motorway | S3 | E4 | C3 | D |
`;

let database: TestDatabase;
let app: TestApp;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { work: true, environment: { EMBEDDINGS: 'off' } });
  folder = await mkdtemp(join(tmpdir(), 'normtrace-clients-'));
  await writeFile(join(folder, 'document.md'), DOCUMENT);
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** What the service says without a generated client. */
const round = { type: 'gap_analysis', gaps: expect.any(Number), listed: expect.any(Number) };

describe('clients generated from the API description', () => {
  it.each(Object.keys(CLIENTS))(
    '%s: compiles and makes a round from sign-up to the pages of gaps',
    async (language) => {
      const client = await CLIENTS[language]?.(MAY_INSTALL);
      if (!client) return;
      const parameters = [app.address, join(folder, 'document.md'), `${randomUUID()}@example.org`];
      const found = (await roundWith(client, parameters)) as {
        readonly gaps: number;
        readonly listed: number;
        readonly pages: number;
        readonly verdicts: number;
      };
      expect(found).toMatchObject(round);
      expect(found.gaps).toBeGreaterThan(3);
      expect(found.listed).toBe(found.gaps);
      expect(found.pages).toBe(Math.ceil(found.gaps / 2));
      expect(found.verdicts).toBeGreaterThan(10);
    },
    600_000,
  );
});
