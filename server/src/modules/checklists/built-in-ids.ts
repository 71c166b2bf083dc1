import { createHash } from 'node:crypto';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What comes with the engine has words for ids, and no UUID is one. */
export const isUuid = (id: string): boolean => UUID.test(id);

/** For the order of lists only; never answered. */
export function idOfBuiltIn(word: string): string {
  const digits = createHash('sha256').update(word).digest('hex').slice(0, 32);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
