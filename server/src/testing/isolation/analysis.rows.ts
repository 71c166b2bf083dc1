import { randomUUID } from 'node:crypto';
import type { Finding } from '@normtrace/engine';
import type { IsolationRow, Place, World } from './row.js';

/** Past the permission, but no stream, which would not end. */
const NO_STREAM = { headers: { accept: 'application/json' } } as const;

export const analysisRows: readonly IsolationRow[] = [
  {
    operation: 'getAnalysisOverview',
    about: 'workspace',
    prepare: async (_, place) => ({ query: { workspace_id: place.workspaceId } }),
  },
  {
    operation: 'search',
    about: 'workspace',
    prepare: async (_, place) => ({ query: { workspace_id: place.workspaceId, q: 'words' } }),
  },
  {
    operation: 'listActivity',
    about: 'workspace',
    prepare: async (world, place) => {
      await finished(world, place);
      return { params: { id: place.workspaceId } };
    },
  },
  {
    operation: 'listViews',
    about: 'workspace',
    prepare: async (_, place) => ({ params: { id: place.workspaceId } }),
  },
  {
    operation: 'createView',
    about: 'workspace',
    prepare: async (_, place) => ({
      params: { id: place.workspaceId },
      body: { screen: 'gaps', name: randomUUID(), query: 'severity=high' },
    }),
  },
  ...(['changeView', 'deleteView'] as const).map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      decided: {
        ...{ viewer: 403, engineer: 403, manager: 403, admin: 403 },
        owner: operation === 'changeView' ? 200 : 204,
      },
      // Of the owner, and shared: others may see it, and may not change it.
      prepare: async ({ database }, place) => {
        const [view] = await database.asOwner<{ id: string }>(
          `insert into saved_views (workspace_id, owner_id, screen, name, query, shared)
           values ($1, $2, 'gaps', gen_random_uuid()::text, '', true) returning id`,
          [place.workspaceId, place.owner.userId],
        );
        return {
          params: { id: place.workspaceId, view_id: view!.id },
          ...(operation === 'changeView' && { body: { shared: false } }),
        };
      },
    }),
  ),
  {
    operation: 'getWork',
    about: 'visible',
    prepare: async (world, place) => {
      const { gapId } = await finished(world, place);
      // What waits for everybody: an acceptance by all of them that ends soon.
      await world.database.asOwner(
        `update gaps set status = 'accepted', accepted_until = now() + interval '5 days', accepted_at = now(), accepted_by = $2
         where id = $1`,
        [gapId, Object.values(place.members).map(({ userId }) => userId)],
      );
      return { marker: gapId };
    },
  },
  {
    operation: 'getStandardDrilldown',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await finished(world, place)).standardId } }),
  },
  {
    operation: 'getStandardReview',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await judged(world, place)).id } }),
  },
  {
    operation: 'getReviewedCriterion',
    about: 'workspace',
    prepare: async (world, place) => ({ params: await judged(world, place) }),
  },
  {
    operation: 'answerCriterion',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: await judged(world, place),
      body: { verdict: 'covered', reason: 'Seen.' },
    }),
  },
  {
    operation: 'takeBackCriterionAnswer',
    about: 'workspace',
    prepare: async (world, place) => ({ params: await answered(world, place) }),
  },
  {
    operation: 'releaseStandard',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await judged(world, place)).id }, body: {} }),
    decided: { manager: 201, owner: 201 },
  },
  {
    operation: 'getStandardHeatmap',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await finished(world, place)).standardId } }),
  },
  {
    operation: 'getAnalysisTrend',
    about: 'workspace',
    prepare: async (_, place) => ({ query: { workspace_id: place.workspaceId } }),
  },
  {
    operation: 'getEvidenceMap',
    about: 'visible',
    prepare: async (world, place) => {
      const { id } = await finished(world, place);
      return { query: { analysis_id: id }, marker: id };
    },
  },
  {
    operation: 'startGapAnalysis',
    about: 'workspace',
    // Without documents it goes no further than the permission.
    prepare: async (world, place) => ({
      body: { workspace_id: place.workspaceId, standard_id: (await finished(world, place)).standardId },
    }),
  },
  ...['planAnalyses', 'startAnalyses'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      prepare: async (world, place) => {
        const { standardId: standard_id } = await finished(world, place);
        return { body: { workspace_id: place.workspaceId, parts: [{ type: 'gap_analysis', standard_id }] } };
      },
    }),
  ),
  {
    operation: 'getFirstPage',
    about: 'workspace',
    prepare: async (world, place) => {
      const { id } = await finished(world, place);
      return { query: { workspace_id: place.workspaceId }, marker: id };
    },
  },
  {
    operation: 'suggestAnalyses',
    about: 'workspace',
    prepare: async (_world, place) => ({ query: { workspace_id: place.workspaceId } }),
  },
  {
    operation: 'getStandardConditions',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await finished(world, place)).standardId } }),
  },
  {
    operation: 'estimateAnalysis',
    about: 'workspace',
    // Without a model nothing is counted.
    prepare: async (world, place) => ({
      body: { workspace_id: place.workspaceId, standard_id: (await finished(world, place)).standardId },
    }),
  },
  {
    operation: 'listAnalyses',
    about: 'visible',
    prepare: async (world, place) => {
      const { id } = await finished(world, place);
      return { query: { workspace_id: place.workspaceId }, marker: id };
    },
  },
  {
    operation: 'listAnalysisResults',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await finished(world, place)).id } }),
  },
  {
    operation: 'getAnalysis',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await finished(world, place)).id } }),
  },
  ...['listModelCalls', 'listDisagreements', 'exportDisagreements'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      prepare: async (world, place) => ({ params: { id: (await opined(world, place)).id } }),
      ...(operation === 'exportDisagreements' ? { decided: { viewer: 200 } } : {}),
    }),
  ),
  {
    operation: 'decideDisagreement',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: { id: (await opined(world, place)).id, criterion_id: 'REQ-1' },
      body: { decision: 'model', reason: 'It is stated.' },
    }),
  },
  {
    operation: 'cancelAnalysis',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await made(world, place, 'queued')).id } }),
  },
  {
    operation: 'retryAnalysis',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await made(world, place, 'failed')).id } }),
  },
  {
    operation: 'streamAnalysisEvents',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await finished(world, place)).id }, ...NO_STREAM }),
    succeeds: 406,
  },
  {
    operation: 'streamWorkspaceEvents',
    about: 'workspace',
    prepare: async (_, place) => ({ params: { id: place.workspaceId }, ...NO_STREAM }),
    succeeds: 406,
  },
  {
    operation: 'streamWorkEvents',
    about: 'installation',
    prepare: async () => NO_STREAM,
    succeeds: 406,
  },
  {
    operation: 'listGaps',
    about: 'visible',
    prepare: async (world, place) => {
      const { gapId } = await finished(world, place);
      return { query: { workspace_id: place.workspaceId }, marker: gapId };
    },
  },
  ...['getGapFacets', 'listGapSummaries', 'exportGaps'].map(
    (operation): IsolationRow => ({
      operation,
      // Nothing has to be marked in a list that hides what a viewer may not read.
      ...(operation === 'exportGaps' ? { decided: { viewer: 200 } } : {}),
      about: 'workspace',
      prepare: async (world, place) => {
        await finished(world, place);
        return { query: { workspace_id: place.workspaceId } };
      },
    }),
  ),
  {
    operation: 'previewGapChange',
    about: 'workspace',
    prepare: async (world, place) => ({
      body: {
        workspace_id: place.workspaceId,
        ids: [(await finished(world, place)).gapId],
        change: { status: 'in_progress' },
      },
    }),
    decided: { engineer: 200 },
  },
  {
    operation: 'getGap',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { gap_id: (await finished(world, place)).gapId } }),
  },
  {
    operation: 'changeGaps',
    about: 'workspace',
    prepare: async (world, place) => ({
      body: {
        workspace_id: place.workspaceId,
        ids: [(await finished(world, place)).gapId],
        change: { status: 'in_progress' },
      },
    }),
    decided: { engineer: 200 },
  },
  {
    operation: 'startGapsChange',
    about: 'workspace',
    prepare: async (world, place) => ({
      body: {
        workspace_id: place.workspaceId,
        ids: [(await finished(world, place)).gapId],
        change: { status: 'in_progress' },
      },
    }),
    decided: { engineer: 202 },
  },
  {
    operation: 'listGapsChanges',
    about: 'workspace',
    prepare: async (_, place) => ({ query: { workspace_id: place.workspaceId } }),
    decided: { engineer: 200 },
  },
  ...(['getGapsChange', 'stopGapsChange', 'undoGapsChange'] as const).map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      decided: { engineer: operation === 'undoGapsChange' ? 202 : 200 },
      prepare: async ({ database }, place) => {
        const [made] = await database.asOwner<{ id: string }>(
          `insert into gap_changes (workspace_id, change, total, request_id, created_by, status, finished_at)
           values ($1, '{"status": "open"}', 1, 'r', $2, $3, case when $3 = 'stopped' then now() end) returning id`,
          [place.workspaceId, place.owner.userId, operation === 'undoGapsChange' ? 'stopped' : 'running'],
        );
        await database.asOwner(
          `insert into gap_change_items (workspace_id, change_id, position, gap_id, before)
           values ($1, $2, 0, gen_random_uuid(), '{"status": "open"}')`,
          [place.workspaceId, made!.id],
        );
        return { params: { change_id: made!.id } };
      },
    }),
  ),
  {
    operation: 'overrideGapSeverity',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: { gap_id: (await finished(world, place)).gapId },
      body: { severity: 'high', reason: 'It is worse here.' },
    }),
    // As a proposal.
    decided: { engineer: 200 },
  },
  {
    operation: 'decideGapProposal',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: await proposed(world, place),
      body: { decision: 'reject', reason: 'It is not.' },
    }),
    decided: { engineer: 403 },
  },
  {
    operation: 'listGapComments',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { gap_id: (await finished(world, place)).gapId } }),
  },
  {
    operation: 'addGapComment',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: { gap_id: (await finished(world, place)).gapId },
      body: { text: 'Seen.' },
    }),
  },
  {
    operation: 'deleteGapComment',
    about: 'workspace',
    prepare: async (world, place) => ({ params: await commented(world, place) }),
    decided: { engineer: 403, manager: 403, owner: 204 },
  },
  {
    operation: 'listComments',
    about: 'workspace',
    prepare: async (world, place) => ({
      query: {
        workspace_id: place.workspaceId,
        about: 'gap',
        gap_id: (await finished(world, place)).gapId,
      },
    }),
  },
  {
    operation: 'addComment',
    about: 'workspace',
    prepare: async (world, place) => ({
      body: {
        workspace_id: place.workspaceId,
        about: 'gap',
        gap_id: (await finished(world, place)).gapId,
        text: 'Seen.',
      },
    }),
  },
  {
    operation: 'changeComment',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: { id: (await commented(world, place)).comment_id },
      body: { resolved: true },
    }),
  },
  {
    operation: 'deleteComment',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { id: (await commented(world, place)).comment_id } }),
    decided: { engineer: 403, manager: 403, owner: 204 },
  },
  {
    operation: 'getGapHistory',
    about: 'workspace',
    prepare: async (world, place) => ({ params: { gap_id: (await finished(world, place)).gapId } }),
  },
  {
    operation: 'compareAnalyses',
    about: 'workspace',
    prepare: async (world, place) => {
      const { id } = await finished(world, place);
      return { query: { base: id, head: id } };
    },
  },
  {
    operation: 'changeGap',
    about: 'workspace',
    prepare: async (world, place) => ({
      params: { gap_id: (await finished(world, place)).gapId },
      body: { status: 'in_progress' },
    }),
    decided: { engineer: 200 },
  },
];

/** A gap with a proposal of an engineer. */
async function proposed(world: World, place: Place) {
  const { gapId } = await finished(world, place);
  const id = randomUUID();
  await world.database.asOwner(
    `insert into gap_proposals (workspace_id, id, gap_id, kind, severity, reason, proposed_by)
     values ($1, $2, $3, 'severity', 'high', 'It is worse here.', $4)`,
    [place.workspaceId, id, gapId, place.members.engineer.userId],
  );
  return { gap_id: gapId, proposal_id: id };
}

/** A gap with a comment of the owner. */
async function commented(world: World, place: Place) {
  const { gapId } = await finished(world, place);
  const id = randomUUID();
  await world.database.asOwner(
    `insert into comments (workspace_id, id, gap_id, author_id, text) values ($1, $2, $3, $4, 'Seen.')`,
    [place.workspaceId, id, gapId, place.owner.userId],
  );
  return { gap_id: gapId, comment_id: id };
}

export const finished = (
  world: Pick<World, 'database'>,
  place: Pick<Place, 'workspaceId' | 'owner'>,
  more: Partial<Finding> = {},
) => made(world, place, 'completed', more);

/** A run as its worker would have left it, with one document, one verdict with evidence and one gap. */
async function made(
  { database }: Pick<World, 'database'>,
  { workspaceId, owner }: Pick<Place, 'workspaceId' | 'owner'>,
  status: string,
  more: Partial<Finding> = {},
) {
  const ids = {
    standardId: randomUUID(),
    workProductId: randomUUID(),
    id: randomUUID(),
    gapId: randomUUID(),
  };
  const finding = {
    fingerprint: ids.gapId,
    kind: 'missing',
    criterionId: 'C-1',
    title: 'Nothing there',
    standardRef: 'C-1',
    severity: 'low',
    confidence: 'low',
    severityReasons: [],
    expected: 'Something',
    observed: 'Nothing',
    whyItMatters: 'It does',
    recommendation: 'Add it',
    affectedItems: [],
    ...more,
  };
  await database.asOwner(
    `with standard as (
       insert into standards (workspace_id, id, catalog_id, name, category, processing_status, created_by)
       values ($1, $2, 'iso-26262-3-2018', 'Standard', 'functional_safety', 'completed', $6)),
     product as (
       insert into work_products (workspace_id, id, name, original_filename, file_size, file_type,
                                  processing_status, version, created_by)
       values ($1, $3, 'Document', 'document.md', 5, 'text/markdown', 'completed', 1, $6)),
     version as (
       insert into work_product_versions (workspace_id, work_product_id, version, file_name, file_size, file_type,
                                          sha256, object_key, uploaded_by, processing_status)
       values ($1, $3, 1, 'document.md', 5, 'text/markdown', 'x', $1::uuid::text || '/x/y', $6, 'completed')),
     run as (
       insert into analyses (workspace_id, id, type, series, status, mode, standard_id, standard_name, options, input_hash,
                             engine_version, created_by, finished_at, summary, number)
       values ($1, $4::uuid, 'gap_analysis', 'gap_analysis:' || $2, $7, 'rules', $2, 'Standard',
               '{"conditions": {}, "aliases": [], "embeddings": true}', $4::uuid::text, '1', $6, now(), '{"gaps": 1}', 1)),
     input as (
       insert into analysis_inputs (workspace_id, analysis_id, work_product_id, version) values ($1, $4, $3, 1)),
     verdict as (
       insert into analysis_verdicts (workspace_id, analysis_id, ordinal, criterion_id, clause, verdict, confidence,
                                      rules, reason, series, since)
       values ($1, $4, 0, 'C-1', '1', 'missing', 'low', '{}', 'Nothing', 'gap_analysis:' || $2, 1)),
     gap as (
       insert into gaps (workspace_id, id, analysis_type, series, standard_id, fingerprint, change, kind, criterion_id, clause, title,
                         severity, confidence, finding)
       values ($1, $5::uuid, 'gap_analysis', 'gap_analysis:' || $2, $2, $5::uuid::text, 'new', 'missing', 'C-1', '1', 'Nothing there', $8::jsonb ->> 'severity', 'low', $8)),
     documents as (
       insert into gap_documents (workspace_id, key, work_product_ids) values ($1, $5, array[$3::uuid])),
     sighting as (insert into gap_sightings (workspace_id, gap_id, analysis_id) values ($1, $5, $4)),
     occurrence as (
       insert into gap_occurrences (workspace_id, analysis_id, gap_id, ordinal, change, finding, series, since)
       values ($1, $4, $5, 0, 'new', $8, 'gap_analysis:' || $2, 1))
     insert into analysis_evidence (workspace_id, analysis_id, ordinal, criterion_id, work_product_id, version,
                                    location, quote, start_offset, end_offset, role, series, since)
     values ($1, $4, 0, 'C-1', $3, 1, '{}', 'words', 0, 5, 'context', 'gap_analysis:' || $2, 1)`,
    [
      workspaceId,
      ids.standardId,
      ids.workProductId,
      ids.id,
      ids.gapId,
      owner.userId,
      status,
      JSON.stringify(finding),
    ],
  );
  return ids;
}

/** A criterion of a standard that a run has judged. */
async function judged(world: World, place: Place) {
  const { id, standardId } = await finished(world, place);
  const criterion_id = '26262-3:6.5.1';
  await world.database.asOwner(
    `insert into analysis_verdicts (workspace_id, analysis_id, ordinal, criterion_id, clause, verdict, confidence, rules, reason,
                                    series, since)
     values ($1, $2, 1, $3, '6', 'missing', 'low', '{}', 'Nothing', $4, 1) on conflict do nothing`,
    [place.workspaceId, id, criterion_id, `gap_analysis:${standardId}`],
  );
  return { id: standardId, criterion_id };
}

/** The same, with the answer of an engineer. */
async function answered(world: World, place: Place) {
  const { id, criterion_id } = await judged(world, place);
  await world.database.asOwner(
    `insert into criterion_answers (workspace_id, standard_id, criterion_id, verdict, reason, analysis_id, machine_verdict,
                                    basis, documents, answered_by)
     select $1, $2, $3, 'covered', 'Seen.', a.id, 'missing', 'b', '[]', $4 from analyses a where a.standard_id = $2`,
    [place.workspaceId, id, criterion_id, place.members.engineer.userId],
  );
  return { id, criterion_id };
}

/** A run that asked a language model. */
async function opined(world: World, place: Place) {
  const { id } = await finished(world, place);
  await world.database.asOwner(
    `with calls as (
       insert into model_calls (workspace_id, analysis_id, key, task, template, outcome, input_tokens, output_tokens, documents)
       values ($1, $2, sha256($2::uuid::text::bytea), 'judge', 'judge@1', 'model', 1, 1, '[]') on conflict do nothing)
     insert into analysis_opinions (workspace_id, analysis_id, ordinal, criterion_id, clause, by_rules, by_model, settled,
                                    settled_by, outcome, confirm, parts, missing, rules)
     values ($1, $2, 0, 'REQ-1', '1', 'missing', 'covered', 'covered', 'model', 'raised', true, '[]', '', '{}')
     on conflict do nothing`,
    [place.workspaceId, id],
  );
  return { id };
}
