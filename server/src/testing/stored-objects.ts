import type { Storage } from '../platform/storage/storage.js';

/** Keys of the objects below a prefix, which begins with a workspace's id, sorted; wherever the test keeps objects. */
export async function objectsBelow(storage: Storage, ...prefix: readonly string[]): Promise<string[]> {
  const found = await storage.within(prefix[0] ?? '').list(`${prefix.join('/')}/`);
  return found.map(({ key }) => key).sort();
}

/** Keys of all objects, sorted. */
export async function everyObject(storage: Storage): Promise<string[]> {
  const workspaces = [...(await storage.workspaces())].sort();
  return (await Promise.all(workspaces.map((id) => objectsBelow(storage, id)))).flat();
}
