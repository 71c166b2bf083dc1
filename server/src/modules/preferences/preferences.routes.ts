import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { DEFAULTS, Preferences, PreferencesChange } from './preferences.schemas.js';

interface Row {
  readonly chosen: Partial<Preferences>;
}
const common = { tag: 'Auth', gate: 'open', permission: 'profile.self', within: 'installation' } as const;
const example = { ...DEFAULTS, theme: 'dark' };
const select = (userId: string): Statement => sql`select chosen from preferences where user_id = ${userId}`;

/** What an earlier version knew and this one does not is left out by the schema of the answer. */
const toPreferences = (row: Row | undefined): Preferences => ({ ...DEFAULTS, ...row?.chosen });

const getPreferences = readRoute({
  ...common,
  operation: 'getPreferences',
  method: 'GET',
  path: '/auth/me/preferences',
  summary: 'Read the own preferences',
  description: 'Language, colours and keys of the application.',
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
  description: 'Changes what is named and leaves the rest.',
  body: PreferencesChange,
  answer: Preferences,
  examples: { body: { theme: 'dark' }, answer: example },
  handle: async ({ transaction, caller, body }) =>
    toPreferences(
      await transaction.one<Row>(sql`
        insert into preferences as p (user_id, chosen) values (${caller.userId}, ${JSON.stringify(body)}::jsonb)
        on conflict (user_id) do update set chosen = p.chosen || excluded.chosen
        returning chosen`),
    ),
});

export const preferenceRoutes: readonly Route[] = [getPreferences, patchPreferences];
