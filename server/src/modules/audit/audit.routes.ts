import { Readable } from 'node:stream';
import { readPage } from '../../platform/http/pagination.js';
import { plainRoute, type Route } from '../../platform/http/route.js';
import type { Caller } from '../../platform/identity/identity.js';
import {
  AuditCheck,
  AuditCheckQuery,
  AuditEventFile,
  AuditEventList,
  AuditExportQuery,
  AuditQuery,
} from './audit.schemas.js';
import {
  checkChain,
  exportEvents,
  matchingEvents,
  noteExport,
  readEvents,
  seesEverything,
  toEvent,
} from './audit.service.js';

const workspaceId = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
const example = {
  id: '0c1b6a55-2b7e-4a53-9d77-6c9f5b1f8e01',
  workspace_id: workspaceId,
  sequence: 17,
  actor_id: '6b0f5e0e-3f7e-4d0a-8a3f-0a8f2f0c1d11',
  actor_email: 'jo@example.org',
  token_id: null,
  action: 'member.changed',
  target_type: 'member',
  target_id: '5e6a1d8e-1f0b-4a70-8f2b-7e1c9d0a3b44',
  reason: null,
  before: { role: 'viewer', is_owner: false },
  after: { role: 'engineer', is_owner: false },
  redacted: false,
  request_id: '0b6d7a1e-54c2-4b89-9a53-2f1f0ed7b1c4',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  created_at: '2026-01-31T09:30:00.000Z',
};

const common = {
  tag: 'Administration',
  permission: 'audit.read',
  gate: 'open',
  resource: 'workspace',
  // What the statement shows: an engineer’s own events.
  enforces: ['own'],
} as const;

/** The named workspace decides; for an administrator of the installation, and where none is named, the profile. */
const within = (
  { query }: { readonly query: { readonly workspace_id?: string | undefined } },
  caller: Caller,
): string | undefined => (seesEverything(caller) ? undefined : query.workspace_id);

const SEEN =
  'An engineer sees what they did themselves, a manager everything in their workspaces, an administrator of the ' +
  'installation everything; who administers without being a manager there sees no texts (`redacted`).';

const listAuditEvents = plainRoute({
  ...common,
  operation: 'listAuditEvents',
  method: 'GET',
  path: '/audit-log',
  summary: 'List audit events',
  description: `What was decided, by whom, when, with the state before and after; newest first. ${SEEN}`,
  within,
  query: AuditQuery,
  answer: AuditEventList,
  examples: {
    query: { action: 'member.*' },
    answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: (context) =>
    readPage(
      { ...context, read: readEvents(context) },
      { query: context.query, matching: matchingEvents(context.caller, context.query), toItem: toEvent },
    ),
});

const exportAuditEvents = plainRoute({
  ...common,
  operation: 'exportAuditEvents',
  method: 'GET',
  path: '/audit-log/export',
  summary: 'Export audit events',
  description: `All matching events as CSV (UTF-8, safe in a spreadsheet) or JSON, with the hashes of the chain. ${SEEN}`,
  within,
  query: AuditExportQuery,
  produces: { 'text/csv': 'text', 'application/json': AuditEventFile },
  examples: { query: { format: 'csv' } },
  handle: async (context) => {
    const { format, ...filters } = context.query;
    await noteExport(context, filters.workspace_id, format);
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8';
    return context.reply
      .header('content-type', type)
      .header('content-disposition', `attachment; filename="audit-log.${format}"`)
      .send(Readable.from(exportEvents(context, filters, format)));
  },
});

const checkAuditLog = plainRoute({
  ...common,
  operation: 'checkAuditLog',
  method: 'GET',
  path: '/audit-log/check',
  summary: 'Check the audit log',
  description:
    'Computes the chain of hashes of a workspace again. An event that was changed, removed or put in past the service ' +
    'breaks it, and the answer says where.',
  within,
  query: AuditCheckQuery,
  answer: AuditCheck,
  examples: {
    query: { workspace_id: workspaceId },
    answer: {
      workspace_id: workspaceId,
      events: 17,
      intact: true,
      first_broken: null,
      last_hash: example.hash,
    },
  },
  handle: (context) => checkChain(context, context.query.workspace_id),
});

export const auditRoutes: readonly Route[] = [listAuditEvents, exportAuditEvents, checkAuditLog];
