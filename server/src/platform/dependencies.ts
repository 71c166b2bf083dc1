import type { Logger } from 'pino';
import type { Configuration } from './configuration/configuration.js';
import type { Database } from './database/database.js';
import type { Metrics } from './metrics/metrics.js';
import type { PaymentProvider } from './payments/payment-provider.js';
import type { Queue } from './queue/queue.js';
import type { Storage } from './storage/storage.js';
import type { Traces } from './traces/traces.js';

/** What the entry point builds once and every route and job receives. */
export interface Dependencies {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly storage: Storage;
  readonly queue: Queue;
  readonly payments: PaymentProvider;
  /** The current time; tests pass their own. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Absent unless the settings ask for them, like `traces`. */
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
}
