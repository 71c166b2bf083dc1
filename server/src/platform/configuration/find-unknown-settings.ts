import { fileSettingOf, isSecret, SETTING_NAMES } from './settings.js';

/** Names that begin like this are meant for us. */
const FAMILIES =
  /^(NORMTRACE|AUTH|S3|RATE_LIMIT|PAYMENT|STRIPE|ANALYSIS|WORKER|ACCESS_TOKEN|SESSION_MAX|SESSION_IDLE)_/;

/** Shorter names have neighbours that mean something else (PORT, POST, HOST). */
const SHORTEST_COMPARED = 7;

/**
 * Sentences about variables that look like settings of ours and are none: by their family, or because they are a slip
 * of the finger away from one. Everything else in the environment is somebody else's.
 */
export function findUnknownSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set<string>([...SETTING_NAMES, ...SETTING_NAMES.filter(isSecret).map(fileSettingOf)]);
  return Object.keys(environment)
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const nearest = SETTING_NAMES.map((setting) => ({
        setting,
        distance: editDistance(name, setting),
      })).sort((a, b) => a.distance - b.distance)[0]!;
      const slip = nearest.distance <= (nearest.setting.length >= 10 ? 2 : 1);
      const isSlip = slip && nearest.setting.length >= SHORTEST_COMPARED;
      if (!isSlip && !FAMILIES.test(name)) return [];
      const hint = slip ? `Did you mean ${nearest.setting}?` : 'npm start -- --help lists all settings.';
      return [`${name} is not a setting of Normtrace. ${hint}`];
    });
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + same,
        swapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows[i] = row;
  }
  return rows[a.length]![b.length]!;
}
