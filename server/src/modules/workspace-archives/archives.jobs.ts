import { z } from 'zod';
import type { JobDefinition } from '../../platform/queue/queue.js';

const ExportWorkspace = z.strictObject({ workspaceId: z.guid(), exportId: z.guid() });
export type ExportWorkspace = z.output<typeof ExportWorkspace>;
const ImportWorkspace = z.strictObject({ userId: z.guid(), importId: z.guid() });
export type ImportWorkspace = z.output<typeof ImportWorkspace>;

const ContinueImport = z.strictObject({ workspaceId: z.guid() });
export type ContinueImport = z.output<typeof ContinueImport>;

/** Packs everything that a workspace holds. */
export const exportWorkspaceJob: JobDefinition<ExportWorkspace> = {
  name: 'workspaces.export',
  parse: (payload) => ExportWorkspace.parse(payload),
  retryLimit: 3,
  expireInSeconds: 3600,
  concurrency: 1,
};

/** Makes a workspace of an archive. */
export const importWorkspaceJob: JobDefinition<ImportWorkspace> = {
  name: 'workspaces.import',
  parse: (payload) => ImportWorkspace.parse(payload),
  retryLimit: 3,
  expireInSeconds: 3600,
  concurrency: 1,
};

/** Asks again what was asked where an archive comes from, as soon as everything for it has been read. */
export const continueImportJob: JobDefinition<ContinueImport> = {
  name: 'workspaces.continue-import',
  parse: (payload) => ContinueImport.parse(payload),
  retryLimit: 10,
  expireInSeconds: 600,
};
