import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIST, isBundled, MADE } from '../scheduling/program.js';
import { engineVersion } from './run-method.js';

const DATA = new URL('../data/', DIST);
let identity: Promise<string> | undefined;

/**
 * Version and content of the engine: `0.1.0+1f3a9c0b2d4e`. Results of another code or other data are never taken for
 * results of this one, even when nobody raised the version. Data are read; of the modules the build has noted the hash.
 */
export const engineIdentity = (): Promise<string> => {
  identity ??= computeIdentity();
  return identity;
};

async function computeIdentity(): Promise<string> {
  const modules = isBundled() ? await readFile(new URL(MADE, DIST), 'utf8') : await hashOfModules(DIST);
  const content = createHash('sha256').update(`${modules} ${await hashOfFiles(DATA, () => true)}`);
  return `${engineVersion().version}+${content.digest('hex').slice(0, 12)}`;
}

/** Of all that was compiled but tests, without what the build makes of it. */
export const hashOfModules = (dist: URL): Promise<string> =>
  hashOfFiles(dist, (path) => /\.js$/.test(path) && !/\.test\.|^programs\b/.test(path));

async function hashOfFiles(folder: URL, isMeant: (path: string) => boolean): Promise<string> {
  const root = fileURLToPath(folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter(isMeant)
    .sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const content = createHash('sha256').update(await readFile(join(root, file)));
    hash.update(file).update('\0').update(content.digest());
  }
  return hash.digest('hex');
}
