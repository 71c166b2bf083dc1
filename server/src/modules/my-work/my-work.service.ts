import { inLanguage, type Sentence } from '@normtrace/engine';
import type { ReadContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { ROLES, type Role } from '../../platform/identity/permissions.js';
import { selectWork, type WorkRow } from './my-work.repository.js';
import { WORK_KINDS, type Work, type WorkItem } from './my-work.schemas.js';

/** An acceptance that ends within so many days is told. Our own choice: time for a meeting. */
const DAYS = 30;

type Context = Pick<ReadContext, 'read' | 'caller' | 'permissions' | 'language' | 'now'>;

/** What waits for the caller, in the language of the request. */
export async function workOf(
  { read, caller, permissions, language, now }: Context,
  limit: number,
): Promise<Work> {
  const rolesThat = (permission: string): readonly Role[] => {
    const { id, person, grants } = permissions.find(permission);
    const { through } = caller;
    const isBeyondToken = through && (person || !(through.permissions?.includes(id) ?? true));
    return isBeyondToken ? [] : ROLES.filter((role) => grants[role]?.kind === 'allowed');
  };
  const rows = await read<WorkRow>(
    selectWork(
      {
        userId: caller.userId,
        now,
        deciding: rolesThat('findings.severity'),
        purging: rolesThat('purge.confirm'),
        linking: rolesThat('trace-links.write'),
        days: DAYS,
        limit,
      },
      permissions.ownerRoles,
    ),
  );
  const counts = Object.fromEntries(
    WORK_KINDS.map((kind) => [kind, rows.find((row) => row.kind === kind)?.total ?? 0]),
  ) as Record<(typeof WORK_KINDS)[number], number>;
  const toItem = ({ said, total: _, overdue_total: __, text, ...row }: WorkRow): WorkItem => ({
    ...row,
    text:
      text === null
        ? null
        : inLanguage({ title: text, said: said && { title: said as Sentence } }, language).title,
    began_at: timestamp(row.began_at),
  });
  return {
    counts: { overdue: rows.find(({ kind }) => kind === 'assigned')?.overdue_total ?? 0, ...counts },
    waiting: WORK_KINDS.flatMap((kind) => rows.filter((row) => row.kind === kind).map(toItem)),
  };
}
