import {
  type AnalysisScope,
  type CriterionVerdict,
  type GapAnalysis,
  loadStandard,
  partOfStandard,
  type Standard,
} from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { storeEvidence } from '../gaps/store-evidence.js';
import { storeGaps, toStoredSearch } from '../gaps/store-gaps.js';
import type { NoModelBecause } from '../models/decide-mode.js';
import { withRunModel } from '../models/run-model.js';
import { AnalysisOptions } from '../runs/analyses.schemas.js';
import {
  type AnalysisKind,
  type Run,
  RunFailed,
  type RunTools,
  type TakenRun,
} from '../runs/analysis-kind.js';
import { beginRows } from '../runs/found-again.js';
import { projectScopeOf, toNotDue } from '../runs/project-scope.js';
import { loadDocuments } from '../runs/run-inputs.js';
import * as standards from '../standards/standards.repository.js';
import { criteriaOf } from '../standards/standards.service.js';
import { vectorAnswers } from '../vectors/vectors.repository.js';
import { settleStandard } from './criterion-answers.service.js';
import { remoteEmbeddings, usableEmbeddings } from './embeddings.js';
import { analyseGapsTask, type GapAnalysisTaskInput } from './gap-analysis-task.js';
import { findDecided, ofCriterion, storeOpinions, usedModel } from './opinions.repository.js';

/** Work products against a standard. */
export const gapAnalysis: AnalysisKind<
  Omit<GapAnalysisTaskInput, 'known' | 'model'>,
  GapAnalysis & { readonly alone?: NoModelBecause },
  CriterionVerdict
> = {
  type: 'gap_analysis',
  stages: {
    documents: 'Loading documents',
    passages: 'Finding sections, tables and statements',
    words: 'Indexing words',
    retrieval: 'Finding passages for each criterion',
    judgement: 'Judging criteria',
    opinions: 'Asking the language model',
    findings: 'Writing findings',
  },

  async load(tools, run, signal) {
    const {
      conditions,
      clauses,
      embeddings,
      written_in: writtenIn,
      ...about
    } = AnalysisOptions.parse(run.options);
    const documents = await loadDocuments(tools, run, signal);
    const { workspaceId, standard_id: standardId } = run;
    return {
      standard: await tools.database.withWorkspace(workspaceId, (transaction) =>
        loadRunStandard(transaction, standardId),
      ),
      decided:
        run.mode === 'ai' && standardId !== null
          ? await tools.database.withWorkspace(workspaceId, (transaction) =>
              findDecided(transaction, { workspaceId, standardId }),
            )
          : [],
      documents,
      conditions,
      clauses,
      writtenIn,
      scope: scopeOf(about),
      embeddings: await tools.database.withWorkspace(run.workspaceId, (transaction) =>
        usableEmbeddings(transaction, {
          ...{ workspaceId: run.workspaceId, standardId: run.standard_id, wanted: embeddings },
          ...{ configuration: tools.configuration, documents: documents.map(({ id }) => id) },
        }),
      ),
    };
  },

  async analyse(engine, input, { tools, run, known, options }) {
    const remote = remoteEmbeddings(tools, run);
    const { documents } = input;
    try {
      return await withRunModel(tools, { run, documents, signal: options.signal }, (model, ofModel) => {
        const answers = [...vectorsOf(tools, run), remote.answerer, ...ofModel];
        return engine.run(analyseGapsTask, { ...input, known, model }, { ...options, answers });
      });
    } catch (error) {
      const failure = remote.failure();
      throw failure === undefined || options.signal.aborted ? error : new RunFailed(failure);
    } finally {
      await remote.end();
    }
  },

  async store(transaction, run, { input, result }) {
    const standard = partOfStandard(input.standard, input.clauses);
    const clauses = new Map(standard.criteria.map(({ id, clause }) => [id, clause]));
    await storeVerdicts(transaction, run, { verdicts: result.verdicts, clauses });
    const changes = await storeGaps(
      transaction,
      run,
      result.findings.map((finding) => ({ finding, clause: clauses.get(finding.criterionId) ?? '' })),
      input.clauses.length > 0 ? [...clauses.keys()] : undefined,
    );
    await storeEvidence(transaction, run, [...result.verdicts, ...result.findings]);
    await settleStandard(
      transaction,
      {
        ...{ workspaceId: run.workspaceId, standardId: run.standard_id!, analysisId: run.id },
        criteria: input.standard.criteria,
      },
      { actorId: null },
    );
    await storeOpinions(
      transaction,
      run,
      (result.opinions ?? []).map((one) => ofCriterion(one, clauses)),
    );
    const { value, upTo, shown, agreement } = result.score;
    await storeComplianceScore(transaction, run, value);
    return {
      score: value,
      units: result.verdicts.length,
      counts: { ...result.counts, gaps: result.findings.length, changes },
      details: {
        score: { value, up_to: upTo, shown, agreement },
        method: result.method,
        not_due: toNotDue(result.notDue),
        questions: result.questions,
        ...(result.summary
          ? {
              written: {
                language: result.summary.language,
                model: result.method.model?.model ?? '',
                sentences: result.summary.sentences,
              },
            }
          : {}),
        ...(run.mode === 'ai'
          ? { model: await usedModel(transaction, run, { ...result, units: result.verdicts.length }) }
          : {}),
      },
    };
  },
};

/**
 * The score of work products is that of the last gap analysis that read their newest version (contract §4); nothing else
 * writes it. Of runs that end at the same time the one whose result is dated later counts.
 */
const storeComplianceScore = (
  transaction: Transaction,
  { workspaceId, id }: Run,
  score: number | null,
): Promise<number> =>
  transaction.run(sql`
    update work_products p set compliance_score = ${score}, scored_version = i.version, scored_at = now()
    from analysis_inputs i
    where i.workspace_id = p.workspace_id and i.work_product_id = p.id and i.version = p.version
      and i.workspace_id = ${workspaceId} and i.analysis_id = ${id}
      and (p.scored_version is distinct from i.version or p.scored_at <= now())`);

/** What an analysis is about, as the engine takes it. */
export const scopeOf = ({
  item,
  variant,
  aliases,
  ...project
}: Pick<AnalysisOptions, 'item' | 'variant' | 'aliases' | 'phase' | 'tailored_out'>): AnalysisScope => ({
  ...(item === undefined ? {} : { item }),
  ...(variant === undefined ? {} : { variant }),
  ...(aliases.length > 0 ? { aliases } : {}),
  ...projectScopeOf(project),
});

/** The standard of a run with its criteria. Throws `RunFailed` for one that is gone. */
export async function loadRunStandard(transaction: Transaction, id: string | null): Promise<Standard> {
  const row =
    id === null ? undefined : await transaction.maybeOne<standards.StandardRow>(standards.selectStandard(id));
  if (row?.processing_status !== 'completed') {
    throw new RunFailed('The standard of this analysis was deleted or has no text any more.');
  }
  if (row.catalog_id !== null) return loadStandard(row.catalog_id);
  const criteria = await criteriaOf(row, (statement) => transaction.many(statement));
  const { name, version } = row;
  return { id: row.id, designation: name, title: name, edition: version, source: 'uploaded', criteria };
}

async function storeVerdicts(
  transaction: Transaction,
  run: TakenRun,
  input: {
    readonly verdicts: readonly CriterionVerdict[];
    readonly clauses: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const said = input.verdicts.map((verdict) => ({
    criterion_id: verdict.criterionId,
    clause: input.clauses.get(verdict.criterionId) ?? '',
    verdict: verdict.verdict,
    confidence: verdict.confidence,
    rules: verdict.rules,
    reason: verdict.reason,
    said: verdict.said,
    search: toStoredSearch(verdict.search),
  }));
  const { number, begun } = await beginRows(transaction, run, 'analysis_verdicts', said);
  const rows = begun.map(({ row, ordinal, hash }) => ({ ...row, ordinal, hash }));
  await transaction.run(sql`
    insert into analysis_verdicts (workspace_id, analysis_id, ordinal, criterion_id, clause, verdict, confidence, rules,
                                   reason, said, search, series, since, hash)
    select ${run.workspaceId}, ${run.id}, v.ordinal, v.criterion_id, v.clause, v.verdict, v.confidence,
           array(select jsonb_array_elements_text(v.rules)), v.reason, v.said,
           nullif(v.search, 'null'::jsonb), ${run.series}, ${number}, decode(v.hash, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as v (ordinal integer, criterion_id text, clause text, verdict text, confidence text, rules jsonb, reason text,
            said jsonb, search jsonb, hash text)`);
}

/** Kept while the run is ours: its standard may have been withdrawn. */
const vectorsOf = ({ database }: Pick<RunTools, 'database'>, { workspaceId, id, attempt }: Run) =>
  vectorAnswers(database, {
    workspaceId,
    stillOurs: () => sql`
      select from analyses where workspace_id = ${workspaceId} and id = ${id}
        and attempt = ${attempt} and status = 'running' for share`,
  });
