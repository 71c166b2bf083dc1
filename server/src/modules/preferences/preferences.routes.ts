import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { invalid } from '../../platform/http/api-error.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { DEFAULTS, MOST_BYTES, Preferences, PreferencesChange } from './preferences.schemas.js';

interface Row {
  readonly chosen: Partial<Omit<Preferences, 'version'>>;
  readonly version: number;
}
const common = { tag: 'Auth', gate: 'open', permission: 'profile.self', within: 'installation' } as const;
const example = {
  ...DEFAULTS,
  theme: 'dark',
  time_zone: 'Europe/Berlin',
  panels: { 'gaps.facets': false },
  version: 3,
};
const select = (userId: string): Statement =>
  sql`select chosen, version from preferences where user_id = ${userId}`;

/** What an earlier version knew and this one does not is left out by the schema of the answer. */
const toPreferences = (row: Row | undefined): Preferences => ({
  ...DEFAULTS,
  tour: { seen: [] },
  ...row?.chosen,
  version: row?.version ?? 0,
});

const getPreferences = readRoute({
  ...common,
  operation: 'getPreferences',
  method: 'GET',
  path: '/auth/me/preferences',
  summary: 'Read the own preferences',
  description: 'Language, colours, keys, times, panels and first page of the application.',
  etag: true,
  answer: Preferences,
  examples: { answer: example },
  handle: async ({ read, caller }) => toPreferences((await read<Row>(select(caller.userId)))[0]),
});

const patchPreferences = writeRoute({
  ...common,
  operation: 'changePreferences',
  method: 'PATCH',
  path: '/auth/me/preferences',
  summary: 'Change the own preferences',
  description:
    'Changes what is named and leaves the rest; of `panels` those that are named. All of it together holds 8 KB as JSON. With ' +
    '`If-Match` only what was read is changed.',
  etag: true,
  body: PreferencesChange,
  answer: Preferences,
  examples: { body: { theme: 'dark', panels: { 'gaps.facets': false } }, answer: example },
  handle: async ({ transaction, caller, body, precondition }) => {
    // A row to lock: two changes at once wait for each other, also the first ones.
    await transaction.run(sql`
      insert into preferences (user_id, chosen) values (${caller.userId}, '{}') on conflict do nothing`);
    const before = await transaction.one<Row>(sql`${select(caller.userId)} for update`);
    precondition.check(toPreferences(before));
    const panels = Object.entries({ ...before.chosen.panels, ...body.panels }).filter(
      ([, value]) => value !== null,
    );
    const chosen = JSON.stringify({ ...before.chosen, ...body, panels: Object.fromEntries(panels) });
    if (Buffer.byteLength(chosen) > MOST_BYTES) {
      throw invalid('body', `All preferences together hold ${MOST_BYTES} bytes as JSON.`, 'too_large');
    }
    return toPreferences(
      await transaction.one<Row>(sql`
        update preferences set chosen = ${chosen}::jsonb, version = version + 1 where user_id = ${caller.userId}
        returning chosen, version`),
    );
  },
});

export const preferenceRoutes: readonly Route[] = [getPreferences, patchPreferences];
