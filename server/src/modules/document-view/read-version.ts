import { sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import type { GuestReach, ReadContext } from '../../platform/http/route.js';
import { type ReadVersionRow, selectReadVersion } from './document-view.repository.js';

export const resource = 'version of a work product';

/** Guests read documents as they were read: those of the workspace, or the versions that their analysis looked at. */
export const guestsOfVersions: GuestReach<VersionAsked['params'], unknown> = {
  workspace: ({ params }) => sql`select from work_products where id = ${params.id}`,
  analysis: ({ params }, { targetId }) => sql`
    select from analysis_inputs
    where analysis_id = ${targetId} and work_product_id = ${params.id} and version = ${params.version}`,
};

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
