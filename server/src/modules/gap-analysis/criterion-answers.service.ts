import { createHash } from 'node:crypto';
import { type Criterion, inLanguage, type Verdict } from '@normtrace/engine';
import type { z } from 'zod';
import { recordAudit, recordAudits } from '../../platform/audit/audit.js';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { Language } from '../../platform/http/language.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { findQuotes } from '../documents/find-quotes.js';
import { selectVerdicts, type VerdictRow } from '../runs/analyses.repository.js';
import { lockSeries } from '../runs/store-result.js';
import { criteriaOf, wordsOfCriterion } from '../standards/standards.service.js';
import { type ReadableStandardRow, selectStandardFor } from '../standards/words.repository.js';
import * as repository from './criterion-answers.repository.js';
import {
  type NewCriterionAnswer,
  REVIEW_STATUSES,
  type ReviewedCriterion,
  type StandardReview,
} from './criterion-answers.schemas.js';
import {
  basisOf,
  byCriterion,
  effectiveScore,
  reviewCriterion,
  staleReason,
  toAnswer,
} from './criterion-review.js';
import { toVerdict } from './gap-analysis.view.js';
import {
  type DrilldownGapRow,
  type RunRow,
  selectDrilldownGaps,
  selectRunOf,
} from './standard-runs.repository.js';

type Read = <Row>(statement: Statement) => Promise<Row[]>;
type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'request' | 'dependencies' | 'language' | 'now'>;

/** Who reads, when, in which words. */
interface Reader {
  readonly userId: string;
  readonly now: Date;
  readonly language: Language;
}

interface About {
  readonly standardId: string;
  readonly criterionId: string;
}

export const seriesOf = (standardId: string): string => `gap_analysis:${standardId}`;

/** Where a standard stands by a run, the newest one with a result unless one is named, and by people. */
export async function readReview(
  read: Read,
  { standardId, analysisId }: { readonly standardId: string; readonly analysisId?: string | undefined },
  { userId, language }: Pick<Reader, 'userId' | 'language'>,
): Promise<StandardReview> {
  const [standard] = await read<ReadableStandardRow>(selectStandardFor(standardId, userId));
  if (!standard) throw notFound('standard');
  const run = await runOf(read, standardId, analysisId);
  const [criteria, facts, answers, releases] = await Promise.all([
    criteriaOf(standard, read),
    run ? read<repository.VerdictFacts>(repository.selectVerdictFacts(run.id)) : [],
    read<repository.CriterionAnswerRow>(
      repository.selectAnswers({ standardId, analysisId: run?.id ?? null }),
    ),
    read<repository.StandardReleaseRow>(repository.selectReleases(standardId)),
  ]);
  const known = new Map(criteria.map((criterion) => [criterion.id, criterion]));
  const grouped = byCriterion(answers);
  const reviewed = facts.flatMap((one) => {
    const criterion = known.get(one.criterion_id);
    if (!criterion) return [];
    const review = reviewCriterion(criterion, {
      facts: one,
      answers: grouped.get(criterion.id) ?? [],
      language,
    });
    return [{ criterion, facts: one, basis: basisOf(criterion, one), ...review }];
  });
  const counts: StandardReview['counts'] = { machine: {}, effective: {} };
  const statuses = Object.fromEntries(
    REVIEW_STATUSES.map((status) => [status, 0]),
  ) as StandardReview['review']['statuses'];
  for (const { facts: one, effective_verdict, review_status } of reviewed) {
    counts.machine[one.verdict] = (counts.machine[one.verdict] ?? 0) + 1;
    const effective = effective_verdict ?? one.verdict;
    counts.effective[effective] = (counts.effective[effective] ?? 0) + 1;
    statuses[review_status]++;
  }
  const done = statuses.confirmed + statuses.overridden;
  const needed = done + statuses.to_be_reviewed;
  const rows = reviewed.map(({ criterion, facts: one, basis, ...review }) => ({
    criterion_id: criterion.id,
    kind: criterion.kind,
    clause: criterion.clause,
    title: wordsOfCriterion(criterion, { readable: standard.readable, language }).title,
    machine_verdict: one.verdict,
    confidence: one.confidence,
    basis,
    ...review,
  }));
  const contentHash = contentHashOf(rows);
  return {
    standard_id: standard.id,
    name: standard.name,
    analysis: run ? { id: run.id, status: run.status, finished_at: timestampOrNull(run.finished_at) } : null,
    score: {
      machine: run?.score == null ? null : Number(run.score),
      effective: run?.agreement
        ? effectiveScore(
            known,
            reviewed.map(({ facts: one, effective_verdict, review_status }) => ({
              facts: one,
              effective: effective_verdict ?? one.verdict,
              answered: review_status === 'confirmed' || review_status === 'overridden',
            })),
            run.agreement,
          )
        : null,
    },
    counts,
    review: {
      statuses,
      needed,
      done,
      percent: needed === 0 ? null : Math.round((1000 * done) / needed) / 10,
    },
    criteria: rows,
    releases: releases.map(({ content_hash, released_at, ...release }) => ({
      ...release,
      released_at: timestamp(released_at),
      current: content_hash === contentHash,
    })),
  };
}

/** One criterion with everything that a run and people say of it. */
export async function readCriterion(
  read: Read,
  about: About & { readonly analysisId?: string | undefined },
  reader: Reader,
): Promise<ReviewedCriterion> {
  const { standardId, criterionId } = about;
  const { userId, language, now } = reader;
  const [standard] = await read<ReadableStandardRow>(selectStandardFor(standardId, userId));
  if (!standard) throw notFound('standard');
  const criterion = (await criteriaOf(standard, read)).find(({ id }) => id === criterionId);
  if (!criterion) throw notFound('criterion');
  const run = await runOf(read, standardId, about.analysisId);
  const [verdicts, gaps, answers] = await Promise.all([
    run ? read<VerdictRow>(selectVerdicts(run.id, userId, { criterionId })) : [],
    run ? read<DrilldownGapRow>(selectDrilldownGaps(run.id, { userId, now }, criterionId)) : [],
    read<repository.CriterionAnswerRow>(
      repository.selectAnswers({ standardId, analysisId: run?.id ?? null, criterionId }),
    ),
  ]);
  const machine = verdicts[0];
  return {
    criterion_id: criterion.id,
    kind: criterion.kind,
    clause: criterion.clause,
    ...wordsOfCriterion(criterion, { readable: standard.readable, language }),
    analysis_id: run?.id ?? null,
    machine: machine ? toVerdict(inLanguage(machine, language)) : null,
    basis: machine ? basisOf(criterion, machine) : null,
    ...reviewCriterion(criterion, { facts: machine, answers, language }),
    gaps: inLanguage(gaps, language).map(({ criterion_id: _criterion, said: _said, ...gap }) => gap),
    history: answers.map(toAnswer),
  };
}

/** Puts what a person says beside the verdict of a run. */
export async function answerCriterion(
  context: Writing,
  about: About,
  input: z.output<typeof NewCriterionAnswer>,
): Promise<ReviewedCriterion> {
  const { transaction, caller } = context;
  const { standard, criterion, criteria } = await lockCriterion(context, about);
  const workspaceId = standard.workspace_id;
  if (input.rating !== undefined && criterion.kind !== 'practice') {
    throw invalid('body.rating', 'Only practices of a process model are rated.', 'not_a_practice');
  }
  const read: Read = (statement) => transaction.many(statement);
  const run = await runOf(read, about.standardId, input.analysis_id);
  const [facts] = run
    ? await read<repository.VerdictFacts>(repository.selectVerdictFacts(run.id, [criterion.id]))
    : [];
  if (!run || !facts) {
    throw new ApiError('CONFLICT', 'No run has judged this criterion. Start one first.', {
      reason: 'not_judged',
    });
  }
  const basis = basisOf(criterion, facts);
  if (input.basis !== undefined && input.basis !== basis) {
    throw new ApiError('CONFLICT', 'A newer run judged the criterion. Read its verdict before you answer.', {
      reason: 'verdict_changed',
      analysis_id: run.id,
    });
  }
  const inputs = await read<repository.QuotedDocumentRow>(repository.selectInputs(run.id));
  const evidence = await findQuotes(context, workspaceId, { documents: inputs, evidence: input.evidence });
  const quoted = new Set([...facts.evidence, ...evidence].map((one) => one.work_product_id));
  const documents = unchanged(inputs.filter(({ work_product_id }) => quoted.has(work_product_id)));
  const [before] = await read<repository.CriterionAnswerRow>(
    repository.selectAnswers({ ...about, analysisId: run.id }),
  );
  await repository.insertAnswer(transaction, {
    ...about,
    workspaceId,
    verdict: input.verdict,
    rating: input.rating ?? null,
    reason: input.reason,
    evidence,
    analysisId: run.id,
    machineVerdict: facts.verdict,
    basis,
    documents,
    answeredBy: caller.userId,
  });
  await recordAnswer(context, standard, {
    criterionId: criterion.id,
    action: 'criterion.answered',
    reason: input.reason,
    before: { verdict: before?.verdict ?? null },
    after: { verdict: input.verdict, machine_verdict: facts.verdict, analysis_id: run.id },
  });
  await settleStandard(
    transaction,
    { workspaceId, standardId: standard.id, criteria },
    { actorId: caller.userId, requestId: context.request.id },
  );
  return readCriterion(read, { ...about, analysisId: run.id }, readerOf(context));
}

/** Takes the newest answer back; it stays in the history. */
export async function takeBackAnswer(context: Writing, about: About): Promise<void> {
  const { transaction, caller } = context;
  const { standard, criteria } = await lockCriterion(context, about);
  const [newest] = await transaction.many<repository.CriterionAnswerRow>(
    repository.selectAnswers({ ...about, analysisId: null }),
  );
  if (!newest || newest.verdict === null) throw notFound('answer');
  await repository.insertAnswer(transaction, {
    ...about,
    workspaceId: standard.workspace_id,
    verdict: null,
    rating: null,
    reason: '',
    evidence: [],
    analysisId: newest.analysis_id,
    machineVerdict: newest.machine_verdict,
    basis: newest.basis,
    documents: [],
    answeredBy: caller.userId,
  });
  await recordAnswer(context, standard, {
    criterionId: about.criterionId,
    action: 'criterion.answer_taken_back',
    before: { verdict: newest.verdict },
    after: { verdict: null },
  });
  await settleStandard(
    transaction,
    { workspaceId: standard.workspace_id, standardId: standard.id, criteria },
    { actorId: caller.userId, requestId: context.request.id },
  );
}

/**
 * Approves where a standard stands by its newest run. Nothing may be left to review, and no answer that counts may be the
 * caller's own (domain I.3, rule 2).
 */
export async function releaseStandard(
  context: Writing,
  standardId: string,
  comment: string,
): Promise<StandardReview> {
  const { transaction, caller, request } = context;
  const read: Read = (statement) => transaction.many(statement);
  const [standard] = await read<ReadableStandardRow>(selectStandardFor(standardId, caller.userId));
  if (!standard) throw notFound('standard');
  const workspaceId = standard.workspace_id;
  await lockSeries(transaction, workspaceId, seriesOf(standardId));
  const { analysis, criteria, counts } = await readReview(read, { standardId }, readerOf(context));
  const open = criteria.filter(({ review_status }) => review_status === 'to_be_reviewed');
  if (!analysis || open.length > 0) {
    throw new ApiError('CONFLICT', 'Criteria have to be reviewed first.', {
      reason: 'to_be_reviewed',
      criterion_ids: open.map(({ criterion_id }) => criterion_id),
    });
  }
  if (criteria.some(({ answer }) => answer?.answered_by === caller.userId)) {
    throw new ApiError('AUTHORIZATION_ERROR', 'Who judged criteria does not approve them.', {
      reason: 'author',
    });
  }
  const contentHash = contentHashOf(criteria);
  await repository.insertRelease(transaction, {
    ...{ workspaceId, standardId, analysisId: analysis.id, contentHash, comment },
    counts: counts.effective as Readonly<Record<string, number>>,
    releasedBy: caller.userId,
  });
  await recordAudit(transaction, {
    workspaceId,
    action: 'standard.released',
    targetType: 'standard',
    targetId: standardId,
    actorId: caller.userId,
    reason: comment === '' ? undefined : comment,
    after: { analysis_id: analysis.id, content_hash: contentHash, counts: counts.effective },
    requestId: request.id,
  });
  return readReview(read, { standardId }, readerOf(context));
}

/** Who is behind a change of gaps by verdicts of people: a person, or the end of a run. */
interface Behind {
  readonly actorId: string | null;
  readonly requestId?: string;
}

/**
 * Gaps of criteria that people say are met or do not apply are resolved as long as that counts beside the newest run that has a
 * result; `analysisId` is that of a run that is about to have one.
 */
export async function settleStandard(
  transaction: Transaction,
  {
    workspaceId,
    standardId,
    criteria,
    analysisId,
  }: {
    readonly workspaceId: string;
    readonly standardId: string;
    readonly criteria: readonly Criterion[];
    readonly analysisId?: string;
  },
  behind: Behind,
): Promise<void> {
  const read: Read = (statement) => transaction.many(statement);
  const run = analysisId === undefined ? await runOf(read, standardId, undefined) : { id: analysisId };
  if (!run) return;
  const answers = byCriterion(
    await read<repository.CriterionAnswerRow>(repository.selectAnswers({ standardId, analysisId: run.id })),
  );
  if (answers.size === 0) return;
  const facts = new Map(
    (await read<repository.VerdictFacts>(repository.selectVerdictFacts(run.id, [...answers.keys()]))).map(
      (one) => [one.criterion_id, one],
    ),
  );
  const counting = criteria.flatMap((criterion) => {
    const newest = answers.get(criterion.id)?.[0];
    if (newest?.verdict !== 'covered' && newest?.verdict !== 'not_applicable') return [];
    return staleReason(criterion, facts.get(criterion.id), newest) ? [] : [newest];
  });
  const { resolved, opened } = await repository.settleGaps(
    transaction,
    { workspaceId, series: seriesOf(standardId) },
    counting.map(({ criterion_id, verdict, reason }) => ({ criterion_id, verdict, reason })),
  );
  const event = (id: string, was: string, status: string) => ({
    ...behind,
    workspaceId,
    action: status === 'open' ? 'gap.reopened' : 'gap.status_changed',
    targetType: 'gap',
    targetId: id,
    before: { status: was },
    after: { status, ...(analysisId === undefined ? {} : { analysis_id: analysisId }) },
  });
  await recordAudits(transaction, [
    ...resolved.map(({ id, was }) => event(id, was, 'resolved')),
    ...opened.map(({ id, was }) => event(id, was, 'open')),
  ]);
}

const readerOf = ({ caller, now, language }: Writing): Reader => ({ userId: caller.userId, now, language });

/** The named run of a standard, which has to be one; else its newest one with a result, if there is one. */
async function runOf(
  read: Read,
  standardId: string,
  analysisId: string | undefined,
): Promise<RunRow | undefined> {
  const [run] = await read<RunRow>(selectRunOf(standardId, analysisId));
  if (analysisId !== undefined && !run) throw notFound('analysis');
  return run;
}

/** A criterion that nobody answers and no run of which ends until the transaction does. */
async function lockCriterion({ transaction, caller }: Writing, { standardId, criterionId }: About) {
  const standard = await transaction.maybeOne<ReadableStandardRow>(
    selectStandardFor(standardId, caller.userId),
  );
  if (!standard) throw notFound('standard');
  await lockSeries(transaction, standard.workspace_id, seriesOf(standardId));
  const criteria = await criteriaOf(standard, (statement) => transaction.many(statement));
  const criterion = criteria.find(({ id }) => id === criterionId);
  if (!criterion) throw notFound('criterion');
  return { standard, criterion, criteria };
}

/** Throws when one of the documents is not what is there now. */
function unchanged(
  documents: readonly repository.QuotedDocumentRow[],
): readonly Pick<repository.QuotedDocumentRow, 'work_product_id' | 'version' | 'sha256'>[] {
  const replaced = documents.filter(({ sha256, newest_sha256 }) => sha256 !== newest_sha256);
  if (replaced.length > 0) {
    throw new ApiError(
      'CONFLICT',
      'Documents were replaced or deleted after the run. Start a new one first.',
      {
        reason: 'documents_changed',
        work_product_ids: replaced.map(({ work_product_id }) => work_product_id),
      },
    );
  }
  return documents.map(({ work_product_id, version, sha256 }) => ({ work_product_id, version, sha256 }));
}

/** Of what an approval is about: criteria, what their verdicts rest on, and what counts. */
const contentHashOf = (
  criteria: readonly {
    readonly criterion_id: string;
    readonly basis: string;
    readonly answer: { readonly id: string } | null;
    readonly effective_verdict: Verdict | null;
  }[],
): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        criteria.map(({ criterion_id, basis, answer, effective_verdict }) => [
          criterion_id,
          basis,
          answer?.id ?? null,
          effective_verdict,
        ]),
      ),
    )
    .digest('hex');

const recordAnswer = (
  { transaction, caller, request }: Writing,
  { workspace_id, id }: ReadableStandardRow,
  {
    criterionId,
    ...event
  }: {
    readonly criterionId: string;
    readonly action: string;
    readonly reason?: string;
    readonly before: unknown;
    readonly after: unknown;
  },
): Promise<void> =>
  recordAudit(transaction, {
    ...event,
    workspaceId: workspace_id,
    targetType: 'criterion',
    targetId: `${id}/${criterionId}`,
    actorId: caller.userId,
    requestId: request.id,
  });
