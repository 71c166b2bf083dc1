import { relative } from 'node:path';
import type { Configuration } from '../platform/configuration/configuration.js';
import { placeOfDatabase } from '../platform/database/database-url.js';

/** Tells the person at the terminal what runs and what to do first. */
export function announce(configuration: Configuration): void {
  const { baseUrl: base, dataDirectory, databaseUrl } = configuration;
  const near = relative(process.cwd(), dataDirectory);
  const shownDirectory = near.startsWith('..') ? dataDirectory : `./${near}`;
  const database = databaseUrl
    ? `PostgreSQL at ${placeOfDatabase(databaseUrl)}`
    : `embedded, in ${shownDirectory}`;
  process.stdout.write(`
  Normtrace is ready.

    Service       ${base}
    API           ${base}/docs
    Database      ${database}
    Documents     ${configuration.storage.kind === 's3' ? `bucket ${configuration.storage.bucket}` : `in ${shownDirectory}`}

  First steps: npm run demo shows a whole gap analysis; ${base}/docs has every operation, beginning with
  POST /api/v1/auth/sign-up. The first person who signs up administers the installation.
  Settings: npm start -- --help. Stop with Ctrl-C.

`);
}
