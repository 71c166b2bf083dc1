import type { z } from 'zod';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { ToldEvent } from './events.schemas.js';

/**
 * Tells who watches a workspace what people did in it. Ids alone: whoever may read the things asks for them. Comes last in its
 * transaction, because it locks the counter of the workspace.
 */
export const tellWorkspace = (
  transaction: Transaction,
  workspaceId: string,
  { event, data }: Omit<z.output<typeof ToldEvent>, 'id'>,
): Promise<number> =>
  transaction.run(sql`select app.add_event(${workspaceId}, null, ${event}, ${JSON.stringify(data)}::jsonb)`);
