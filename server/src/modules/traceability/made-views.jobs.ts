import { z } from 'zod';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { JobDefinition, Queue } from '../../platform/queue/queue.js';

const MakeViews = z.strictObject({ workspaceId: z.guid() });
export type MakeViews = z.output<typeof MakeViews>;

/** Makes what the screens of a large trace are drawn from. */
export const makeViewsJob: JobDefinition<MakeViews> = {
  name: 'traceability.views',
  concurrency: 1,
  parse: (payload) => MakeViews.parse(payload),
  retryLimit: 2,
  expireInSeconds: 900,
};

/** Artifacts and links together. Of less, views are made in some tenths of a second by who asks. */
export const LARGE = 20_000;
/** A job that was asked for so long ago says nothing about whether it is still there. */
const TRUSTED_MINUTES = 10;
/** Who works through links changes several in this time. */
export const TOGETHER_SECONDS = 2;

const isForgotten: Statement = sql`
  (trace_views.awaited_since is null
   or trace_views.awaited_since < now() - make_interval(mins => ${TRUSTED_MINUTES}))`;

/**
 * Has the views of a trace made behind the transaction that changes it: of one that was large already, or is now; for no other
 * anything is stored.
 * @param rows Artifacts and links that it has now, where that is known.
 */
export async function wantViews(
  transaction: Transaction,
  queue: Queue,
  workspaceId: string,
  { rows = 0, afterSeconds }: { readonly rows?: number; readonly afterSeconds?: number } = {},
): Promise<void> {
  const isFirst =
    rows >= LARGE
      ? sql`insert into trace_views (workspace_id, awaited_since) values (${workspaceId}, now())
            on conflict (workspace_id) do update set awaited_since = now() where ${isForgotten} returning true as first`
      : sql`update trace_views set awaited_since = now() where workspace_id = ${workspaceId} and ${isForgotten}
            returning true as first`;
  if (!(await transaction.maybeOne(isFirst))) return;
  await queue.enqueue(
    transaction,
    makeViewsJob,
    { workspaceId },
    afterSeconds === undefined ? {} : { afterSeconds },
  );
}
