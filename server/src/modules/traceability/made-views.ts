import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { engineIdentity } from '@normtrace/engine';
import type { Database, Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { notFound } from '../../platform/http/api-error.js';
import type { Language } from '../../platform/http/language.js';
import type { ReadContext } from '../../platform/http/route.js';
import { type JobHandler, logGivenUp } from '../../platform/queue/queue.js';
import type { Engine } from '../engine/engine.js';
import { doesTraceCome } from '../runs/waited-for.repository.js';
import { examineStoredTrace, PATIENCE_MILLISECONDS } from './examine-trace.js';
import { revisionOf } from './kept-views.js';
import { LARGE, type MakeViews, makeViewsJob, wantViews } from './made-views.jobs.js';
import { makeViewsTask, type PackedViews, VIEW_FORM } from './make-views-task.js';
import { extractionJson, type StoredExtraction, selectTraceState } from './trace.repository.js';
import { type AssumedRow, type LevelCounts, selectAssumed } from './trace-levels.repository.js';
import { USUAL_OPTIONS } from './trace-views.service.js';

/** What is stored of the views of a trace; of the usual options alone. */
export interface MadeViews extends Readonly<Record<'map' | `gaps_${Language}`, Uint8Array>> {
  readonly levels: LevelCounts;
}
export type MadePart = keyof MadeViews;

/** Whoever makes views says so again before this is over; else another one begins. */
const CLAIM_SECONDS = 15;
const RENEWED_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 100;
/** How often it is looked whether something comes first. */
const YIELD_MILLISECONDS = 500;

/** Of which engine views are. */
const maker = async (): Promise<string> => `${VIEW_FORM} ${await engineIdentity()}`;

type Scope = Pick<Dependencies, 'database'> & { readonly engine: Pick<Engine, 'run'> };

/**
 * A stored view of a large trace as it is now. Where nobody has made it yet it is made, with the others, or waited for who makes it already.
 * Throws 404 when the workspace is not visible.
 * @returns Undefined for a trace of which none is stored, because it is small.
 */
export async function madeView<Part extends MadePart>(
  { read, request, dependencies: { database } }: Pick<ReadContext, 'read' | 'request' | 'dependencies'>,
  workspaceId: string,
  part: Part,
): Promise<{ readonly made: MadeViews[Part]; readonly extraction: StoredExtraction | null } | undefined> {
  const by = await maker();
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  for (;;) {
    signal.throwIfAborted();
    const [row] = await read<MadeRow<Part>>(selectMade(workspaceId, part, by));
    if (!row) throw notFound('workspace');
    const { made, extraction } = row;
    if (made !== null) return { made: made as MadeViews[Part], extraction };
    if (!row.is_kept) return undefined;
    const asked = { workspaceId, revision: revisionOf(extraction), signal };
    const isMade = await makeViews({ database, engine: request.server.engine }, asked);
    if (!isMade) await pause(LOOK_MILLISECONDS);
  }
}

interface MadeRow<Part extends MadePart> {
  readonly extraction: StoredExtraction | null;
  readonly made: MadeViews[Part] | null;
  readonly is_kept: boolean;
}

const selectMade = (workspaceId: string, part: MadePart, by: string): Statement => sql`
  select ${extractionJson(workspaceId)} as extraction,
         case when v.engine_version = ${by} and v.revision = coalesce(
                (select revision from trace_extractions where workspace_id = w.id), 0) then ${PARTS[part]} end as made,
         case when v.workspace_id is not null then true
              else ${rowsUpTo(sql`artifacts`)} + ${rowsUpTo(sql`trace_links`)} >= ${LARGE} end as is_kept
  from workspaces w left join trace_views v on v.workspace_id = w.id
  where w.id = ${workspaceId}`;

const PARTS: Readonly<Record<MadePart, Statement>> = {
  map: sql`v.map`,
  gaps_en: sql`v.gaps_en`,
  gaps_de: sql`v.gaps_de`,
  levels: sql`v.levels`,
};

const rowsUpTo = (table: Statement): Statement =>
  sql`(select count(*) from (select from ${table} where workspace_id = w.id limit ${LARGE}) as found)`;

/**
 * Makes and stores the views of a trace, unless somebody has made them or does it right now.
 * @returns Whether it made them.
 */
async function makeViews(
  { database, engine }: Scope,
  asked: { readonly workspaceId: string; readonly revision: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const { workspaceId } = asked;
  const by = await maker();
  const claim = { ...asked, by, token: randomUUID() };
  const within = withinOf(database, workspaceId);
  if (!(await within((transaction) => takeClaim(transaction, claim)))) return false;
  const ending = new AbortController();
  // A claim that could not be renewed is over by itself: then another one makes the same.
  const renewing = setInterval(() => {
    within((transaction) => renewClaim(transaction, claim)).catch(() => undefined);
  }, RENEWED_MILLISECONDS);
  try {
    const signal = AbortSignal.any([asked.signal, ending.signal]);
    const views = await viewsOf({ database, engine }, { workspaceId, signal });
    await within((transaction) => storeViews(transaction, claim, views));
    return true;
  } finally {
    ending.abort();
    clearInterval(renewing);
    await within((transaction) => endClaim(transaction, claim)).catch(() => undefined);
  }
}

const withinOf =
  (database: Database, workspaceId: string) =>
  <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.withWorkspace(workspaceId, work);

interface Claim {
  readonly workspaceId: string;
  readonly revision: number;
  /** See `maker`. */
  readonly by: string;
  readonly token: string;
}

const CLAIMED_UNTIL = sql`now() + make_interval(secs => ${CLAIM_SECONDS})`;

/** An older state that somebody makes is no reason to wait. */
const takeClaim = async (
  transaction: Transaction,
  { workspaceId, revision, by, token }: Claim,
): Promise<boolean> =>
  (await transaction.maybeOne(sql`
    insert into trace_views as v (workspace_id, making, making_until, claim)
    values (${workspaceId}, ${revision}, ${CLAIMED_UNTIL}, ${token})
    on conflict (workspace_id) do update
      set making = excluded.making, making_until = excluded.making_until, claim = excluded.claim
      where (v.revision is null or v.revision < ${revision} or v.engine_version <> ${by})
        and (v.claim is null or v.making_until < now() or v.making < ${revision})
    returning true as taken`)) !== undefined;

const renewClaim = (transaction: Transaction, { workspaceId, token }: Claim): Promise<number> =>
  transaction.run(sql`
    update trace_views set making_until = ${CLAIMED_UNTIL}
    where workspace_id = ${workspaceId} and claim = ${token}`);

const endClaim = (transaction: Transaction, { workspaceId, token }: Claim): Promise<number> =>
  transaction.run(sql`
    update trace_views set making = null, making_until = null, claim = null
    where workspace_id = ${workspaceId} and claim = ${token}`);

interface StorableViews extends PackedViews {
  /** That they are of. */
  readonly revision: number;
}

/** Nothing of a claim that is over: what was erased meanwhile may be quoted in it. */
const storeViews = (
  transaction: Transaction,
  { workspaceId, by, token }: Claim,
  { revision, map, gaps, levels }: StorableViews,
): Promise<number> =>
  transaction.run(sql`
    update trace_views
    set revision = ${revision}, engine_version = ${by}, map = ${Buffer.from(map)}, gaps_en = ${Buffer.from(gaps.en)},
        gaps_de = ${Buffer.from(gaps.de)}, levels = ${JSON.stringify(levels)}::json
    where workspace_id = ${workspaceId} and claim = ${token}`);

/** How often it begins again when the trace is swapped between what is asked of it. */
const ATTEMPTS = 5;

async function viewsOf(
  { database, engine }: Scope,
  { workspaceId, signal }: { readonly workspaceId: string; readonly signal: AbortSignal },
): Promise<StorableViews> {
  const read = <Row>(statement: Statement): Promise<Row[]> =>
    database.withWorkspace(workspaceId, (transaction) => transaction.many<Row>(statement));
  for (let attempt = 1; ; attempt++) {
    const [row] = await read<AssumedRow>(selectAssumed(workspaceId));
    if (!row) throw notFound('workspace');
    const { extraction, result } = await examineStoredTrace(read, engine, {
      task: makeViewsTask,
      input: { workspaceId, options: USUAL_OPTIONS, assumed: row.assumed },
      signal,
    });
    const revision = revisionOf(extraction);
    if (revisionOf(row.extraction) === revision) return { ...result, revision };
    if (attempt === ATTEMPTS) throw new Error('The trace changes all the time.');
  }
}

/**
 * Makes the views of a trace before anybody asks. While documents of the workspace are being read, or its trace is about to be taken
 * out of them, it waits, and stops what it began: these come first, and what it made would be old.
 */
export const makeViewsAhead =
  ({ database, queue }: Pick<Dependencies, 'database' | 'queue'>, engine: Engine): JobHandler<MakeViews> =>
  async ({ workspaceId }, { signal }) => {
    const within = withinOf(database, workspaceId);
    const later = (transaction: Transaction): Promise<void> =>
      wantViews(transaction, queue, workspaceId, { afterSeconds: 1 });
    const revision = await within(async (transaction) => {
      await transaction.run(
        sql`update trace_views set awaited_since = null where workspace_id = ${workspaceId}`,
      );
      if (await doesTraceCome(transaction, workspaceId)) return later(transaction);
      const row = await transaction.maybeOne<{ extraction: StoredExtraction | null }>(
        selectTraceState(workspaceId),
      );
      return row && revisionOf(row.extraction);
    });
    if (revision === undefined) return;
    const yielding = new AbortController();
    const looking = setInterval(() => {
      // A look that fails says nothing; the next one does.
      within((transaction) => doesTraceCome(transaction, workspaceId)).then(
        (busy) => busy && yielding.abort(),
        () => undefined,
      );
    }, YIELD_MILLISECONDS);
    try {
      await makeViews(
        { database, engine },
        { workspaceId, revision, signal: AbortSignal.any([signal, yielding.signal]) },
      );
    } catch (error) {
      if (!yielding.signal.aborted || signal.aborted) throw error;
      await within(later);
    } finally {
      clearInterval(looking);
    }
  };

/** What no attempt could make is tried again when somebody asks. */
export const giveUpViews =
  ({ database, log }: Pick<Dependencies, 'database' | 'log'>): JobHandler<MakeViews> =>
  async (payload, context) => {
    await withinOf(
      database,
      payload.workspaceId,
    )((transaction) =>
      transaction.run(
        sql`update trace_views set awaited_since = null where workspace_id = ${payload.workspaceId}`,
      ),
    );
    await logGivenUp(log, makeViewsJob, 'views of the trace were not made')(payload, context);
  };
