import { type Checklist, loadChecklists } from '@normtrace/engine';
import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import type { Statement } from '../../platform/database/database.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { Language } from '../../platform/http/language.js';
import type { ReadContext, WriteContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { findQuotes } from '../documents/find-quotes.js';
import { isUuid } from '../own-definitions/own-or-built-in.js';
import { lockSeries } from '../runs/store-result.js';
import { tellWorkspace } from '../runs/tell-workspace.js';
import { checklistSeries } from './checklist-analysis.kind.js';
import { type ChecklistResultRow, selectChecklistResults } from './checklist-analysis.repository.js';
import * as repository from './checklist-answers.repository.js';
import {
  type ChecklistState,
  type ItemPassages,
  type NewAnswer,
  type NewAnswers,
  REVIEW_STATUSES,
  type ReviewedItem,
} from './checklist-answers.schemas.js';
import { contentHashOf, insertRelease, type ReleaseRow, selectReleases } from './checklist-releases.js';
import { reviewedItem } from './checklist-review.js';
import { type OwnChecklistRow, selectChecklist, selectJudged } from './checklists.repository.js';
import type { ListedChecklist } from './checklists.schemas.js';
import { toText } from './checklists.service.js';
import { beginningsOf, findItemPassages } from './item-passages.js';

type Read = <Row>(statement: Statement) => Promise<Row[]>;
type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'request' | 'dependencies' | 'language'>;

/** An item of a checklist as a workspace uses it. */
interface About {
  readonly workspaceId: string;
  readonly checklistId: string;
  readonly itemId: string;
}

/** What the newest run and people say about a checklist in a workspace. */
export async function readState(
  read: Read,
  { workspaceId, checklistId }: Omit<About, 'itemId'>,
  language: Language,
): Promise<ChecklistState> {
  const checklist = await checklistOf(read, workspaceId, checklistId);
  const series = checklistSeries(checklistId);
  const [run] = await read<repository.StateRunRow>(repository.selectStateRun(workspaceId, series));
  const answers = await read<repository.AnswerRow>(
    repository.selectAnswers({ workspaceId, checklistId, series }),
  );
  const releases = await read<ReleaseRow>(selectReleases(workspaceId, checklistId));
  const results = run ? await read<ChecklistResultRow>(selectChecklistResults(run.id)) : [];
  const byItem = new Map<string, repository.AnswerRow[]>();
  for (const answer of answers) byItem.set(answer.item_id, [...(byItem.get(answer.item_id) ?? []), answer]);
  const machine = new Map(results.map((one) => [one.item_id, one]));
  const items = checklist.items
    .filter(({ status }) => status === 'active')
    .map((item) => reviewedItem(item, machine.get(item.id), byItem.get(item.id) ?? [], language));
  return {
    workspace_id: workspaceId,
    checklist_id: checklistId,
    key: checklist.id,
    title: toText(checklist.title),
    group: checklist.domain,
    analysis: run
      ? {
          id: run.id,
          engine_version: run.engine_version,
          finished_at: timestamp(run.finished_at),
          documents: run.documents.map(({ work_product_id, name, version, newest_version }) => ({
            work_product_id,
            name,
            version,
            newest_version,
          })),
        }
      : null,
    items,
    ...countsOf(items),
    releases: releases.map(({ content_hash, released_at, ...release }) => ({
      ...release,
      released_at: timestamp(released_at),
      current: content_hash === contentHashOf(items),
    })),
  };
}

/**
 * Approves where a checklist stands. Nothing may be left to review, and no answer that counts may be the caller's own (domain
 * I.3, rule 2).
 */
export async function releaseChecklist(
  { transaction, caller, request, language }: Writing,
  about: Omit<About, 'itemId'>,
  comment: string,
): Promise<ChecklistState> {
  const { workspaceId, checklistId } = about;
  const read: Read = (statement) => transaction.many(statement);
  await lockSeries(transaction, workspaceId, checklistSeries(checklistId));
  const { analysis, items, counts } = await readState(read, about, language);
  const open = items.filter(({ review_status }) => review_status === 'to_be_reviewed');
  if (!analysis || open.length > 0) {
    throw new ApiError('CONFLICT', 'Items have to be reviewed first.', {
      reason: 'to_be_reviewed',
      item_ids: open.map(({ item_id }) => item_id),
    });
  }
  if (items.some(({ answer }) => answer?.answered_by === caller.userId)) {
    throw new ApiError('AUTHORIZATION_ERROR', 'Who answered items does not approve them.', {
      reason: 'author',
    });
  }
  const contentHash = contentHashOf(items);
  await insertRelease(transaction, {
    ...about,
    analysisId: analysis.id,
    contentHash,
    counts: counts.effective,
    comment,
    releasedBy: caller.userId,
  });
  await recordAudit(transaction, {
    workspaceId,
    action: 'checklist.released',
    targetType: 'checklist',
    targetId: checklistId,
    actorId: caller.userId,
    reason: comment === '' ? undefined : comment,
    after: { analysis_id: analysis.id, content_hash: contentHash, counts: counts.effective },
    requestId: request.id,
  });
  return readState(read, about, language);
}

/** Puts the answer of a person beside the verdict of the newest run. */
export async function answerItem(
  context: Writing,
  about: About,
  input: z.output<typeof NewAnswer>,
): Promise<ReviewedItem> {
  const answered = await putAnswer(context, about, input);
  await tellAnswers(context, about, [about.itemId]);
  return answered;
}

async function putAnswer(
  context: Writing,
  about: About,
  input: z.output<typeof NewAnswer>,
): Promise<ReviewedItem> {
  const { transaction, caller } = context;
  const { workspaceId, checklistId, itemId } = about;
  const { item, run, machine, series } = await lockItem(context, about);
  if (!run || machine?.item.revision !== item.revision) {
    throw new ApiError('CONFLICT', 'No run has judged the item as it is now. Start one first.', {
      reason: 'not_judged',
    });
  }
  if (input.basis !== undefined && input.basis !== machine.result.basis) {
    throw new ApiError('CONFLICT', 'A newer run judged the item. Read its verdict before you answer.', {
      reason: 'verdict_changed',
      analysis_id: run.id,
    });
  }
  const reviewed = reviewedDocuments(run, [
    ...machine.result.lookedAt,
    ...input.evidence.map((one) => one.work_product_id),
  ]);
  const evidence = await findQuotes(context, workspaceId, {
    documents: run.documents,
    evidence: input.evidence,
  });
  await repository.insertAnswer(transaction, {
    ...about,
    itemRevision: item.revision,
    verdict: input.verdict,
    reason: input.reason,
    evidence,
    analysisId: run.id,
    machineVerdict: machine.verdict,
    basis: machine.result.basis,
    documents: reviewed.map(({ work_product_id, version, sha256 }) => ({ work_product_id, version, sha256 })),
    answeredBy: caller.userId,
  });
  if (input.verdict === 'pass' || input.verdict === 'NA') {
    await repository.settleGaps(transaction, { workspaceId, id: run.id, series }, { checklistId, itemId });
  } else await repository.reopenGap(transaction, { workspaceId, series, itemId });
  const after = await readItem(context, about);
  await recordAnswer(context, about, {
    action: 'checklist.answered',
    reason: input.reason,
    after: { verdict: input.verdict, machine_verdict: machine.verdict, analysis_id: run.id },
    before: { verdict: after.history[1]?.verdict ?? null },
  });
  return after;
}

/** Answers many items of a checklist, all or none, and says where it stands then. */
export async function answerItems(
  context: Writing,
  about: Omit<About, 'itemId'>,
  answers: z.output<typeof NewAnswers>['answers'],
): Promise<ChecklistState> {
  const { transaction, language } = context;
  for (const { item_id: itemId, ...answer } of answers) {
    try {
      await putAnswer(context, { ...about, itemId }, { ...answer, workspace_id: about.workspaceId });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new ApiError(error.code, error.message, { ...error.details, item_id: itemId });
    }
  }
  await tellAnswers(
    context,
    about,
    answers.map((one) => one.item_id),
  );
  return readState((statement) => transaction.many(statement), about, language);
}

/** How far the review of checklists is, of those that a run has judged. */
export async function readStates(
  read: Read,
  { workspaceId, ids }: { readonly workspaceId: string; readonly ids: readonly string[] },
  language: Language,
): Promise<ReadonlyMap<string, NonNullable<ListedChecklist['state']>>> {
  const judged = new Set(
    (await read<{ series: string }>(selectJudged(workspaceId))).map(({ series }) => series),
  );
  const states = new Map<string, NonNullable<ListedChecklist['state']>>();
  for (const checklistId of ids.filter((id) => judged.has(checklistSeries(id)))) {
    const { review, counts, releases, analysis } = await readState(
      read,
      { workspaceId, checklistId },
      language,
    );
    if (!analysis) continue;
    states.set(checklistId, {
      needed: review.needed,
      done: review.done,
      percent: review.percent,
      released: releases[0]?.current ?? false,
      counts: counts.effective,
      finished_at: analysis.finished_at,
    });
  }
  return states;
}

/** Takes the newest answer back; it stays in the history. */
export async function takeBackAnswer(context: Writing, about: About): Promise<void> {
  const { transaction, caller } = context;
  const { workspaceId, itemId } = about;
  const { item, series, answers } = await lockItem(context, about);
  const [newest] = answers;
  if (!newest || newest.verdict === null) throw notFound('answer');
  await repository.insertAnswer(transaction, {
    ...about,
    itemRevision: item.revision,
    verdict: null,
    reason: '',
    evidence: [],
    analysisId: newest.analysis_id,
    machineVerdict: newest.machine_verdict,
    basis: newest.basis,
    documents: [],
    answeredBy: caller.userId,
  });
  await repository.reopenGap(transaction, { workspaceId, series, itemId });
  await recordAnswer(context, about, {
    action: 'checklist.answer_taken_back',
    before: { verdict: newest.verdict },
    after: { verdict: null },
  });
  await tellAnswers(context, about, [itemId]);
}

const tellAnswers = (
  { transaction }: Writing,
  { workspaceId, checklistId }: Omit<About, 'itemId'>,
  itemIds: readonly string[],
): Promise<number> =>
  tellWorkspace(transaction, workspaceId, {
    event: 'checklist_answer',
    data: { checklist_id: checklistId, item_ids: [...itemIds] },
  });

const recordAnswer = (
  { transaction, caller, request }: Writing,
  { workspaceId, checklistId, itemId }: About,
  event: {
    readonly action: string;
    readonly reason?: string;
    readonly before: unknown;
    readonly after: unknown;
  },
): Promise<void> =>
  recordAudit(transaction, {
    ...event,
    workspaceId,
    targetType: 'checklist_item',
    targetId: `${checklistId}/${itemId}`,
    actorId: caller.userId,
    requestId: request.id,
  });

/** What of the newest versions may be about an item: shares most words with what it asks. */
export async function readItemPassages(
  context: Pick<ReadContext, 'read'>,
  { workspaceId, checklistId, itemId }: About,
  limit: number,
): Promise<z.output<typeof ItemPassages>> {
  const checklist = await checklistOf(context.read, workspaceId, checklistId);
  const item = checklist.items.find(({ id, status }) => id === itemId && status === 'active');
  if (!item) throw notFound('checklist item');
  const { text, pass } = item;
  const words = beginningsOf(text.en, text.de, pass?.en, pass?.de);
  return findItemPassages(context, workspaceId, { words, limit });
}

async function checklistOf(read: Read, workspaceId: string, checklistId: string): Promise<Checklist> {
  const builtIn = (await loadChecklists()).get(checklistId);
  if (builtIn) return builtIn;
  const [own] = isUuid(checklistId) ? await read<OwnChecklistRow>(selectChecklist(checklistId)) : [];
  if (own?.workspace_id !== workspaceId) throw notFound('checklist');
  return own.definition;
}

/** The item with its newest run and answers; nobody answers it and no run of it ends until the transaction does. */
async function lockItem(context: Writing, about: About) {
  const { transaction } = context;
  await lockSeries(transaction, about.workspaceId, checklistSeries(about.checklistId));
  return itemOf((statement) => transaction.many(statement), about);
}

async function itemOf(read: Read, { workspaceId, checklistId, itemId }: About) {
  const checklist = await checklistOf(read, workspaceId, checklistId);
  const item = checklist.items.find(({ id, status }) => id === itemId && status === 'active');
  if (!item) throw notFound('item');
  const series = checklistSeries(checklistId);
  const [run] = await read<repository.StateRunRow>(repository.selectStateRun(workspaceId, series));
  const results = run ? await read<ChecklistResultRow>(selectChecklistResults(run.id, { itemId })) : [];
  const answers = await read<repository.AnswerRow>(
    repository.selectAnswers({ workspaceId, checklistId, series, itemId }),
  );
  return { item, run, machine: results[0], answers, series };
}

async function readItem({ transaction, language }: Writing, about: About): Promise<ReviewedItem> {
  const { item, machine, answers } = await itemOf((statement) => transaction.many(statement), about);
  return reviewedItem(item, machine, answers, language);
}

/** The named documents as the run read them. Throws when one of them is not what is there now. */
function reviewedDocuments(
  { documents }: repository.StateRunRow,
  ids: readonly string[],
): readonly repository.ReviewedDocumentRow[] {
  const reviewed = documents.filter(({ work_product_id }) => ids.includes(work_product_id));
  const replaced = reviewed.filter(({ sha256, newest_sha256 }) => sha256 !== newest_sha256);
  if (replaced.length === 0) return reviewed;
  throw new ApiError('CONFLICT', 'Documents were replaced or deleted after the run. Start a new one first.', {
    reason: 'documents_changed',
    work_product_ids: replaced.map(({ work_product_id }) => work_product_id),
  });
}

function countsOf(items: readonly ReviewedItem[]): Pick<ChecklistState, 'counts' | 'review'> {
  const counts: ChecklistState['counts'] = {
    machine: { pass: 0, fail: 0, missing: 0, NA: 0 },
    effective: { pass: 0, fail: 0, missing: 0, NA: 0, to_be_reviewed: 0 },
  };
  const statuses = Object.fromEntries(
    REVIEW_STATUSES.map((status) => [status, 0]),
  ) as ChecklistState['review']['statuses'];
  for (const { machine, effective_verdict, review_status } of items) {
    if (machine) counts.machine[machine.verdict]++;
    counts.effective[effective_verdict]++;
    statuses[review_status]++;
  }
  const done = statuses.confirmed + statuses.overridden;
  const needed = done + statuses.to_be_reviewed;
  const percent = needed === 0 ? null : Math.round((1000 * done) / needed) / 10;
  return { counts, review: { statuses, needed, done, percent } };
}
