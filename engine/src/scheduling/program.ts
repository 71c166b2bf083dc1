import { statSync } from 'node:fs';

/**
 * The program that a process or thread starts with: `cli/trace-child` is that of `cli/trace-child.ts`. All in few files where the build
 * has made them (`scripts/bundle.mjs`), which start in half the time; the modules themselves where only the compiler ran since.
 * @param dist Where the compiler wrote the modules, with a slash at its end.
 */
export function programOf(name: string, dist: URL = DIST): URL {
  return new URL(isBundled(dist) ? `programs/${name.replaceAll('/', '-')}.js` : `${name}.js`, dist);
}

/** Written last by the build; holds the hash of the modules (`hashOfModules`). */
export const MADE = 'programs/made';
export const DIST = new URL('../', import.meta.url);
const known = new Map<string, boolean>();

/** Whether nothing was compiled since the build put the programs together. */
export function isBundled(dist: URL = DIST): boolean {
  let bundled = known.get(dist.href);
  if (bundled === undefined) {
    const made = writtenAt(new URL(MADE, dist));
    bundled = made > 0 && [dist, DIST].every((of) => made >= writtenAt(new URL('.tsbuildinfo', of)));
    known.set(dist.href, bundled);
  }
  return bundled;
}

const writtenAt = (file: URL): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
