import { type Route, readRoute } from '../../platform/http/route.js';
import { gapId, standardId, workspaceId } from '../runs/examples.js';
import { Work, WorkQuery } from './my-work.schemas.js';
import { workOf } from './my-work.service.js';
import { workEventRoutes } from './work-events.routes.js';

const getWork = readRoute({
  operation: 'getWork',
  method: 'GET',
  path: '/me/work',
  tag: 'Me',
  summary: 'Read what waits for the caller',
  description:
    'Gaps, proposals, acceptances that end, answers to look at again and changed links that wait for the caller, in all ' +
    'workspaces at once.',
  worded: true,
  permission: 'work.read',
  within: 'visible',
  query: WorkQuery,
  answer: Work,
  examples: {
    answer: {
      counts: {
        overdue: 1,
        mention: 0,
        assigned: 1,
        proposal: 0,
        acceptance_ending: 0,
        criterion_review: 0,
        checklist_review: 0,
        suspect_links: 0,
        purge: 0,
      },
      waiting: [
        {
          kind: 'assigned',
          workspace_id: workspaceId,
          workspace_name: 'Lane assistance',
          id: gapId,
          standard_id: standardId,
          label: '7.4.2.1',
          text: 'FSR-02 is linked to no safety goal',
          severity: 'high',
          due_date: '2026-03-31',
          overdue: true,
          began_at: '2026-03-01T09:30:00.000Z',
          count: 1,
          place: null,
        },
      ],
    },
  },
  handle: (context) => workOf(context, context.query.limit),
});

export const myWorkRoutes: readonly Route[] = [getWork, ...workEventRoutes];
