import { csvCell } from '@normtrace/engine';
import { recordAudit } from '../../platform/audit/audit.js';
import { notFound } from '../../platform/http/api-error.js';
import { pageOfItems } from '../../platform/http/pagination.js';
import { type ReadContext, type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { workspaceOfAnalysis } from '../runs/analyses.repository.js';
import { analysisId, gapExample } from '../runs/examples.js';
import {
  type CallListRow,
  decideOpinion,
  type OpinionRow,
  selectCalls,
  selectOpinions,
} from './opinions.repository.js';
import {
  DecideDisagreement,
  Disagreement,
  DisagreementFileQuery,
  DisagreementList,
  DisagreementParams,
  DisagreementQuery,
  type ModelCall,
  ModelCallList,
  ModelCallQuery,
  OpinionParams,
} from './opinions.schemas.js';

const tag = 'Models';
const params = { id: analysisId };
const documentId = '7b1d0c52-93a1-4a35-8b0e-3b3a1c7f5e21';

const example = {
  criterion_id: gapExample.criterion_id,
  clause: gapExample.clause,
  outcome: 'raised',
  by_rules: 'missing',
  by_model: 'covered',
  critic_agrees: true,
  settled: 'covered',
  settled_by: 'model',
  because: null,
  confirm: true,
  parts: [
    {
      part: 'a',
      state: 'shown',
      because: 'Sentence p3.1 states the safe state of the item.',
      evidence: [
        {
          work_product_id: documentId,
          quote: 'In the safe state the actuator is without power.',
          location: { kind: 'page', page: 4 },
        },
      ],
    },
  ],
  missing: '',
  checks: [],
  decision: null,
};

const toDisagreement = (row: OpinionRow): Disagreement => {
  const { rules, decision, ...same } = row;
  return {
    ...(same as unknown as Disagreement),
    checks: [...rules],
    decision: decision && { ...decision, decided_at: timestamp(decision.decided_at) },
  };
};

const about = {
  tag,
  permission: 'analyses.read',
  within: ({ params }: { params: { id: string } }) => workspaceOfAnalysis(params.id),
  resource: 'analysis',
} as const;

/** Every role may read lists: that there is such a run is looked at here. */
async function requireRun({
  params,
  read,
}: {
  readonly params: { readonly id: string };
  readonly read: ReadContext['read'];
}): Promise<void> {
  const [run] = await read(workspaceOfAnalysis(params.id));
  if (!run) throw notFound('analysis');
}

const listDisagreements = readRoute({
  ...about,
  operation: 'listDisagreements',
  method: 'GET',
  path: '/analysis/analyses/:id/disagreements',
  summary: 'Where rules and the model differ',
  description:
    'What rules, language model and critic said of each criterion that rules were not certain of, and who won, in the order of ' +
    'the standard. Where both agree is left out unless it is asked for (`outcome=same`).',
  params: OpinionParams,
  query: DisagreementQuery,
  answer: DisagreementList,
  examples: { params, answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: async (context) => {
    await requireRun(context);
    return pageOfItems(context, {
      query: context.query,
      items: await context.read<OpinionRow>(
        selectOpinions({ ...context.query, analysisId: context.params.id, userId: context.caller.userId }),
      ),
      keyOf: ({ criterion_id }) => criterion_id,
      toItem: toDisagreement,
      sorts: { criterion_id: ({ criterion_id }) => criterion_id, outcome: ({ outcome }) => outcome },
    });
  },
});

const COLUMNS = [
  'criterion_id',
  'clause',
  'outcome',
  'by_rules',
  'by_model',
  'critic_agrees',
  'settled',
  'settled_by',
  'because',
  'confirm',
  'missing',
  'quotes',
  'decision',
  'reason',
] as const;

const csvLine = (row: OpinionRow): string => {
  const { decision, parts } = row;
  const quotes = parts.flatMap(({ evidence }) => evidence.map(({ quote }) => quote)).join(' | ');
  const cells = { ...row, quotes, decision: decision?.decision ?? null, reason: decision?.reason ?? null };
  return COLUMNS.map((name) => (cells[name] === null ? '' : csvCell(String(cells[name])))).join(',');
};

const exportDisagreements = readRoute({
  ...about,
  operation: 'exportDisagreements',
  method: 'GET',
  path: '/analysis/analyses/:id/disagreements/export',
  summary: 'Where rules and the model differ, as CSV',
  description: 'The same list as a file, one line for each criterion.',
  permission: 'reports.export',
  enforces: ['marked_copy'],
  params: OpinionParams,
  query: DisagreementFileQuery,
  produces: { 'text/csv': 'text' },
  examples: { params },
  handle: async ({ params, query, read, caller, reply }) => {
    const rows = await read<OpinionRow>(
      selectOpinions({ ...query, analysisId: params.id, userId: caller.userId }),
    );
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="disagreements.csv"')
      .send(`${[COLUMNS.join(','), ...rows.map(csvLine)].join('\r\n')}\r\n`);
  },
});

const decideDisagreement = writeRoute({
  ...about,
  operation: 'decideDisagreement',
  method: 'PUT',
  path: '/analysis/analyses/:id/disagreements/:criterion_id',
  summary: 'Decide where rules and the model differ',
  description:
    'Says, in the name of the person who is signed in, who is right. The newest decision counts, in later runs of the same ' +
    'standard as well, as long as rules, model and documents say the same. A gap is closed by its status, not by this.',
  permission: 'opinions.decide',
  resource: 'criterion with an opinion',
  params: DisagreementParams,
  body: DecideDisagreement,
  answer: Disagreement,
  examples: {
    params: { ...params, criterion_id: example.criterion_id },
    body: { decision: 'model', reason: 'The safe state is stated in chapter 4.' },
    answer: {
      ...example,
      decision: {
        decision: 'model',
        reason: 'The safe state is stated in chapter 4.',
        decided_by: '7c1e7f0a-3d53-4a53-9c38-0f7b35a1d0c4',
        decided_at: '2026-01-31T09:30:00.000Z',
        analysis_id: analysisId,
      },
    },
  },
  handle: async ({ transaction, params, body, caller, request }) => {
    const decided = await decideOpinion(transaction, { ...params, ...body, userId: caller.userId });
    if (!decided) throw notFound('criterion with an opinion');
    await recordAudit(transaction, {
      workspaceId: decided.workspace_id,
      action: 'opinion.decided',
      targetType: 'analysis',
      targetId: params.id,
      actorId: caller.userId,
      reason: body.reason,
      after: { criterion_id: params.criterion_id, decision: body.decision },
      requestId: request.id,
    });
    const rows = await transaction.many<OpinionRow>(
      selectOpinions({
        ...{ analysisId: params.id, userId: caller.userId },
        outcome: ['same', 'raised', 'lowered', 'listed', 'abstained'],
      }),
    );
    return toDisagreement(rows.find(({ criterion_id }) => criterion_id === params.criterion_id)!);
  },
});

const callExample = {
  request_sha256: '9f2b7d1c4e5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e',
  task: 'judge',
  template: 'judge@1+3f2a9c0b2d4e',
  outcome: 'model',
  input_tokens: 2610,
  output_tokens: 240,
  milliseconds: 3900,
  documents: [{ work_product_id: documentId, version: 2, passages: 9 }],
  created_at: '2026-01-31T09:30:00.000Z',
};

const toCall = (row: CallListRow): ModelCall => ({
  ...row,
  documents: row.documents.map((one) => ({ ...one, passages: one.passages.length })),
  created_at: timestamp(row.created_at),
});

const listModelCalls = readRoute({
  ...about,
  operation: 'listModelCalls',
  method: 'GET',
  path: '/analysis/analyses/:id/model-calls',
  summary: 'What a run asked the model',
  description:
    'Each question of a run to the language model: what for, with passages of which documents, what it cost and how it ended. ' +
    'No words of questions and answers.',
  params: OpinionParams,
  query: ModelCallQuery,
  answer: ModelCallList,
  examples: { params, answer: { items: [callExample], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: async (context) => {
    await requireRun(context);
    return pageOfItems(context, {
      query: context.query,
      items: await context.read<CallListRow>(selectCalls(context.params.id, context.query.outcome)),
      keyOf: ({ request_sha256 }) => request_sha256,
      toItem: toCall,
      sorts: {
        created_at: ({ created_at }) => timestamp(created_at),
        task: ({ task }) => task,
        outcome: ({ outcome }) => outcome,
      },
    });
  },
});

export const opinionRoutes: readonly Route[] = [
  listModelCalls,
  listDisagreements,
  exportDisagreements,
  decideDisagreement,
];
