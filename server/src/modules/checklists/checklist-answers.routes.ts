import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { workProductId, workspaceId } from '../runs/examples.js';
import {
  AnswerParams,
  ChecklistState,
  ItemPassages,
  NewAnswer,
  NewAnswers,
  NewRelease,
  OfWorkspace,
  PassageQuery,
  ReviewedItem,
} from './checklist-answers.schemas.js';
import {
  answerItem,
  answerItems,
  readItemPassages,
  readState,
  releaseChecklist,
  takeBackAnswer,
} from './checklist-answers.service.js';
import { ChecklistParams } from './checklists.schemas.js';
import { reviewedItemExample, stateExample } from './examples.js';

const tag = 'Compliance';
const resource = 'workspace';
const params = { id: 'FS-HARA', item_id: 'FS-HARA-01' };
const query = { workspace_id: workspaceId };

const getResults = readRoute({
  operation: 'getChecklistResults',
  method: 'GET',
  path: '/compliance/checklists/:id/results',
  tag,
  summary: 'Read where a checklist stands',
  description:
    'The items as they are asked now, each with the verdict of the newest run, the answer of a person beside it, and the ' +
    'verdict that counts: that of a person as long as what was reviewed is still what is there, else that of the run ' +
    'unless a person has to confirm it. Indicative analysis – not a confirmation measure, audit, assessment or ' +
    'certification.',
  worded: true,
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  params: ChecklistParams,
  query: OfWorkspace,
  answer: ChecklistState,
  examples: { params: { id: params.id }, query, answer: stateExample },
  handle: ({ params, query, read, language }) =>
    readState(read, { workspaceId: query.workspace_id, checklistId: params.id }, language),
});

const getPassages = readRoute({
  operation: 'getItemPassages',
  method: 'GET',
  path: '/compliance/checklists/:id/items/:item_id/passages',
  tag,
  summary: 'Find passages that may be about an item',
  description:
    'Of the newest versions the paragraphs and cells that share most words with what the item asks, in both languages; a word counts ' +
    'by how few passages have it. Nothing is judged by it: a person looks whether one is evidence.',
  permission: 'work-products.read',
  within: ({ query }) => query.workspace_id,
  resource,
  params: AnswerParams,
  query: PassageQuery,
  answer: ItemPassages,
  examples: {
    params,
    query,
    answer: {
      passages: [
        {
          work_product_id: workProductId,
          name: 'HARA',
          version: 2,
          location: { section: ['3 Hazards'] },
          range: { start: 1204, end: 1241 },
          quote: 'All operational situations were rated.',
          highlights: [{ start: 4, end: 26 }],
        },
      ],
    },
  },
  handle: (context) =>
    readItemPassages(
      context,
      {
        workspaceId: context.query.workspace_id,
        checklistId: context.params.id,
        itemId: context.params.item_id,
      },
      context.query.limit,
    ),
});

const putAnswer = writeRoute({
  operation: 'answerChecklistItem',
  method: 'PUT',
  path: '/compliance/checklists/:id/items/:item_id/answer',
  tag,
  summary: 'Answer an item',
  description:
    'Confirms the verdict of the newest run or overrides it; the verdict stays beside the answer, and every answer stays in ' +
    'the history. When a reviewed document gets a new version, the item changes, or a later run rests on something else, ' +
    'the item has to be reviewed again. `pass` and `NA` resolve the gap of the item as long as they count.',
  worded: true,
  permission: 'checklists.answer',
  within: ({ body }) => body.workspace_id,
  resource,
  params: AnswerParams,
  body: NewAnswer,
  answer: ReviewedItem,
  errors: ['CONFLICT'],
  examples: {
    params,
    body: {
      workspace_id: workspaceId,
      verdict: 'pass',
      reason: 'Reviewed with the safety manager.',
      evidence: [{ work_product_id: workProductId, quote: 'All situations were assessed.' }],
    },
    answer: reviewedItemExample,
  },
  handle: (context) =>
    answerItem(
      context,
      {
        workspaceId: context.body.workspace_id,
        checklistId: context.params.id,
        itemId: context.params.item_id,
      },
      context.body,
    ),
});

const patchAnswers = writeRoute({
  operation: 'answerChecklistItems',
  method: 'PATCH',
  path: '/compliance/checklists/:id/answers',
  tag,
  summary: 'Answer many items',
  description:
    'As answering each of them: all answers are kept or none, and `details.item_id` of an error names the item that it is about.',
  worded: true,
  permission: 'checklists.answer',
  within: ({ body }) => body.workspace_id,
  resource,
  params: ChecklistParams,
  body: NewAnswers,
  answer: ChecklistState,
  errors: ['CONFLICT'],
  examples: {
    params: { id: params.id },
    body: {
      workspace_id: workspaceId,
      answers: [{ item_id: params.item_id, verdict: 'pass', reason: 'Reviewed with the safety manager.' }],
    },
    answer: stateExample,
  },
  handle: (context) =>
    answerItems(
      context,
      { workspaceId: context.body.workspace_id, checklistId: context.params.id },
      context.body.answers,
    ),
});

const deleteAnswer = writeRoute({
  operation: 'takeBackChecklistAnswer',
  method: 'DELETE',
  path: '/compliance/checklists/:id/items/:item_id/answer',
  tag,
  summary: 'Take an answer back',
  description:
    'The verdict of the newest run counts again, or a person has to confirm it. The history keeps the answer.',
  permission: 'checklists.answer',
  within: ({ query }) => query.workspace_id,
  resource,
  params: AnswerParams,
  query: OfWorkspace,
  status: 204,
  examples: { params, query },
  handle: (context) =>
    takeBackAnswer(context, {
      workspaceId: context.query.workspace_id,
      checklistId: context.params.id,
      itemId: context.params.item_id,
    }),
});

const postRelease = writeRoute({
  operation: 'releaseChecklist',
  method: 'POST',
  path: '/compliance/checklists/:id/releases',
  tag,
  summary: 'Approve a checklist',
  description:
    'A manager approves where the checklist stands: every item is reviewed, and none of the answers that count is their ' +
    'own. When something else stands there later, the approval is not current any more; it stays visible.',
  permission: 'reports.release',
  within: ({ body }) => body.workspace_id,
  enforces: ['not_the_author'],
  resource,
  idempotent: true,
  params: ChecklistParams,
  body: NewRelease,
  status: 201,
  answer: ChecklistState,
  errors: ['CONFLICT'],
  examples: {
    params: { id: params.id },
    body: { workspace_id: workspaceId, comment: 'Approved for release 2.' },
    answer: stateExample,
  },
  handle: (context) => {
    const place = { workspaceId: context.body.workspace_id, checklistId: context.params.id };
    const results = `/api/v1/compliance/checklists/${place.checklistId}/results`;
    context.reply.header('location', `${results}?workspace_id=${place.workspaceId}`);
    return releaseChecklist(context, place, context.body.comment);
  },
});

export const checklistAnswerRoutes: readonly Route[] = [
  getResults,
  getPassages,
  putAnswer,
  patchAnswers,
  deleteAnswer,
  postRelease,
];
