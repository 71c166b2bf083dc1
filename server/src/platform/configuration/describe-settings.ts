import { isSecret, SETTING_NAMES, SETTINGS, type SettingName } from './settings.js';

/** For the terminal: `npm start -- --help`. */
export function settingsHelp(): string {
  const width = Math.max(...SETTING_NAMES.map((name) => name.length));
  const lines = SETTING_NAMES.map((name) => {
    const shown = defaultOf(name);
    const plain = descriptionOf(name).replaceAll('`', '');
    return `  ${name.padEnd(width)}  ${plain}${shown === undefined ? '' : ` Default: ${shown}.`}`;
  });
  return [
    'Normtrace: compliance analysis for the documents that make cars safe.',
    '',
    '  npm start              the whole service in one process',
    '  npm start -- --help    this text',
    '',
    'Settings are environment variables; all have a default that works:',
    '',
    ...lines,
  ].join('\n');
}

/** The page `docs/configuration.md`. */
export function settingsPage(): string {
  const rows = SETTING_NAMES.map((name) => {
    const shown = defaultOf(name);
    return `| \`${name}\` | ${shown === undefined ? '' : `\`${shown}\``} | ${descriptionOf(name)} |`;
  });
  return [
    '# Configuration',
    '',
    '<!-- Generated from server/src/platform/configuration/settings.ts: change that, then run `npm run generate`. -->',
    '',
    'Settings are environment variables. All have a default that works, so that `npm start` needs none. An empty',
    'variable counts as unset. A malformed setting, one that does not fit the others, or a variable that looks like a',
    'setting and is none (`RATE_LIMIT_PER_MINUT`) stops the start with a sentence that names it.',
    '',
    `A secret may also lie in a file, named by the setting with \`_FILE\` behind it (\`DATABASE_URL_FILE=/run/secrets/database\`):`,
    `${SETTING_NAMES.filter(isSecret)
      .map((name) => `\`${name}\``)
      .join(', ')}.`,
    '',
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
    ...OWN_DATABASE,
  ].join('\n');
}

const OWN_DATABASE = [
  '## A PostgreSQL of your own',
  '',
  'Versions 15 to 18, one database for Normtrace. Everything runs in three roles, which the migrations make:',
  '`normtrace_owner` owns the tables, `normtrace_app` serves requests and jobs and is bound by row-level security,',
  '`normtrace_system` does the few tasks that have no workspace. The service never works as an owner or superuser: its',
  'connections take the role `normtrace_app` or `normtrace_system` when they are made.',
  '',
  'The simple way is one login that owns the database and may create roles:',
  '',
  '```sql',
  "create role normtrace login createrole password '…';",
  'create database normtrace owner normtrace;',
  '```',
  '',
  'The hardened way is two logins: `DATABASE_OWNER_URL` with the login above, needed by',
  '`node server/dist/start/migrate.js` alone, and `DATABASE_URL` with a login that has no rights of its own. The',
  'migrations let it act as `normtrace_app` and `normtrace_system`, and as nothing else.',
  '',
  'Where no login of yours may create roles, an administrator runs once, in the new database:',
  '',
  '```sql',
  'create role normtrace_owner; create role normtrace_app; create role normtrace_system;',
  'grant normtrace_owner, normtrace_app, normtrace_system to normtrace;',
  'grant create, connect, temporary on database normtrace to normtrace_owner;',
  'grant usage, create on schema public to normtrace_owner;',
  '```',
  '',
  'A connection pooler in between has to work in session mode: roles, prepared statements and `LISTEN` belong to a',
  'connection. API and worker as processes of their own (`start/api.js`, `start/worker.js`) need a `DATABASE_URL`; so do',
  'several of either, with `STORAGE=s3` or a `DATA_DIR` that they share.',
  '',
];

function descriptionOf(name: SettingName): string {
  return SETTINGS[name].meta()?.description ?? '';
}

/** As it would be written into the environment; undefined where there is none or the description says it. */
function defaultOf(name: SettingName): string | undefined {
  const value = SETTINGS[name].safeParse(undefined).data;
  if (value === undefined) return undefined;
  if (typeof value !== 'boolean') return String(value);
  return name === 'BILLING' ? (value ? 'on' : 'off') : String(value);
}
