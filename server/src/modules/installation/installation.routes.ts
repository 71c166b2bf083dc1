import { READABLE_FORMATS } from '@normtrace/engine';
import { freeBytes, keepsDataHere } from '../../platform/disk-space.js';
import { notFound } from '../../platform/http/api-error.js';
import { LANGUAGES } from '../../platform/http/language.js';
import { hasSampleDocuments } from '../../platform/http/pages.js';
import { type Context, openRoute, plainRoute, type Route, readRoute } from '../../platform/http/route.js';
import { holdingsOf, type Membership, rolesInWorkspace } from '../../platform/identity/permissions.js';
import { productVersion } from '../../platform/product-version.js';
import { PLANS, planTable } from '../payments/plans.js';
import { workspaceId } from '../runs/examples.js';
import { WorkspaceParams } from '../workspaces/workspaces.schemas.js';
import {
  type CountedInstallation,
  countInstallation,
  hasAccounts,
  selectOwnMembership,
} from './installation.repository.js';
import {
  Installation,
  InstallationState,
  OwnPermissions,
  OwnWorkspacePermissions,
} from './installation.schemas.js';

const CACHED_SECONDS = 60;

const getInstallation = openRoute({
  operation: 'getInstallation',
  method: 'GET',
  path: '/installation',
  tag: 'Installation',
  summary: 'Read what this installation is',
  description:
    'Version, languages, how people sign in, plans and what can be uploaded: what pages need before anybody is signed in. May ' +
    'be kept by caches for a minute once there are accounts.',
  because: 'The page on which people sign in needs it.',
  gate: 'open',
  answer: Installation,
  examples: {
    answer: {
      name: 'Normtrace',
      version: '0.1.0',
      languages: ['en', 'de'],
      identity: {
        kind: 'embedded',
        issuer: null,
        sign_in: null,
        sign_up: 'open',
        has_accounts: true,
        mails: false,
      },
      billing: false,
      plans: [
        { id: 'free', workspaces: 1, analyses_a_month: 20, price_label: null },
        { id: 'pro', workspaces: 10, analyses_a_month: null, price_label: '49 € / month' },
      ],
      uploads: {
        max_bytes: 52_428_800,
        origin: 'https://normtrace.example.org',
        formats: [
          {
            format: 'xlsx',
            label: { en: 'Excel workbook', de: 'Excel-Arbeitsmappe' },
            endings: ['xlsx'],
            media_types: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
          },
        ],
      },
      features: { ai: false, embeddings: true, demo_workspace: true },
    },
  },
  handle: async (context) => {
    const answer = await describeInstallation(context);
    // Whoever makes the first account and leaves at once is to sign in, not up, when coming back.
    if (answer.identity.has_accounts)
      context.reply.header('cache-control', `public, max-age=${CACHED_SECONDS}`);
    return answer;
  },
});

/** Of this process. */
const startedAt = new Date(Date.now() - Math.round(1000 * process.uptime())).toISOString();

const getState = plainRoute({
  operation: 'getInstallationState',
  method: 'GET',
  path: '/admin/installation',
  tag: 'Administration',
  summary: 'Read the state of the installation',
  description:
    'Versions, jobs that wait, run or failed, size of the database, room on the disk. Settings and secrets are not in it.',
  permission: 'users.manage',
  within: 'installation',
  answer: InstallationState,
  examples: {
    answer: {
      version: '0.1.0',
      node_version: '20.19.0',
      started_at: '2026-01-31T09:30:00.000Z',
      users: { total: 14, active: 12 },
      database: { version: '18.0', bytes: 812_331_008 },
      storage: { kind: 'disk', free_bytes: 52_428_800_000 },
      jobs: [{ job: 'analyses.run', waiting: 2, running: 1, later: 0, failed: 0, oldest_seconds: 14 }],
    },
  },
  handle: async ({ dependencies }) => {
    const { configuration, database, queue } = dependencies;
    const [counted, jobs, free] = await Promise.all([
      database.asSystem('state of the installation', (transaction) =>
        transaction.one<CountedInstallation>(countInstallation),
      ),
      queue.count(),
      keepsDataHere(configuration) ? freeBytes(configuration.dataDirectory) : null,
    ]);
    return {
      version,
      node_version: process.versions.node,
      started_at: startedAt,
      users: { total: counted.users, active: counted.active_users },
      database: { version: counted.database_version, bytes: Number(counted.database_bytes) },
      storage: { kind: configuration.storage.kind, free_bytes: free },
      jobs: jobs
        .filter(({ waiting, running, later, failed }) => waiting + running + later + failed > 0)
        .map(({ oldest, ...job }) => ({ ...job, oldest_seconds: Math.round(oldest) })),
    };
  },
});

const version = productVersion();

async function describeInstallation({ dependencies }: Context): Promise<Installation> {
  const { configuration, database } = dependencies;
  const { auth, storage } = configuration;
  const isEmbedded = auth.kind === 'embedded';
  const accounts = await database.asSystem('whether there are accounts', hasAccounts);
  const own = new URL(configuration.baseUrl).origin;
  return {
    name: 'Normtrace',
    version,
    languages: [...LANGUAGES],
    identity: {
      kind: isEmbedded ? 'embedded' : 'external',
      issuer: isEmbedded ? null : (auth.issuer ?? null),
      sign_in:
        auth.kind === 'jwks' && auth.client
          ? {
              address: '/auth/login',
              label: auth.client.label,
              sign_out: auth.client.signsOut ? '/auth/logout' : null,
            }
          : null,
      sign_up: isEmbedded ? (accounts ? configuration.signUp : 'open') : null,
      has_accounts: accounts,
      mails: configuration.mail !== undefined,
    },
    billing: configuration.billing,
    plans: PLANS.map((id) => ({
      id,
      workspaces: planTable()[id].workspaces ?? null,
      analyses_a_month: planTable()[id].analyses_a_month ?? null,
      price_label: (id === 'free' ? undefined : configuration.planPrices[id]) ?? null,
    })),
    uploads: {
      max_bytes: configuration.maxUploadBytes,
      origin: storage.kind === 's3' ? new URL(storage.endpoint).origin : own,
      formats: READABLE_FORMATS.map(({ format, label, endings, mediaTypes }) => ({
        format,
        label,
        endings: [...endings],
        media_types: [...mediaTypes],
      })),
    },
    features: {
      ai: configuration.model !== undefined,
      embeddings: configuration.embeddings === 'builtin',
      demo_workspace: hasSampleDocuments(),
    },
  };
}

const getOwnPermissions = readRoute({
  operation: 'getOwnPermissions',
  method: 'GET',
  path: '/auth/permissions',
  tag: 'Auth',
  summary: 'Read what one may do in the installation',
  description:
    'The permissions of the caller that belong to no workspace, so that a page shows what will be answered.',
  gate: 'open',
  permission: 'profile.self',
  within: 'installation',
  etag: true,
  answer: OwnPermissions,
  examples: {
    answer: { role: 'engineer', permissions: { 'profile.self': 'allowed', 'users.manage': 'denied' } },
  },
  handle: async ({ caller: { role, through }, permissions }) => ({
    role,
    permissions: holdingsOf(permissions, 'installation', { roles: [role], through }),
  }),
});

const getOwnWorkspacePermissions = readRoute({
  operation: 'getOwnWorkspacePermissions',
  method: 'GET',
  path: '/workspaces/:id/permissions',
  tag: 'Workspaces',
  summary: 'Read what one may do in a workspace',
  description:
    'The role of the caller and what it allows there, so that a page shows what will be answered. An API token that may only ' +
    'read is refused what changes something, whatever is said here.',
  permission: 'workspaces.read',
  within: ({ params }) => params.id,
  resource: 'workspace',
  etag: true,
  params: WorkspaceParams,
  answer: OwnWorkspacePermissions,
  examples: {
    params: { id: workspaceId },
    answer: {
      role: 'engineer',
      is_owner: false,
      permissions: {
        'work-products.write': 'allowed',
        'findings.status': 'not_accepted',
        'members.manage': 'denied',
      },
    },
  },
  handle: async ({ params, caller, read, permissions }) => {
    const [membership] = await read<Membership>(selectOwnMembership(params.id, caller.userId));
    if (!membership) throw notFound('workspace');
    const roles = rolesInWorkspace(permissions, caller.role, membership);
    return {
      role: membership.role,
      is_owner: membership.isOwner,
      permissions: holdingsOf(permissions, 'workspace', { roles, through: caller.through }),
    };
  },
});

export const installationRoutes: readonly Route[] = [
  getInstallation,
  getState,
  getOwnPermissions,
  getOwnWorkspacePermissions,
];
