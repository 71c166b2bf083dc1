import type { ModelConfiguration } from '../../platform/configuration/configuration.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { ApiError, invalid } from '../../platform/http/api-error.js';
import { costOf, idOfModel } from './model-settings.js';
import { findExcluded, mayReach, maySendWords, type PolicyRow, readPolicy } from './policy.repository.js';
import { monthOf, readSpent, readSpentOfAll } from './spend.repository.js';

/** Why a run is by rules although a model was thought of; closed words, for people and for the summary of a run. */
export type NoModelBecause = 'not_configured' | 'policy' | 'licence' | 'budget_ended' | 'probe';

export interface ModelDecision {
  readonly mode: 'ai';
  /** What of model and policy the result depends on. */
  readonly dependsOn: unknown;
}

const SENTENCES: Readonly<Record<Exclude<NoModelBecause, 'probe'>, string>> = {
  not_configured: 'No language model is configured. Use rules or auto.',
  policy:
    'The workspace does not let anything be sent to the language model of this installation. A manager or administrator decides that at /workspaces/{id}/model-policy; use rules or auto until then.',
  licence:
    'The words of this standard may not be sent to a language model: its newest attestation does not allow it, or its licence does not let the text leave the house. Attest it anew with allows_ai_processing, or use rules or auto.',
  budget_ended:
    'What may be spent on the language model in this month is spent. Raise the budget, wait for the next month, or use rules or auto.',
};

/**
 * How a run judges. `auto` asks a model where there is one that may be asked. Throws 422 for `ai` without a model or
 * permission, 409 when the budget of the month is spent.
 */
export async function decideMode(
  transaction: Transaction,
  about: {
    readonly mode: 'rules' | 'ai' | 'auto';
    readonly workspaceId: string;
    /** Null: the run is about no standard. */
    readonly standardId: string | null;
    readonly documents: readonly string[] | undefined;
    readonly dependencies: Pick<Dependencies, 'configuration' | 'database' | 'clock'>;
  },
): Promise<ModelDecision | undefined> {
  const { mode, workspaceId, standardId, dependencies } = about;
  if (mode === 'rules') return undefined;
  const { model } = dependencies.configuration;
  const row = await readPolicy(transaction, workspaceId);
  const because = await whyNot(transaction, { model, row, workspaceId, standardId, dependencies });
  if (because === undefined && model) {
    const withheld = await findExcluded(transaction, workspaceId, about.documents);
    const { policy, redact_addresses, redacted_words } = row;
    return {
      mode: 'ai',
      dependsOn: [
        idOfModel(model),
        model.seed,
        model.contextTokens,
        policy,
        redact_addresses,
        redacted_words,
        withheld,
      ],
    };
  }
  if (mode === 'auto' || because === undefined) return undefined;
  if (because === 'budget_ended') {
    throw new ApiError('CONFLICT', SENTENCES.budget_ended, { reason: 'model_budget_ended' });
  }
  throw invalid('body.mode', SENTENCES[because], because === 'policy' ? 'not_allowed' : because);
}

/** Why a model may not be asked for such a run; undefined where it may. */
export async function whyNot(
  transaction: Transaction,
  about: {
    readonly model: ModelConfiguration | undefined;
    readonly row: PolicyRow;
    readonly workspaceId: string;
    readonly standardId: string | null;
    readonly dependencies: Pick<Dependencies, 'database' | 'clock'>;
  },
): Promise<Exclude<NoModelBecause, 'probe'> | undefined> {
  const { model, row, workspaceId, standardId, dependencies } = about;
  if (!model) return 'not_configured';
  if (!mayReach(row.policy, model.place)) return 'policy';
  if (standardId !== null && !(await maySendWords(transaction, standardId, model.place))) return 'licence';
  const month = monthOf(dependencies.clock());
  const left = await leftInMonth(
    { transaction, database: dependencies.database },
    { model, row, workspaceId, month },
  );
  return left <= 0 ? 'budget_ended' : undefined;
}

/** What may still be spent in a month, in the unit of the budget. */
export async function leftInMonth(
  {
    transaction,
    database,
  }: { readonly transaction: Transaction; readonly database: Pick<Database, 'asSystem'> },
  about: {
    readonly model: ModelConfiguration;
    readonly row: PolicyRow;
    readonly workspaceId: string;
    readonly month: string;
  },
): Promise<number> {
  const { model, row, workspaceId, month } = about;
  const own =
    row.month_budget === null
      ? Number.POSITIVE_INFINITY
      : row.month_budget - costOf(model, await readSpent(transaction, workspaceId, month));
  const all =
    model.budgetMonth === undefined
      ? Number.POSITIVE_INFINITY
      : model.budgetMonth - costOf(model, await readSpentOfAll(database, month));
  return Math.min(own, all);
}
