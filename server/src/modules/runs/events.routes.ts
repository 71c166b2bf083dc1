import { inLanguage } from '@normtrace/engine';
import { z } from 'zod';
import { notFound } from '../../platform/http/api-error.js';
import type { Language } from '../../platform/http/language.js';
import { type GuardedContext, plainRoute, type Route } from '../../platform/http/route.js';
import { Id } from '../../platform/http/schemas.js';
import {
  assertStreamWanted,
  STREAMING,
  type StreamedEvent,
  streamEvents,
} from '../../platform/progress/event-streams.js';
import { AnalysisParams } from './analyses.schemas.js';
import * as repository from './events.repository.js';
import { AnalysisEvent, WorkspaceEvent } from './events.schemas.js';
import { analysisId, workspaceId } from './examples.js';

const WorkspaceParams = z.strictObject({ id: Id });

interface AnalysisEventsRow {
  readonly ended: boolean;
  readonly last: string;
  readonly events: readonly StreamedEvent[];
}

const analysisEvents = plainRoute({
  operation: 'streamAnalysisEvents',
  method: 'GET',
  path: '/analysis/analyses/:id/events',
  tag: 'Analysis',
  summary: 'Watch an analysis',
  description:
    'Server-sent events: `progress` (`stage, percent, done, total, message, eta_seconds`), `finding` as they arise, ' +
    '`completed`, `failed` (also past the time limit), `cancelled`. Ids rise; `Last-Event-ID` goes on after one, on ' +
    'any instance. The stream ends with the analysis, or with the access token or the session of the cookie.',
  worded: true,
  permission: 'analyses.read',
  within: 'visible',
  resource: 'analysis',
  params: AnalysisParams,
  produces: { 'text/event-stream': AnalysisEvent },
  errors: ['NOT_ACCEPTABLE'],
  examples: { params: { id: analysisId } },
  fastify: STREAMING,
  handle: async ({ params, ...context }) => {
    const read = async (after: number) => {
      const [row] = await readAs<AnalysisEventsRow>(
        context,
        repository.selectAnalysisEvents(params.id, after, context.caller.userId),
      );
      if (!row) throw notFound('analysis');
      const last = row.events.at(-1)?.id ?? after;
      return {
        events: row.events.map((event) => inWords(event, context.language)),
        ended: row.ended && last >= Number(row.last),
      };
    };
    // Before anything is sent, so that an unknown id is answered 404.
    await read(Number.MAX_SAFE_INTEGER);
    assertStreamWanted(context.request);
    await streamEvents(context.request, context.reply, {
      watcher: context.caller.userId,
      topics: [params.id],
      start: 0,
      milliseconds: context.caller.token.expiresAt * 1000 - context.dependencies.clock().getTime(),
      read,
    });
  },
});

const workspaceEvents = plainRoute({
  operation: 'streamWorkspaceEvents',
  method: 'GET',
  path: '/workspaces/:id/events',
  tag: 'Workspaces',
  summary: 'Watch a workspace',
  description:
    'Server-sent events of all analyses of a workspace, as for one analysis (`data.analysis_id` says which), and ' +
    '`document` when the processing of a file goes on, `gaps_changed` (`gap_ids`, `actions`) when people or the end of an ' +
    'acceptance changed gaps, `comments_changed` when somebody commented, `report` when a report is queued, rendered, complete, failed or deleted, ' +
    '`checklist_answer`, `link`, `member`, `export` (of the whole workspace) and `standard` when people changed one of ' +
    'these: with ids, so that they are asked for again. Without `Last-Event-ID` it begins with the runs under way.',
  worded: true,
  permission: 'analyses.read',
  within: 'visible',
  resource: 'workspace',
  params: WorkspaceParams,
  produces: { 'text/event-stream': WorkspaceEvent },
  errors: ['NOT_ACCEPTABLE'],
  examples: { params: { id: workspaceId } },
  fastify: STREAMING,
  handle: async ({ params, ...context }) => {
    const [first] = await readAs<repository.WorkspaceStreamRow>(
      context,
      repository.selectStreamStart(params.id),
    );
    if (!first) throw notFound('workspace');
    assertStreamWanted(context.request);
    await streamEvents(context.request, context.reply, {
      watcher: context.caller.userId,
      topics: [params.id],
      start: Number(first.start),
      milliseconds: context.caller.token.expiresAt * 1000 - context.dependencies.clock().getTime(),
      read: async (after) => {
        const rows = await readAs<repository.EventRow>(
          context,
          repository.selectWorkspaceEvents(params.id, after, context.caller.userId),
        );
        return {
          events: rows.map((row) => inWords({ ...row, id: Number(row.id) }, context.language)),
          ended: false,
        };
      },
    });
  },
});

/** An event in the words of a language; keys and values are for programs of ours. */
function inWords(event: StreamedEvent, language: Language): StreamedEvent {
  if (event.type !== 'finding') return event;
  const { said: _, ...data } = inLanguage(event.data, language) as { readonly said?: unknown };
  return { ...event, data };
}

/** Reads as the caller, who is asked for the token again: a stream outlives the sign-out of its session otherwise. */
export async function readAs<Row>(
  { dependencies, identity, request }: Pick<GuardedContext, 'dependencies' | 'identity' | 'request'>,
  statement: ReturnType<typeof repository.selectStreamStart>,
): Promise<Row[]> {
  const caller = await identity.authenticate(request.headers);
  return dependencies.database.readAs<Row>(caller, statement);
}

export const eventRoutes: readonly Route[] = [analysisEvents, workspaceEvents];
