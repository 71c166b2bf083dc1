import { readFileSync } from 'node:fs';

/** Version of the service, from its package. */
export function productVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Whether version `a` is newer than `b`, by their three numbers. */
export function isNewer(a: string, b: string): boolean {
  const numbers = (version: string): number[] => version.split(/[.+-]/).slice(0, 3).map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  const differing = [0, 1, 2].find((at) => left[at] !== right[at]);
  return differing !== undefined && (left[differing] ?? 0) > (right[differing] ?? 0);
}
