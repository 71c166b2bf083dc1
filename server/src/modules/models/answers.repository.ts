import type { ModelHabits, ModelRequest, StoredAnswer } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/** A run in the hands of one worker: what it asks is written while it is. */
export interface AskingRun {
  readonly workspaceId: string;
  readonly id: string;
  readonly attempt: number;
}

/** What a question was about, by document. */
export interface SentDocument {
  readonly work_product_id: string;
  readonly version: number;
  /** Ids of passages within the run. */
  readonly passages: readonly string[];
}

/** How a question ended. */
export interface CallRow {
  readonly key: string;
  readonly request: ModelRequest;
  readonly documents: readonly SentDocument[];
  /** `model`, `store`, or why there is no answer. */
  readonly outcome: string;
  readonly input: number;
  readonly output: number;
  readonly milliseconds: number | null;
}

interface KeptRow {
  readonly key: string;
  readonly answer: string;
  readonly answered_as: string;
  readonly usage: StoredAnswer['usage'];
  readonly fingerprint: string | null;
  readonly milliseconds: number | null;
}

/**
 * Answers that are kept, by key.
 * @param askedBy Only what this run asked itself: an earlier attempt of it, when it is to ask anew.
 */
export async function findAnswers(
  transaction: Transaction,
  {
    workspaceId,
    keys,
    askedBy,
  }: { workspaceId: string; keys: readonly string[]; askedBy?: string | undefined },
): Promise<ReadonlyMap<string, StoredAnswer>> {
  const rows = await transaction.many<KeptRow>(sql`
    select encode(key, 'hex') as key, answer, answered_as, usage, fingerprint, milliseconds from model_answers
    where workspace_id = ${workspaceId}
      and key = any (select decode(k, 'hex') from unnest(${keys}::text[]) as k)
      and ${askedBy === undefined ? sql`true` : sql`analysis_id = ${askedBy}`}`);
  return new Map(
    rows.map(({ key, answer, answered_as, usage, fingerprint, milliseconds }) => [
      key,
      {
        text: answer,
        model: answered_as,
        usage,
        ...(fingerprint === null ? {} : { fingerprint }),
        ...(milliseconds === null ? {} : { milliseconds }),
      },
    ]),
  );
}

const isOurs = ({ workspaceId, id, attempt }: AskingRun): Statement => sql`
  select id from analyses where workspace_id = ${workspaceId} and id = ${id} and attempt = ${attempt}
    and status = 'running' for share`;

/** Keeps an answer, while the run is ours: its standard may have been withdrawn, or a document of it deleted. */
export const insertAnswer = (
  transaction: Transaction,
  run: AskingRun,
  one: {
    readonly key: string;
    readonly request: ModelRequest;
    readonly answer: StoredAnswer;
    readonly model: string;
    readonly documents: readonly SentDocument[];
    readonly standardId: string | null;
    readonly keepRequest: boolean;
  },
): Promise<number> => {
  const { request, answer } = one;
  const kept = one.keepRequest ? JSON.stringify({ fixed: request.fixed, variable: request.variable }) : null;
  return transaction.run(sql`
    with mine as (${isOurs(run)})
    insert into model_answers (workspace_id, key, task, template, model, answered_as, fingerprint, answer, usage,
                               milliseconds, documents, standard_id, request, analysis_id)
    select ${run.workspaceId}, decode(${one.key}, 'hex'), ${request.task}, ${request.template}, ${one.model}, ${answer.model},
           ${answer.fingerprint ?? null}, ${answer.text}, ${JSON.stringify(answer.usage)}::jsonb,
           ${answer.milliseconds ?? null}::integer, ${one.documents.map((document) => document.work_product_id)}::uuid[],
           ${one.standardId}::uuid, ${kept}::jsonb, ${run.id}
    from mine
    on conflict (workspace_id, key) do update set
      answer = excluded.answer, answered_as = excluded.answered_as, fingerprint = excluded.fingerprint,
      usage = excluded.usage, milliseconds = excluded.milliseconds, request = excluded.request,
      analysis_id = excluded.analysis_id, created_at = now()`);
};

/** Writes down what was asked. What was sent to a model stays written down as that, however often it is read afterwards. */
export async function insertCalls(
  transaction: Transaction,
  run: AskingRun,
  calls: readonly CallRow[],
): Promise<void> {
  if (calls.length === 0) return;
  const rows = calls.map(({ key, request, documents, outcome, input, output, milliseconds }) => ({
    ...{ key, task: request.task, template: request.template, outcome, documents, milliseconds },
    ...{ input_tokens: input, output_tokens: output },
  }));
  await transaction.run(sql`
    with mine as (${isOurs(run)})
    insert into model_calls (workspace_id, analysis_id, key, task, template, outcome, input_tokens, output_tokens,
                             milliseconds, documents)
    select ${run.workspaceId}, ${run.id}, decode(c.key, 'hex'), c.task, c.template, c.outcome, c.input_tokens,
           c.output_tokens, c.milliseconds, c.documents
    from mine, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as c (key text, task text, template text, outcome text, input_tokens integer, output_tokens integer,
            milliseconds integer, documents jsonb)
    on conflict (workspace_id, analysis_id, key) do update set
      outcome = excluded.outcome, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
      milliseconds = excluded.milliseconds, documents = excluded.documents
    where model_calls.outcome <> 'model'`);
}

/** What a run sent, in numbers. */
export interface Asked {
  readonly asked: number;
  readonly from_store: number;
  readonly failed: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly documents: readonly { work_product_id: string; version: number; passages: number }[];
  /** Over the keys of all questions that were sent. */
  readonly requests_sha256: string | null;
}

export const readAsked = (
  transaction: Transaction,
  { workspaceId, id }: Pick<AskingRun, 'workspaceId' | 'id'>,
): Promise<Asked> =>
  transaction.one<Asked>(sql`
    with calls as (select * from model_calls where workspace_id = ${workspaceId} and analysis_id = ${id}),
    sent as (select * from calls where outcome <> 'store' and outcome not in ('policy', 'budget_ended', 'time_ended', 'too_large', 'breaker_open')),
    passages as (
      select distinct d.work_product_id, d.version, p.id
      from sent, jsonb_to_recordset(sent.documents) as d (work_product_id uuid, version integer, passages jsonb),
           jsonb_array_elements_text(d.passages) as p (id)),
    documents as (
      select work_product_id, version, count(*)::int as passages from passages group by 1, 2 order by 1, 2)
    select (select count(*)::int from sent) as asked,
      (select count(*)::int from calls where outcome = 'store') as from_store,
      (select count(*)::int from calls where outcome not in ('store', 'model')) as failed,
      (select coalesce(sum(input_tokens), 0)::float8 from sent) as input_tokens,
      (select coalesce(sum(output_tokens), 0)::float8 from sent) as output_tokens,
      (select coalesce(jsonb_agg(to_jsonb(documents)), '[]') from documents) as documents,
      (select encode(sha256(convert_to(string_agg(encode(key, 'hex'), '' order by key), 'utf8')), 'hex') from sent)
        as requests_sha256`);

/** So many answers of a task tell how long they are; fewer are chance. */
const TELLING_ANSWERS = 20;

/** How a model has answered this workspace so far. */
export async function findHabits(
  transaction: Transaction,
  { workspaceId, model }: { readonly workspaceId: string; readonly model: string },
): Promise<ModelHabits> {
  const rows = await transaction.many<{
    task: keyof NonNullable<ModelHabits['outputTokens']>;
    count: number;
    input: number | null;
    output: number | null;
  }>(sql`
    select task, count(*)::int as count, avg((usage ->> 'inputTokens')::float8) as input,
           avg((usage ->> 'outputTokens')::float8) as output
    from model_answers where workspace_id = ${workspaceId} and model = ${model} group by task order by task`);
  const answered = new Map(rows.map((one) => [one.task, one]));
  const told = rows.filter(({ count, output }) => count >= TELLING_ANSWERS && output !== null);
  const critic = answered.get('criticise');
  const judged = (answered.get('judge')?.count ?? 0) + (answered.get('checklist')?.count ?? 0);
  return {
    outputTokens: Object.fromEntries(told.map(({ task, output }) => [task, output!])),
    ...(judged >= TELLING_ANSWERS && critic?.input
      ? { criticised: { share: critic.count / judged, inputTokens: critic.input } }
      : {}),
  };
}
