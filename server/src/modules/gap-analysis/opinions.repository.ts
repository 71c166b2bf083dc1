import type { DecidedOpinion, Evidence, ModelStatement, SettledVerdict } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { isAnyOf } from '../../platform/http/pagination.js';
import { readAsked } from '../models/answers.repository.js';
import type { NoModelBecause } from '../models/decide-mode.js';
import type { Run } from '../runs/analysis-kind.js';
import { HIDDEN, isReadable } from '../standards/words.repository.js';

/** What rules, model and critic said of one criterion or item, as it is kept. */
export interface KeptOpinion {
  readonly criterion_id: string;
  readonly clause: string;
  readonly by_rules: string;
  readonly by_model: string | null;
  readonly critic_agrees: boolean | null;
  readonly settled: string;
  readonly settled_by: SettledVerdict['settledBy'];
  readonly outcome: SettledVerdict['outcome'];
  readonly because: string | null;
  readonly confirm: boolean;
  readonly parts: readonly {
    readonly part: string;
    readonly state: string;
    readonly because: string;
    readonly evidence: readonly Pick<Evidence, 'documentId' | 'quote' | 'location'>[];
  }[];
  readonly missing: string;
  readonly rules: readonly string[];
}

/** Of a criterion that rules were not certain of. */
export const ofCriterion = (one: SettledVerdict, clauses: ReadonlyMap<string, string>): KeptOpinion => ({
  criterion_id: one.criterionId,
  clause: clauses.get(one.criterionId) ?? '',
  by_rules: one.byRules.verdict,
  by_model: one.byModel === undefined || one.byModel.verdict === 'none' ? null : one.byModel.verdict,
  critic_agrees: one.criticAgrees ?? null,
  settled: one.verdict,
  settled_by: one.settledBy,
  outcome: one.outcome,
  because: one.because ?? null,
  confirm: one.confirm ?? false,
  parts: one.byModel?.parts ?? [],
  missing: one.byModel?.missing ?? '',
  rules: one.byModel?.rules ?? [],
});

/** Keeps opinions, in their order. */
export async function storeOpinions(
  transaction: Transaction,
  run: Run,
  opinions: readonly KeptOpinion[],
): Promise<void> {
  if (opinions.length === 0) return;
  const rows = opinions.map((one, ordinal) => ({
    ...one,
    ordinal,
    parts: one.parts.map(({ part, state, because, evidence }) => ({
      ...{ part, state, because },
      evidence: evidence.map(({ documentId, quote, location }) => ({
        ...{ work_product_id: documentId, quote, location },
      })),
    })),
  }));
  await transaction.run(sql`
    insert into analysis_opinions (workspace_id, analysis_id, ordinal, criterion_id, clause, by_rules, by_model,
                                   critic_agrees, settled, settled_by, outcome, because, confirm, parts, missing, rules)
    select ${run.workspaceId}, ${run.id}, o.ordinal, o.criterion_id, o.clause, o.by_rules, o.by_model, o.critic_agrees,
           o.settled, o.settled_by, o.outcome, o.because, o.confirm, o.parts, o.missing,
           array(select jsonb_array_elements_text(o.rules))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o (ordinal integer, criterion_id text, clause text, by_rules text, by_model text, critic_agrees boolean,
            settled text, settled_by text, outcome text, because text, confirm boolean, parts jsonb, missing text,
            rules jsonb)`);
}

/** How much of a run a model was asked, and why rules decided alone where they did. */
export async function usedModel(
  transaction: Transaction,
  run: Run,
  result: {
    readonly method: { readonly model?: ModelStatement };
    readonly opinions?: readonly Pick<SettledVerdict, 'outcome'>[];
    readonly alone?: NoModelBecause;
    /** Criteria or items that were judged. */
    readonly units: number;
  },
): Promise<Readonly<Record<string, unknown>>> {
  const { model } = result.method;
  if (!model) {
    const because = { [result.alone ?? 'not_configured']: result.units };
    return { asked: 0, answered: 0, from_store: 0, abstained: 0, by_rules_because: because };
  }
  const { from_store } = await readAsked(transaction, run);
  const { asked, answered, byRulesBecause } = model;
  const abstained = (result.opinions ?? []).filter(({ outcome }) => outcome === 'abstained').length;
  return { asked, answered, from_store, abstained, by_rules_because: byRulesBecause };
}

/** What rules and a model said of a criterion, with the decision that stands. */
export interface OpinionRow {
  readonly criterion_id: string;
  readonly clause: string;
  readonly outcome: string;
  readonly by_rules: string;
  readonly by_model: string | null;
  readonly critic_agrees: boolean | null;
  readonly settled: string;
  readonly settled_by: string;
  readonly because: string | null;
  readonly confirm: boolean;
  readonly parts: readonly {
    readonly part: string;
    readonly state: string;
    readonly because: string;
    readonly evidence: readonly { readonly work_product_id: string; readonly quote: string }[];
  }[];
  readonly missing: string;
  readonly rules: readonly string[];
  readonly decision: {
    readonly decision: 'rules' | 'model' | 'neither';
    readonly reason: string;
    readonly decided_by: string;
    readonly decided_at: string;
    readonly analysis_id: string;
  } | null;
}

/** The documents of a run with their versions, in a fixed order: what a decision rests on. */
const documentsOf = (analysisId: Statement): Statement => sql`
  (select coalesce(jsonb_agg(jsonb_build_object('work_product_id', i.work_product_id, 'version', i.version)
                             order by i.work_product_id), '[]')
   from analysis_inputs i where i.analysis_id = ${analysisId})`;

/** `from …` of the decision `d` that counts for an opinion of an analysis: the newest one on the same opinions and documents. */
export const decisionOf = ({
  opinion,
  analysis,
}: {
  opinion: Statement;
  analysis: Statement;
}): Statement => sql`
  from opinion_decisions d
  join analyses other on other.workspace_id = d.workspace_id and other.id = d.analysis_id
  where d.workspace_id = ${analysis}.workspace_id and d.criterion_id = ${opinion}.criterion_id
    and other.series = ${analysis}.series
    and d.by_rules = ${opinion}.by_rules and d.by_model is not distinct from ${opinion}.by_model
    and d.documents = ${documentsOf(sql`${analysis}.id`)}
  order by d.created_at desc, d.id desc limit 1`;

/** In the order of the standard. Words of the model repeat the demand: they are read by those who may read the standard. */
export const selectOpinions = (about: {
  readonly analysisId: string;
  readonly userId: string;
  readonly outcome?: readonly string[] | undefined;
  readonly confirm?: boolean | undefined;
}): Statement => sql`
  select o.criterion_id, o.clause, o.outcome, o.by_rules, o.by_model, o.critic_agrees, o.settled, o.settled_by, o.because,
         o.confirm, o.rules,
         case when ${isReadable(sql`a.standard_id`, about.userId)} then o.parts else '[]' end as parts,
         case when ${isReadable(sql`a.standard_id`, about.userId)} then o.missing else ${HIDDEN} end as missing,
         (select jsonb_build_object('decision', d.decision, 'reason', d.reason, 'decided_by', d.decided_by,
                                    'decided_at', d.created_at, 'analysis_id', d.analysis_id)
          ${decisionOf({ opinion: sql`o`, analysis: sql`a` })}) as decision
  from analysis_opinions o
  join analyses a on a.workspace_id = o.workspace_id and a.id = o.analysis_id
  where o.analysis_id = ${about.analysisId}
    and ${about.outcome ? isAnyOf(sql`o.outcome`, about.outcome) : sql`o.outcome <> 'same'`}
    and ${about.confirm === undefined ? sql`true` : sql`o.confirm = ${about.confirm}`}
  order by o.ordinal`;

/** Keeps what a person decided, with what it rests on; undefined for a criterion of which there is no opinion. */
export const decideOpinion = (
  transaction: Transaction,
  one: {
    readonly id: string;
    readonly criterion_id: string;
    readonly decision: string;
    readonly reason: string;
    readonly userId: string;
  },
): Promise<{ readonly workspace_id: string } | undefined> =>
  transaction.maybeOne(sql`
    insert into opinion_decisions (workspace_id, analysis_id, criterion_id, decision, reason, by_rules, by_model, documents,
                                   decided_by)
    select o.workspace_id, o.analysis_id, o.criterion_id, ${one.decision}, ${one.reason}, o.by_rules, o.by_model,
           ${documentsOf(sql`o.analysis_id`)}, ${one.userId}
    from analysis_opinions o where o.analysis_id = ${one.id} and o.criterion_id = ${one.criterion_id}
    returning workspace_id`);

/**
 * What people decided about differences in gap analyses of a standard, the newest decision of each criterion, oldest first; nothing
 * unless rules were right in one and the model in another: examples of one kind teach to say that kind.
 */
export async function findDecided(
  transaction: Transaction,
  { workspaceId, standardId }: { readonly workspaceId: string; readonly standardId: string },
): Promise<readonly DecidedOpinion[]> {
  const rows = await transaction.many<
    Pick<OpinionRow, 'criterion_id' | 'by_rules' | 'by_model' | 'parts'> & { readonly decision: string }
  >(sql`
    select criterion_id, by_rules, by_model, parts, decision
    from (select distinct on (d.criterion_id) d.criterion_id, d.by_rules, d.by_model, d.decision, d.created_at, d.id, o.parts
          from opinion_decisions d
          join analyses a on a.workspace_id = d.workspace_id and a.id = d.analysis_id
          join analysis_opinions o on o.workspace_id = d.workspace_id and o.analysis_id = d.analysis_id
                                  and o.criterion_id = d.criterion_id
          where d.workspace_id = ${workspaceId} and a.type = 'gap_analysis' and a.standard_id = ${standardId}
          order by d.criterion_id, d.created_at desc, d.id desc) newest
    where decision <> 'neither' and by_model is not null and by_model <> by_rules
    order by created_at, id`);
  const decided = rows.map((row) => ({
    criterionId: row.criterion_id,
    byRules: row.by_rules,
    byModel: row.by_model!,
    isModelRight: row.decision === 'model',
    cited: row.parts.flatMap(({ evidence }) =>
      evidence.map(({ work_product_id: documentId, quote }) => ({ documentId, quote })),
    ),
  }));
  const kinds = new Set(decided.map(({ isModelRight }) => isModelRight));
  return kinds.size === 2 ? decided : [];
}

export interface CallListRow {
  readonly request_sha256: string;
  readonly task: string;
  readonly template: string;
  readonly outcome: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly milliseconds: number | null;
  readonly documents: readonly {
    readonly work_product_id: string;
    readonly version: number;
    readonly passages: readonly string[];
  }[];
  readonly created_at: string | Date;
}

/** In the order in which they ended. */
export const selectCalls = (analysisId: string, outcome: readonly string[] | undefined): Statement => sql`
  select encode(key, 'hex') as request_sha256, task, template, outcome, input_tokens, output_tokens, milliseconds, documents,
         created_at
  from model_calls where analysis_id = ${analysisId} and ${isAnyOf(sql`outcome`, outcome)}
  order by created_at, key`;
