import type { z } from 'zod';
import type { ReadContext } from '../../platform/http/route.js';
import type { ArtifactNames } from './artifacts.schemas.js';
import { readShown } from './trace-map.js';

/** Letters of a name that a card has room for. */
const MOST_LETTERS = 300;

/** What artifacts of a workspace are called, by their ids as written; those that nothing defines are left out. */
export async function artifactNames(
  context: Pick<ReadContext, 'read'>,
  workspaceId: string,
  ids: Iterable<string>,
): Promise<z.output<typeof ArtifactNames>> {
  const { shown } = await readShown(context, workspaceId, ids);
  return Object.fromEntries(
    [...shown].map(([written, { id, type, name, text }]) => [
      written,
      { id, type, name: (name ?? (text || written)).slice(0, MOST_LETTERS) },
    ]),
  );
}
