import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineVersion } from '@normtrace/engine';

const ROOT = fileURLToPath(new URL('..', import.meta.resolve('@normtrace/engine')));
let identity: Promise<string> | undefined;

/**
 * Version and content of the engine: `0.1.0+1f3a9c0b2d4e`. Results of another code or other data are never taken for
 * results of this one, even when nobody raised the version.
 */
export const engineIdentity = (): Promise<string> => {
  identity ??= computeIdentity();
  return identity;
};

async function computeIdentity(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['data', 'dist']) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
    const files = entries
      .filter(
        (entry) =>
          entry.isFile() &&
          /\.(js|yaml)$/.test(entry.name) &&
          !entry.name.includes('.test.') &&
          !entry.parentPath.endsWith('programs'),
      )
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    for (const file of files) {
      hash.update(file.slice(ROOT.length)).update('\0');
      hash.update(
        createHash('sha256')
          .update(await readFile(file))
          .digest(),
      );
    }
  }
  return `${engineVersion().version}+${hash.digest('hex').slice(0, 12)}`;
}
