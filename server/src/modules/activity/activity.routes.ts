import { inLanguage, type Sentence } from '@normtrace/engine';
import { notFound } from '../../platform/http/api-error.js';
import type { Language } from '../../platform/http/language.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { selectWorkspace } from '../gaps/gap-lists.repository.js';
import { gapId, standardId, workspaceId } from '../runs/examples.js';
import { WorkspaceParams } from '../workspaces/workspaces.schemas.js';
import { type ActivityRow, selectActivity } from './activity.repository.js';
import { type Activity, ActivityList, ActivityQuery } from './activity.schemas.js';

const toActivity =
  (language: Language) =>
  ({ actor_id, actor_name, text, said, request_id, ...row }: ActivityRow): Activity => ({
    ...row,
    created_at: timestamp(row.created_at),
    actor: actor_id === null ? null : { id: actor_id, name: actor_name ?? '' },
    text:
      text === null
        ? null
        : inLanguage({ title: text, said: said ? { title: said as Sentence } : null }, language).title,
    group_key: request_id === null ? null : `${request_id} ${row.action}`,
  });

const listActivity = readRoute({
  operation: 'listActivity',
  method: 'GET',
  path: '/workspaces/:id/activity',
  tag: 'Workspaces',
  summary: 'List what was done in a workspace',
  description:
    'Runs that ended, documents that came and what people decided, newest first: who, when, about what. Reasons and states ' +
    'stand where they belong: in the history of the gap, in the audit log.',
  worded: true,
  permission: 'activity.read',
  within: ({ params }) => params.id,
  resource: 'workspace',
  params: WorkspaceParams,
  query: ActivityQuery,
  answer: ActivityList,
  examples: {
    params: { id: workspaceId },
    query: { type: 'gap' },
    answer: {
      items: [
        {
          id: '5d0b3f9e-51f0-4f0f-8b6e-5a2a4a1d9d10',
          created_at: '2026-03-01T09:30:00.000Z',
          actor: { id: '1f0e2d3c-4b5a-4978-8675-64534231201f', name: 'Ada Example' },
          action: 'gap.status_changed',
          type: 'gap',
          object_id: gapId,
          label: '7.4.2.1',
          text: 'FSR-02 is linked to no safety goal',
          standard_id: standardId,
          became: 'in_progress',
          version: null,
          group_key: 'req-1 gap.status_changed',
        },
      ],
      total: 1,
      page: 1,
      limit: 20,
      next_cursor: null,
    },
  },
  handle: async (context) => {
    const { params, query, caller, language } = context;
    if ((await context.read(selectWorkspace(params.id))).length === 0) throw notFound('workspace');
    const { type, actor_id } = query;
    return readPage(context, {
      query,
      matching: selectActivity(params.id, { type, actor_id }, caller.userId),
      toItem: toActivity(language),
    });
  },
});

export const activityRoutes: readonly Route[] = [listActivity];
