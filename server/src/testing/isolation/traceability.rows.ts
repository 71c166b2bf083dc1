import { randomUUID } from 'node:crypto';
import type { IsolationRow, Place, World } from './row.js';

const about = (operation: string): IsolationRow => ({
  operation,
  about: 'workspace',
  prepare: async (world, place) => {
    await made(world, place);
    return { query: { workspace_id: place.workspaceId } };
  },
});

export const traceabilityRows: readonly IsolationRow[] = [
  about('getTraceMatrix'),
  about('getTraceGaps'),
  about('getTraceLevels'),
  about('getTraceObligations'),
  {
    operation: 'getTraceGrid',
    about: 'workspace',
    prepare: async (world, place) => {
      await made(world, place);
      const sides = { rows: 'safety_goal', columns: 'functional_safety_requirement' };
      return { query: { workspace_id: place.workspaceId, ...sides } };
    },
  },
  {
    operation: 'getTraceNeighbourhood',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await made(world, place)).artifactId } }),
  },
  about('getTraceCompleteness'),
  about('analyzeTrace'),
  about('suggestTraceLinks'),
  about('getTraceExtraction'),
  {
    operation: 'extractTrace',
    about: 'workspace',
    prepare: async (_, place) => ({ body: { workspace_id: place.workspaceId } }),
  },
  {
    operation: 'startTraceAnalysis',
    about: 'workspace',
    prepare: async (_, place) => ({ body: { workspace_id: place.workspaceId } }),
  },
  {
    operation: 'listArtifacts',
    about: 'visible',
    prepare: async (world, place) => {
      const { artifactId } = await made(world, place);
      return { query: { workspace_id: place.workspaceId }, marker: artifactId };
    },
  },
  {
    operation: 'getArtifact',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await made(world, place)).artifactId } }),
  },
  {
    operation: 'addArtifact',
    about: 'workspace',
    prepare: async (_, place) => ({
      body: { workspace_id: place.workspaceId, artifact_id: 'FSR-9', type: 'safety_goal' },
    }),
  },
  {
    operation: 'changeArtifact',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: { id: (await made(world, place)).artifactId },
      body: { text: 'Says something else.' },
    }),
  },
  {
    operation: 'deleteArtifact',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await made(world, place)).artifactId } }),
  },
  {
    operation: 'listTraceLinks',
    about: 'visible',
    prepare: async (world, place) => {
      const { linkId } = await made(world, place);
      return { query: { workspace_id: place.workspaceId }, marker: linkId };
    },
  },
  {
    operation: 'getTraceLink',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await made(world, place)).linkId } }),
  },
  {
    operation: 'reviewTraceLink',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await made(world, place)).linkId } }),
  },
  {
    operation: 'addTraceLink',
    about: 'workspace',
    prepare: async (world, place) => {
      await made(world, place);
      return {
        body: {
          workspace_id: place.workspaceId,
          source_id: 'FSR-1',
          target_id: 'SG-1',
          link_type: 'satisfies',
        },
      };
    },
  },
  {
    operation: 'deleteTraceLink',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await made(world, place)).linkId } }),
  },
  {
    operation: 'confirmTraceLink',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await made(world, place)).linkId } }),
  },
  {
    operation: 'confirmTraceLinks',
    about: 'workspace',
    prepare: async (world, place) => ({
      body: { workspace_id: place.workspaceId, link_ids: [(await made(world, place)).linkId] },
    }),
  },
  {
    operation: 'putArtifacts',
    about: 'workspace',
    prepare: async (world, place) => {
      await made(world, place);
      return {
        body: {
          workspace_id: place.workspaceId,
          artifacts: [
            { artifact_id: 'FSR-1', type: 'functional_safety_requirement', text: 'Stop soon.' },
            { artifact_id: 'FSR-9', type: 'safety_goal' },
          ],
        },
      };
    },
  },
  {
    operation: 'putTraceLinks',
    about: 'workspace',
    prepare: async (world, place) => {
      const { goalId } = await made(world, place);
      return {
        body: {
          workspace_id: place.workspaceId,
          links: [{ source_id: 'FSR-1', target_id: goalId, link_type: 'satisfies' }],
        },
      };
    },
  },
];

/** Two artifacts and a link between them, as a person added them. */
async function made({ database }: World, { workspaceId, owner }: Place) {
  const ids = { artifactId: randomUUID(), goalId: randomUUID(), linkId: randomUUID() };
  await database.asOwner(
    `with made as (
       insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, text, content_hash, created_by)
       values ($1, $2, 'manual', 1, 'FSR-1', 'functional_safety_requirement', 'Stop.', 'x', $5),
              ($1, $3, 'manual', 2, 'SG-1', 'safety_goal', 'Do not trap.', 'y', $5))
     insert into trace_links (workspace_id, id, origin, ordinal, source_id, target_id, link_type, stated_at, created_by)
     values ($1, $4, 'manual', 1, 'FSR-1', 'SG-1', 'derives_from', 'both', $5)`,
    [workspaceId, ids.artifactId, ids.goalId, ids.linkId, owner.userId],
  );
  return ids;
}
