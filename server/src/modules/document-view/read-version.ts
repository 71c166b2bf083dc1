import { notFound } from '../../platform/http/api-error.js';
import type { ReadContext } from '../../platform/http/route.js';
import { type ReadVersionRow, selectReadVersion } from './document-view.repository.js';

export const resource = 'version of a work product';

/** What a request about a version has. */
export type Reading = Pick<ReadContext, 'read' | 'dependencies' | 'request'> & VersionAsked;

interface VersionAsked {
  readonly params: { readonly id: string; readonly version: number };
}

/** The version as the caller may see it. Throws 404. */
export async function readVersion({
  read,
  params,
}: Pick<ReadContext, 'read'> & VersionAsked): Promise<ReadVersionRow> {
  const [row] = await read<ReadVersionRow>(selectReadVersion(params.id, params.version));
  if (!row) throw notFound(resource);
  return row;
}
