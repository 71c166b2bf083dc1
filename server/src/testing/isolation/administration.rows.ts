import { randomUUID } from 'node:crypto';
import type { IsolationRow } from './row.js';

export const administrationRows: readonly IsolationRow[] = [
  { operation: 'listTokens', about: 'installation', prepare: async () => ({}) },
  {
    operation: 'createToken',
    about: 'installation',
    prepare: async () => ({ body: { name: 'Build' } }),
  },
  // Tokens are their user's: everybody else's is absent for everybody.
  {
    operation: 'getToken',
    about: 'installation',
    prepare: async () => ({ params: { id: randomUUID() } }),
    succeeds: 404,
  },
  {
    operation: 'revokeToken',
    about: 'installation',
    prepare: async () => ({ params: { id: randomUUID() } }),
    succeeds: 404,
  },
  ...['listAuditEvents', 'exportAuditEvents', 'checkAuditLog'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      prepare: async (_, place) => ({ query: { workspace_id: place.workspaceId } }),
      decided: { engineer: 200 },
    }),
  ),
];
