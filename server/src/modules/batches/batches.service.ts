import { loadDocumentTypes } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { GuardedContext, WriteContext } from '../../platform/http/route.js';
import { StartChecklist } from '../checklists/checklist-analysis.schemas.js';
import { startChecklist } from '../checklists/checklist-analysis.service.js';
import { StartCompleteness } from '../completeness/completeness.schemas.js';
import { startCompleteness } from '../completeness/completeness.service.js';
import { conditionsOf } from '../gap-analysis/conditions.service.js';
import { startGapAnalysis } from '../gap-analysis/gap-analysis.service.js';
import { type StartedAnalysis, StartGapAnalysis } from '../runs/analyses.schemas.js';
import type { Starting } from '../runs/analyses.service.js';
import * as standards from '../standards/standards.repository.js';
import { criteriaOf } from '../standards/standards.service.js';
import { startTraceAnalysis } from '../traceability/trace-analysis.service.js';
import { StartTraceAnalysis } from '../traceability/trace-views.schemas.js';
import type { Batch, BatchPart, BatchPlan, StartedBatch } from './batches.schemas.js';

type Writing = Starting & Pick<WriteContext, 'now'>;
type PlannedPart = BatchPlan['parts'][number];

/** Starts all parts, or none of them. */
export async function startBatch(context: Writing, batch: Batch): Promise<StartedBatch> {
  const analyses: StartedAnalysis[] = [];
  for (const part of batch.parts) analyses.push(await startPart(context, batch, part));
  const stored = analyses.filter(({ from_store }) => from_store).length;
  return { analyses, started: analyses.length - stored, from_store: stored };
}

/**
 * What `startBatch` would come to: it is started, looked at and taken back, so that nothing can be true of the plan that is
 * not of the start. Nobody else sees anything of it.
 */
export async function planBatch(
  { dependencies, caller, now }: Pick<GuardedContext, 'dependencies' | 'caller' | 'now'>,
  batch: Batch,
): Promise<BatchPlan> {
  const takenBack = new TakenBack();
  await dependencies.database
    .withActor(caller, async (transaction) => {
      const context = { transaction, dependencies, caller, now };
      const parts: PlannedPart[] = [];
      for (const part of batch.parts) parts.push(await planPart(context, batch, part));
      const seconds = parts.map(({ estimated_seconds }) => estimated_seconds);
      takenBack.plan = {
        parts,
        conditions: await openConditions(transaction, batch),
        estimated_seconds: seconds.includes(null)
          ? null
          : seconds.reduce<number>((sum, one) => sum + (one ?? 0), 0),
      };
      throw takenBack;
    })
    .catch((error: unknown) => {
      if (error !== takenBack) throw error;
    });
  return takenBack.plan as BatchPlan;
}

/** Ends a transaction that only looked. */
class TakenBack extends Error {
  plan: BatchPlan | undefined;
}

async function startPart(context: Writing, batch: Batch, part: BatchPart): Promise<StartedAnalysis> {
  const { workspace_id, work_product_ids, mode, force, fresh_answers, phase, tailored_out } = batch;
  const common = { workspace_id, mode, force, fresh_answers };
  const scope = {
    ...(phase === undefined ? {} : { phase }),
    ...(tailored_out === undefined ? {} : { tailored_out }),
  };
  const named = work_product_ids === undefined ? {} : { work_product_ids };
  switch (part.type) {
    case 'gap_analysis': {
      const standard_id = part.standard_id as string;
      const conditions = await askedOf(context.transaction, standard_id, batch.conditions);
      const body = { ...common, ...named, standard_id, options: { conditions, ...scope } };
      return startGapAnalysis(context, StartGapAnalysis.parse(body));
    }
    case 'checklist': {
      const options = { conditions: batch.conditions, ...scope };
      const body = { ...common, ...named, checklist_id: part.checklist_id, options };
      return startChecklist(context, StartChecklist.parse(body));
    }
    case 'completeness': {
      const body = { ...common, ...named, options: { conditions: batch.conditions, ...scope } };
      return startCompleteness(context, StartCompleteness.parse(body));
    }
    case 'traceability':
      return startTraceAnalysis(context, StartTraceAnalysis.parse({ ...common, options: scope }));
  }
}

/** The answers to what the standard asks: those to other questions would make its run another one. */
async function askedOf(
  transaction: Transaction,
  standardId: string,
  answers: Batch['conditions'],
): Promise<Batch['conditions']> {
  if (Object.keys(answers).length === 0) return answers;
  const row = await transaction.maybeOne<standards.StandardRow>(standards.selectStandard(standardId));
  if (!row) return answers;
  const criteria = await criteriaOf(row, (statement) => transaction.many(statement));
  const asked = new Set(criteria.map(({ condition }) => condition));
  return Object.fromEntries(Object.entries(answers).filter(([id]) => asked.has(id)));
}

async function planPart(context: Writing, batch: Batch, part: BatchPart): Promise<PlannedPart> {
  const about = {
    type: part.type,
    standard_id: part.standard_id ?? null,
    checklist_id: part.checklist_id ?? null,
  };
  try {
    const started = await startPart(context, batch, part);
    return {
      ...about,
      from_store: started.from_store,
      analysis_id: started.from_store ? started.id : null,
      refused: null,
      work_products: started.work_products.map(({ work_product_id, version, name }) => ({
        work_product_id,
        version,
        name,
      })),
      unread_work_products: started.unread_work_products.map(({ work_product_id, version, name }) => ({
        work_product_id,
        version,
        name,
      })),
      missing_types: await missingTypes(context.transaction, part, started),
      estimated_seconds: started.from_store ? 0 : await estimatedSeconds(context.transaction, started),
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message } = error;
    return {
      ...about,
      from_store: false,
      analysis_id: null,
      refused: { code, message },
      work_products: [],
      unread_work_products: [],
      missing_types: [],
      estimated_seconds: 0,
    };
  }
}

/** Types that criteria look for of which no document is there, nor of another type that would do. */
async function missingTypes(
  transaction: Transaction,
  part: BatchPart,
  { work_products }: StartedAnalysis,
): Promise<PlannedPart['missing_types']> {
  if (part.standard_id === undefined) return [];
  const row = await transaction.one<standards.StandardRow>(standards.selectStandard(part.standard_id));
  const criteria = await criteriaOf(row, (statement) => transaction.many(statement));
  const ids = work_products.map(({ work_product_id }) => work_product_id);
  const given = new Set(
    (
      await transaction.many<{ category: string }>(
        sql`select distinct category from work_products where id = any (${ids}::uuid[]) and category is not null`,
      )
    ).map(({ category }) => category),
  );
  const counts = new Map<string, number>();
  for (const { documentTypes = [] } of criteria) {
    if (documentTypes.some((type) => given.has(type))) continue;
    for (const type of documentTypes) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const types = await loadDocumentTypes();
  return [...counts]
    .flatMap(([id, count]) => {
      const type = types.get(id);
      return type ? [{ id, name: type.name, criteria: count }] : [];
    })
    .sort((a, b) => b.criteria - a.criteria || a.id.localeCompare(b.id));
}

const LOOKED_AT = 5;

/** What a document took in the newest runs of the same series, times the documents. */
async function estimatedSeconds(transaction: Transaction, started: StartedAnalysis): Promise<number | null> {
  const row = await transaction.one<{ seconds: string | number | null }>(sql`
    select sum(extract(epoch from finished_at - started_at)) / nullif(sum(documents), 0) as seconds
    from (select a.started_at, a.finished_at,
                 (select count(*) from analysis_inputs i
                  where i.workspace_id = a.workspace_id and i.analysis_id = a.id) as documents
          from analyses a
          join analyses mine on mine.workspace_id = a.workspace_id and mine.series = a.series
          where mine.id = ${started.id} and a.status = 'completed' and a.started_at is not null
          order by a.finished_at desc, a.id desc limit ${LOOKED_AT}) newest`);
  if (row.seconds === null) return null;
  return Math.ceil(Number(row.seconds) * started.work_products.length);
}

/** Each condition once, of all standards, that nothing has answered so far. */
async function openConditions(transaction: Transaction, batch: Batch): Promise<BatchPlan['conditions']> {
  const open = new Map<string, BatchPlan['conditions'][number]>();
  for (const { standard_id } of batch.parts) {
    if (standard_id === undefined) continue;
    const row = await transaction.maybeOne<standards.StandardRow>(standards.selectStandard(standard_id));
    if (!row || row.workspace_id !== batch.workspace_id) continue;
    for (const one of await conditionsOf(row, (statement) => transaction.many(statement))) {
      const isOpen = one.open ?? one.default === 'ask';
      if (!isOpen && one.answer === null) continue;
      const known = open.get(one.id);
      open.set(one.id, known ? { ...known, asked_by: [...known.asked_by, ...one.asked_by] } : one);
    }
  }
  return [...open.values()];
}
