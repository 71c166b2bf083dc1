import { assertObjectKey, assertObjectPrefix } from './object-key.js';
import type { Objects } from './storage.js';

/** Objects of all workspaces, seen from one: every key and prefix has to begin with its id. */
export function confinedObjects(objects: Objects, workspaceId: string): Objects {
  const inside = (key: string): string => {
    assertObjectKey(key);
    return beginning(key);
  };
  const insidePrefix = (prefix: string): string => {
    assertObjectPrefix(prefix);
    return beginning(prefix);
  };
  const beginning = (key: string): string => {
    if (key.startsWith(`${workspaceId}/`)) return key;
    throw new Error(
      'This object belongs to another workspace: its key does not begin with the id of this one.',
    );
  };
  return {
    signUpload: async (terms) => objects.signUpload({ ...terms, key: inside(terms.key) }),
    size: async (key) => objects.size(inside(key)),
    digest: async (key) => objects.digest(inside(key)),
    read: async (key) => objects.read(inside(key)),
    write: async (key, content, contentType) => objects.write(inside(key), content, contentType),
    writeFile: async (key, path, contentType) => objects.writeFile(inside(key), path, contentType),
    copy: async (from, to) => objects.copy(inside(from), inside(to)),
    delete: async (key) => objects.delete(inside(key)),
    deletePrefix: async (prefix) => objects.deletePrefix(insidePrefix(prefix)),
    list: async (prefix) => objects.list(insidePrefix(prefix)),
  };
}
