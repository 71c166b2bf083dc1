import { csvCell } from '@normtrace/engine';
import type { z } from 'zod';
import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import type { Statement } from '../../platform/database/database.js';
import type { GuardedContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import type { Caller } from '../../platform/identity/identity.js';
import { loadPermissionTable, ROLES, type Role } from '../../platform/identity/permissions.js';
import * as repository from './audit.repository.js';
import type { AuditCheck, AuditEvent, AuditFilters } from './audit.schemas.js';
import { REDACTED, redact } from './redact.js';

type Reading = Pick<GuardedContext, 'dependencies' | 'caller'>;

const table = loadPermissionTable();
const rolesThat = (kind: 'allowed' | 'own'): readonly Role[] =>
  ROLES.filter((role) => table.find('audit.read').grants[role]?.kind === kind);
const ALL_ROLES = rolesThat('allowed');
const OWN_ROLES = rolesThat('own');

/** An administrator of the installation reads everything, but not through a token of one workspace. */
export const seesEverything = (caller: Caller): boolean =>
  caller.role === 'admin' && !caller.through?.workspaceId;

export const toEvent = (row: repository.AuditRow): AuditEvent => ({
  id: row.id,
  workspace_id: row.workspace_id === INSTALLATION ? null : row.workspace_id,
  sequence: Number(row.sequence),
  actor_id: row.actor_id,
  actor_email: row.actor_email,
  token_id: row.token_id,
  action: row.action,
  target_type: row.target_type,
  target_id: row.target_id,
  reason: row.redacted && row.reason !== null ? REDACTED : row.reason,
  before: row.redacted ? redact(row.before) : row.before,
  after: row.redacted ? redact(row.after) : row.after,
  redacted: row.redacted,
  request_id: row.request_id,
  hash: row.hash,
  created_at: timestamp(row.created_at),
});

/** The events that the caller may see: those of an engineer, of a workspace, or of the whole installation. */
export const matchingEvents = (caller: Caller, filters: AuditFilters): Statement =>
  repository.selectEvents(
    {
      userId: caller.userId,
      seesEverything: seesEverything(caller),
      allRoles: ALL_ROLES,
      ownRoles: OWN_ROLES,
      ownerSeesAll: table.ownerRoles.some((role) => ALL_ROLES.includes(role)),
    },
    filters,
  );

/** Reads as the caller; whoever sees everything, as the system. */
export const readEvents =
  ({ dependencies, caller }: Reading) =>
  <Row>(statement: Statement): Promise<Row[]> =>
    seesEverything(caller)
      ? dependencies.database.asSystem('audit log for an administrator', (transaction) =>
          transaction.many<Row>(statement),
        )
      : dependencies.database.readAs<Row>(caller, statement);

/** A line by RFC 4180; states as JSON. */
const csvLine = (values: readonly unknown[]): string =>
  `${values.map((value) => (value === null ? '' : csvCell(textOf(value)))).join(',')}\r\n`;

const textOf = (value: unknown): string | number | boolean =>
  typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);

const BATCH = 500;
const COLUMNS = [
  'created_at',
  'workspace_id',
  'sequence',
  'actor_id',
  'actor_email',
  'token_id',
  'action',
  'target_type',
  'target_id',
  'reason',
  'before',
  'after',
  'redacted',
  'request_id',
  'id',
  'hash',
] as const satisfies readonly (keyof AuditEvent)[];

/** All matching events, newest first, as text piece by piece; never more than a batch of them in memory. */
export async function* exportEvents(
  context: Reading,
  filters: AuditFilters,
  format: 'csv' | 'json',
): AsyncGenerator<string> {
  const read = readEvents(context);
  const matching = matchingEvents(context.caller, filters);
  yield format === 'csv' ? `\uFEFF${csvLine(COLUMNS)}` : '{"items":[';
  let last: repository.AuditRow | undefined;
  do {
    const rows: readonly repository.AuditRow[] = await read(repository.selectSome(matching, last, BATCH));
    const events = rows.map(toEvent);
    if (format === 'csv') yield events.map((event) => csvLine(COLUMNS.map((name) => event[name]))).join('');
    else yield events.map((event, n) => (last || n > 0 ? ',' : '') + JSON.stringify(event)).join('');
    last = rows.length === BATCH ? rows.at(-1) : undefined;
  } while (last);
  if (format === 'json') yield ']}';
}

/** Notes that somebody took a copy of the log away. */
export const noteExport = (
  { dependencies, caller, request }: Reading & Pick<GuardedContext, 'request'>,
  workspaceId: string | undefined,
  format: string,
): Promise<void> =>
  dependencies.database.asSystem('an export of the audit log', (transaction) =>
    recordAudit(transaction, {
      workspaceId: workspaceId ?? INSTALLATION,
      actorId: caller.userId,
      action: 'audit_log.exported',
      targetType: 'audit_log',
      targetId: workspaceId ?? INSTALLATION,
      after: { format },
      requestId: request.id,
      tokenId: caller.through?.id,
    }),
  );

/** Whether the chain of a workspace is as it was written. */
export async function checkChain(context: Reading, workspaceId: string): Promise<z.infer<typeof AuditCheck>> {
  const [row] = await readEvents(context)<repository.CheckRow>(repository.selectCheck(workspaceId));
  if (!row) throw new Error('The check of a chain returned no row.');
  const isEndMissing = Number(row.last_sequence ?? 0) !== row.events || row.last_hash !== row.computed_hash;
  const firstBroken = row.first_broken === null ? null : Number(row.first_broken);
  return {
    workspace_id: workspaceId,
    events: row.events,
    intact: firstBroken === null && !isEndMissing,
    first_broken: firstBroken ?? (isEndMissing ? row.events + 1 : null),
    last_hash: row.last_hash,
  };
}
