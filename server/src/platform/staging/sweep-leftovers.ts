import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const HOUR = 3_600_000;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/**
 * What a killed process may leave behind, by folder below the data directory, and the longest time that somebody can still
 * be at work on it: a file that arrives gets an hour, a backup a day.
 */
const LEFTOVERS: readonly {
  readonly folder: string;
  readonly name: RegExp;
  readonly milliseconds: number;
}[] = [
  { folder: 'objects/unfinished', name: new RegExp(`^(?:check-)?${UUID}$`), milliseconds: 2 * HOUR },
  { folder: 'objects', name: new RegExp(`^signing-key-${UUID}$`), milliseconds: 2 * HOUR },
  { folder: '.', name: new RegExp(`^credentials\\.json\\.${UUID}\\.new$`), milliseconds: 2 * HOUR },
  { folder: '.', name: /^backup-\d+$/, milliseconds: 24 * HOUR },
];

/**
 * Deletes what killed processes left below the data directory, once nobody can be at work on it any more. No row names any
 * of it. Returns how many.
 */
export async function sweepLeftovers(
  { dataDirectory }: { readonly dataDirectory: string },
  now: Date,
): Promise<number> {
  let swept = 0;
  for (const { folder, name, milliseconds } of LEFTOVERS) {
    const directory = join(dataDirectory, folder);
    for (const entry of (await readdir(directory).catch(missingAsEmpty)).filter((found) =>
      name.test(found),
    )) {
      const path = join(directory, entry);
      // The time of the last change to the file itself: a second name for an old file is as young as the name.
      const changed = (await stat(path).catch(() => undefined))?.ctimeMs;
      if (changed === undefined || now.getTime() - changed < milliseconds) continue;
      await rm(path, { recursive: true, force: true });
      swept++;
    }
  }
  return swept;
}

function missingAsEmpty(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
