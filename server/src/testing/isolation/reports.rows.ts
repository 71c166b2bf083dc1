import { randomUUID } from 'node:crypto';
import { finished } from './analysis.rows.js';
import type { IsolationRow, Place, World } from './row.js';

const exports = ['gap_analysis', 'checklist', 'completeness', 'traceability'] as const;
const OPERATION = {
  gap_analysis: 'exportGapAnalysis',
  checklist: 'exportChecklist',
  completeness: 'exportCompleteness',
  traceability: 'exportTraceability',
} as const;

export const reportRows: readonly IsolationRow[] = [
  {
    operation: 'createReport',
    about: 'workspace',
    prepare: async (world, place) => ({
      body: {
        workspace_id: place.workspaceId,
        type: 'gap_analysis',
        analysis_ids: [(await finished(world, place)).id],
        format: 'json',
      },
    }),
  },
  {
    operation: 'listReports',
    about: 'visible',
    prepare: async (world, place) => ({
      query: { workspace_id: place.workspaceId },
      marker: await made(world, place, 'completed'),
    }),
  },
  {
    operation: 'getReport',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: await made(world, place, 'completed') } }),
  },
  {
    operation: 'downloadReport',
    about: 'workspace',
    // Past the permission: nothing is rendered here.
    prepare: async (world, place) => ({ params: { id: await made(world, place, 'queued') } }),
    succeeds: 409,
    decided: { viewer: 409 },
  },
  {
    operation: 'previewReport',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: await made(world, place, 'queued') } }),
    succeeds: 409,
    decided: { viewer: 409 },
  },
  {
    operation: 'previewNewReport',
    about: 'workspace',
    prepare: async (world, place) => ({
      query: {
        workspace_id: place.workspaceId,
        type: 'gap_analysis',
        analysis_ids: await run(world, place, 'gap_analysis'),
      },
    }),
    // Past the permission: a run that has not ended has no result.
    succeeds: 422,
  },
  {
    operation: 'retryReport',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: await made(world, place, 'failed') } }),
  },
  {
    operation: 'deleteReport',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: await made(world, place, 'completed') } }),
    decided: { engineer: 403 },
  },
  ...exports.map(
    (type): IsolationRow => ({
      operation: OPERATION[type],
      about: 'workspace',
      prepare: async (world, place) => ({
        query: {
          workspace_id: place.workspaceId,
          analysis_id: await run(world, place, type),
          format: 'json',
        },
      }),
      // Past the permission: a run that has not ended has no result.
      succeeds: 409,
      decided: { viewer: 409 },
    }),
  ),
];

async function made({ database }: World, { workspaceId, owner }: Place, status: string): Promise<string> {
  const id = randomUUID();
  await database.asOwner(
    `insert into reports (workspace_id, id, type, format, title, options, status, analysis_ids, created_by)
     values ($1, $2, 'gap_analysis', 'html', 'Report', '{"language": "en", "fail_on": "high"}', $3, '{}', $4)`,
    [workspaceId, id, status, owner.userId],
  );
  return id;
}

async function run({ database }: World, { workspaceId, owner }: Place, type: string): Promise<string> {
  const id = randomUUID();
  await database.asOwner(
    `insert into analyses (workspace_id, id, type, series, status, mode, input_hash, engine_version, created_by)
     values ($1, $2, $3, $3, 'queued', 'rules', $4, '1', $5)`,
    [workspaceId, id, type, `hash ${id}`, owner.userId],
  );
  return id;
}
