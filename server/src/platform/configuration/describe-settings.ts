import { SETTING_NAMES, SETTINGS, type SettingName } from './settings.js';

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
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

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
