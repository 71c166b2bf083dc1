import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/** A table of workspace data, as PostgreSQL's catalog tells it. */
export interface LoggedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Tables of a workspace that are not even in the part of an archive that is there to be read, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  workspace_members: 'people are in the manifest',
  workspace_invitations: 'secrets',
  guests: 'let people of this installation in',
  webhooks: 'secrets, and addresses of another network',
  webhook_deliveries: 'belong to the webhooks',
  webhook_attempts: 'belong to the webhooks',
  workspace_events: 'what watchers are told while it happens',
  workspace_event_counters: 'count the events',
  embeddings: 'a cache',
  passages: 'what documents say, which are there themselves',
  analysis_checkpoints: 'unfinished work',
  trace_extractions: 'the trace is taken out of the documents again',
  trace_views: 'made of the trace again',
  traced_documents: 'which versions the trace was taken from, with it',
  purge_requests: 'have to be asked again',
  workspace_exports: 'the archive itself',
  gap_changes: 'what came of them is at the gaps',
  gap_change_items: 'belong to those changes',
  uploads: 'how files arrived',
  imported_work: 'what an import has not come to yet',
  attestations: 'written without the addresses of people: see `selectLog`',
};

/** All tables that are written down to be read. One that is added comes along by itself. */
export const loggedTables = (transaction: Transaction): Promise<readonly LoggedTable[]> =>
  transaction.many<LoggedTable>(sql`
    select c.relname as name,
           array(select a.attname::text from pg_attribute a
                 where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                   and a.attname !~ '_key$' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' and c.relname <> all (${Object.keys(LEFT_OUT)}::text[])
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped)
    order by c.relname`);
