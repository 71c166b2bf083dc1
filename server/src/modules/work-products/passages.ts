import type { Block, Document, Location } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/** A part of a document by which it is found: some lines of one page or sheet. */
export interface Passage {
  /** Half-open range in the text of the document. */
  readonly start: number;
  readonly end: number;
  readonly location: Location;
  readonly text: string;
}

/** Letters after which a passage ends with the block that it has come to. */
const LETTERS = 600;
/** What repeats on every page, and what says where something stands. */
const LEFT_OUT: readonly Block['kind'][] = ['page_header', 'page_footer', 'toc_entry'];

/** The text of a document in parts that begin anew with headings, pages and sheets. */
export function toPassages({ blocks, text }: Pick<Document, 'blocks' | 'text'>): readonly Passage[] {
  const passages: { start: number; end: number; location: Location }[] = [];
  let open: (typeof passages)[number] | undefined;
  for (const { kind, start, end, location } of blocks) {
    if (LEFT_OUT.includes(kind)) {
      open = undefined;
      continue;
    }
    if (text.slice(start, end).trim() === '') continue;
    const goesOn =
      open !== undefined &&
      kind !== 'heading' &&
      open.end - open.start < LETTERS &&
      open.location.page === location.page &&
      open.location.sheet === location.sheet;
    if (goesOn) {
      open!.end = Math.max(open!.end, end);
    } else {
      open = { start, end, location };
      passages.push(open);
    }
  }
  // PostgreSQL keeps no zero characters; positions stay.
  return passages.map((one) => ({ ...one, text: text.slice(one.start, one.end).replaceAll('\0', ' ') }));
}

/** Passages of a version instead of those of the versions before; none when a newer one was announced meanwhile. */
export async function storePassages(
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly workProductId: string; readonly version: string },
  passages: readonly Passage[],
): Promise<void> {
  const { workspaceId, workProductId, version } = place;
  const isNewest = await transaction.maybeOne(sql`
    select id from work_products
    where workspace_id = ${workspaceId} and id = ${workProductId} and version = ${version}`);
  if (!isNewest) return;
  await transaction.run(sql`
    delete from passages where workspace_id = ${workspaceId} and work_product_id = ${workProductId}`);
  await transaction.run(sql`
    insert into passages (workspace_id, work_product_id, version, start_offset, end_offset, location, text)
    select ${workspaceId}, ${workProductId}, ${version}, p.*
    from unnest(${passages.map(({ start }) => start)}::integer[], ${passages.map(({ end }) => end)}::integer[],
                ${passages.map(({ location }) => JSON.stringify(location))}::jsonb[],
                ${passages.map(({ text }) => text)}::text[]) as p`);
}
