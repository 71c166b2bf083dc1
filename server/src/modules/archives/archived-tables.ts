import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/** A table of workspace data, as PostgreSQL's catalog tells it. */
export interface ArchivedTable {
  readonly name: string;
  /** Columns that a row brings along: neither generated ones nor numbers that the database counts. */
  readonly columns: readonly string[];
  /** In which order rows were made, where the database counts them. */
  readonly counted: string | null;
  /** Tables that have to be there before. */
  readonly after: readonly string[];
}

/**
 * Tables of a workspace that are not in an archive, each with its reason. A table that is not here is archived: a new
 * one comes along by itself.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  workspace_members: 'people are in the manifest, and are members only where they have an account',
  workspace_invitations: 'secrets',
  webhooks: 'secrets, and addresses of another network',
  webhook_deliveries: 'belong to the webhooks',
  webhook_attempts: 'belong to the webhooks',
  workspace_events: 'what watchers are told while it happens',
  workspace_event_counters: 'count the events',
  embeddings: 'a cache',
  analysis_checkpoints: 'unfinished work',
  trace_extractions: 'the trace is taken out of the documents again',
  purge_requests: 'have to be asked again',
  workspace_exports: 'the archive itself',
  audit_events: 'in the archive to be read; a log that could be imported could be forged',
  audit_chains: 'belong to the audit log',
  attestations: 'in the archive to be read; a licence is declared for one installation',
};

/** All tables that are archived, each after those that it refers to. */
export async function archivedTables(transaction: Transaction): Promise<readonly ArchivedTable[]> {
  const tables = await transaction.many<ArchivedTable>(sql`
    select c.relname as name,
           array(select a.attname::text from pg_attribute a
                 where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                   and a.attidentity = '' order by a.attnum) as columns,
           (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '' limit 1)
             as counted,
           array(select distinct o.relname::text from pg_constraint f join pg_class o on o.oid = f.confrelid
                 where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as after
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' and c.relname <> all (${Object.keys(LEFT_OUT)}::text[])
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped)
    order by c.relname`);
  return inOrder(tables);
}

function inOrder(tables: readonly ArchivedTable[]): readonly ArchivedTable[] {
  const ordered: ArchivedTable[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name));
    const ready = [...waiting].filter(({ after }) => after.every((name) => !names.has(name)));
    if (ready.length === 0)
      throw new Error(`Tables refer to each other in a circle: ${[...names].join(', ')}.`);
    for (const table of ready) {
      ordered.push(table);
      waiting.delete(table);
    }
  }
  return ordered;
}

/** Columns that name a person. */
export const namesPerson = (column: string): boolean =>
  /(_by|_owner|^assignee|^author_id|^user_id)$/.test(column);

/** Columns that say where an object lies, below the workspace. */
export const namesObject = (column: string): boolean => /_key$/.test(column) && column !== 'parsed_key';
