import type { z } from 'zod';
import type { Page } from '../../platform/http/pagination.js';
import type { ReadContext } from '../../platform/http/route.js';
import type { CatalogQuery, CatalogStandard } from './standards.schemas.js';
import { searchCatalog } from './standards.service.js';

type Context = Pick<
  ReadContext<Record<string, never>, z.output<typeof CatalogQuery>>,
  'query' | 'cursors' | 'caller' | 'operation'
>;

/** Cursors name a row; entries of the catalog have no row id of their own. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * A page of the catalog in the envelope of all lists. The catalog is data of this version, so its order is fixed and
 * the cursor carries how many entries came before.
 */
export async function readCatalogPage(context: Context): Promise<Page<CatalogStandard>> {
  const { cursor, limit, ...filters } = context.query;
  const scope = { operation: context.operation, userId: context.caller.userId, filters };
  const after = cursor === '' ? undefined : await context.cursors.decode(cursor, scope);
  const start = after ? Number(after.key) : 0;
  const entries = await searchCatalog(filters);
  const page = after?.page ?? 1;
  const end = start + limit;
  return {
    items: entries.slice(start, end),
    total: entries.length,
    page,
    limit,
    next_cursor:
      end < entries.length
        ? await context.cursors.encode({ key: String(end), id: NO_ID, page: page + 1 }, scope)
        : null,
  };
}
