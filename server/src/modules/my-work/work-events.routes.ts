import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { sql } from '../../platform/database/sql.js';
import { plainRoute, type Route } from '../../platform/http/route.js';
import { Id } from '../../platform/http/schemas.js';
import {
  assertStreamWanted,
  lastEventId,
  STREAMING,
  streamEvents,
} from '../../platform/progress/event-streams.js';
import { readAs } from '../runs/events.routes.js';

/** What arrives faster is told together. */
const PAUSE_MILLISECONDS = 1_000;

const WorkEvent = z
  .object({
    id: z.int(),
    event: z.literal('work_changed'),
    data: z.object({
      workspace_ids: z.array(Id).meta({ description: 'Workspaces in which something happened.' }),
    }),
  })
  .meta({ id: 'WorkEvent', description: 'Something happened in workspaces of the caller.' });

interface Happened {
  readonly workspace_id: string;
  readonly last: number;
}

/** Of each workspace of the caller the number of the last event that is more than a step of a run. */
const selectHappened = sql`
  select w.id as workspace_id, coalesce(e.last, 0)::integer as last
  from workspaces w
  left join lateral (
    select sequence as last from workspace_events
    where workspace_id = w.id and type not in ('progress', 'finding') order by sequence desc limit 1) e on true
  order by w.id`;

const workEvents = plainRoute({
  operation: 'streamWorkEvents',
  method: 'GET',
  path: '/me/events',
  tag: 'Me',
  summary: 'Watch all workspaces',
  description:
    'Server-sent events of all workspaces of the caller in one stream: `work_changed` says in which of them something ' +
    'happened, so that `GET /me/work` and `GET /workspaces` are asked again; once a second at most. Ids rise; with ' +
    '`Last-Event-ID` it is told at once whether something has happened since. Ends with the access token or the session ' +
    'of the cookie; a workspace that somebody joins meanwhile is watched from the next stream on.',
  permission: 'profile.self',
  within: 'installation',
  produces: { 'text/event-stream': WorkEvent },
  errors: ['NOT_ACCEPTABLE'],
  examples: {},
  fastify: STREAMING,
  handle: async (context) => {
    assertStreamWanted(context.request);
    const start = await readAs<Happened>(context, selectHappened);
    let seen = new Map(start.map(({ workspace_id, last }) => [workspace_id, last]));
    const sum = (rows: readonly Happened[]): number => rows.reduce((all, { last }) => all + last, 0);
    // Whoever comes back has missed something where the numbers are not those that they have seen.
    const before = lastEventId(context.request);
    const missed = before !== undefined && before !== sum(start);
    let isFirst = true;
    await streamEvents(context.request, context.reply, {
      watcher: context.caller.userId,
      topics: start.map(({ workspace_id }) => workspace_id),
      start: 0,
      milliseconds: context.caller.token.expiresAt * 1000 - context.dependencies.clock().getTime(),
      read: async (after) => {
        if (!isFirst) await setTimeout(PAUSE_MILLISECONDS);
        const rows = isFirst ? start : await readAs<Happened>(context, selectHappened);
        const changed =
          isFirst && missed ? rows : rows.filter(({ workspace_id, last }) => seen.get(workspace_id) !== last);
        seen = new Map(rows.map(({ workspace_id, last }) => [workspace_id, last]));
        isFirst = false;
        const events =
          changed.length === 0
            ? []
            : [
                {
                  id: Math.max(sum(rows), after + 1),
                  type: 'work_changed',
                  data: { workspace_ids: changed.map(({ workspace_id }) => workspace_id) },
                },
              ];
        return { events, ended: false };
      },
    });
  },
});

export const workEventRoutes: readonly Route[] = [workEvents];
