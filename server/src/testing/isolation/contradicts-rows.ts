import { guardOf } from '../../platform/http/route.js';
import { grantFor, type PermissionTable, rolesInWorkspace } from '../../platform/identity/permissions.js';
import { routes } from '../../routes.js';
import { ACTORS } from './row.js';
import { isolationRows } from './rows.js';

/** Whether a row of the table of isolation decides what the table grants plainly, or leaves a condition undecided. */
export const contradictsRows = (table: PermissionTable): boolean =>
  isolationRows.some((row) => {
    const route = routes.find(({ operation }) => operation === row.operation);
    const guard = route && guardOf(route);
    if (row.about !== 'workspace' || !guard) return false;
    return ACTORS.some((actor) => {
      const membership = { role: actor === 'owner' ? 'admin' : actor, isOwner: actor === 'owner' } as const;
      const grant = grantFor(table.find(guard.permission), rolesInWorkspace(table, 'engineer', membership));
      const isDecided = grant !== undefined && grant.kind !== 'allowed';
      return (row.decided?.[actor] !== undefined) !== isDecided;
    });
  });
