import type { Probe } from '@normtrace/engine';
import type { ModelConfiguration } from '../../platform/configuration/configuration.js';
import type { Database } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { settingsHash } from './model-settings.js';

export interface KeptProbe {
  readonly probe: Probe;
  readonly probed_at: string | Date;
}

/** What the last look found with these settings. */
export const findProbe = (
  database: Pick<Database, 'asSystem'>,
  model: ModelConfiguration,
): Promise<KeptProbe | undefined> =>
  database.asSystem('model probe', (transaction) =>
    transaction.maybeOne<KeptProbe>(
      sql`select probe, probed_at from model_probes where settings = ${settingsHash(model)}`,
    ),
  );

/** Keeps what was found; of other settings nothing is kept. */
export const keepProbe = (
  database: Pick<Database, 'asSystem'>,
  model: ModelConfiguration,
  { probe, now }: { readonly probe: Probe; readonly now: Date },
): Promise<void> =>
  database.asSystem('model probe', async (transaction) => {
    await transaction.run(sql`delete from model_probes where settings <> ${settingsHash(model)}`);
    await transaction.run(sql`
      insert into model_probes (settings, probe, probed_at)
      values (${settingsHash(model)}, ${JSON.stringify(probe)}::jsonb, ${now})
      on conflict (settings) do update set probe = excluded.probe, probed_at = excluded.probed_at`);
  });
