import type { Logger } from 'pino';
import type { Configuration } from '../configuration/configuration.js';
import type { Database } from '../database/database.js';
import { createLocalProvider } from './local-provider.js';
import type { PaymentProvider } from './payment-provider.js';

/** The provider of the settings. The Stripe client is only loaded where it is used: it is large. */
export async function openPayments(parts: {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
}): Promise<PaymentProvider> {
  const { configuration, database, clock, log } = parts;
  const { payments, paymentWebhookSecrets } = configuration;
  if (payments.kind === 'local') return createLocalProvider(configuration, database, clock);
  const { createStripeProvider } = await import('./stripe-provider.js');
  return createStripeProvider(payments, paymentWebhookSecrets, log);
}
