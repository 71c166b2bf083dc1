import { type EmbeddingModel, openAiCompatibleModel } from '@normtrace/engine';
import { recordAudit } from '../../platform/audit/audit.js';
import type { Configuration, RemoteEmbeddings } from '../../platform/configuration/configuration.js';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { type Answerer, answering } from '../engine/engine-question.js';
import { hostOfModel } from '../models/model-settings.js';
import { findExcluded, mayReach, maySendWords, readPolicy } from '../models/policy.repository.js';
import { redact } from '../models/redact.js';
import type { Run, RunTools } from '../runs/analysis-kind.js';
import { remoteVectors } from './gap-analysis-task.js';

const modelOf = (remote: RemoteEmbeddings): EmbeddingModel =>
  openAiCompatibleModel({
    baseUrl: remote.baseUrl,
    model: remote.name,
    dimensions: remote.dimensions,
    ...(remote.apiKey === undefined ? {} : { apiKey: remote.apiKey }),
  });

/**
 * The model of embeddings that a run may use. A remote one only where the workspace lets passages go there, no document of the
 * run is excluded, and the words of the standard may leave; else the words alone decide what is near.
 * @param about.documents Ids of those that the run reads; all of the workspace where none are named.
 */
export async function usableEmbeddings(
  transaction: Transaction,
  about: {
    readonly workspaceId: string;
    readonly standardId: string | null;
    readonly documents: readonly string[] | undefined;
    readonly wanted: boolean;
    readonly configuration: Pick<Configuration, 'embeddings'>;
  },
): Promise<'builtin' | 'off' | Pick<EmbeddingModel, 'id' | 'dimensions'>> {
  const remote = about.configuration.embeddings;
  if (!about.wanted || remote === 'off') return 'off';
  if (remote === 'builtin') return 'builtin';
  const { policy } = await readPolicy(transaction, about.workspaceId);
  if (!mayReach(policy, remote.place)) return 'off';
  const excluded = await findExcluded(transaction, about.workspaceId, about.documents);
  if (excluded.length > 0) return 'off';
  if (about.standardId !== null && !(await maySendWords(transaction, about.standardId, remote.place)))
    return 'off';
  const { id, dimensions } = modelOf(remote);
  return { id, dimensions };
}

/**
 * Embeds what a task asks for, without the words that the workspace keeps; tells what went wrong with the server, and at the end in
 * the audit log how much was sent where.
 */
export function remoteEmbeddings(
  { database, configuration }: Pick<RunTools, 'database' | 'configuration'>,
  { workspaceId, id }: Run,
): { readonly answerer: Answerer; failure(): string | undefined; end(): Promise<void> } {
  let failure: string | undefined;
  let sent = 0;
  const embed = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const remote = configuration.embeddings;
    if (typeof remote !== 'object') throw new Error('There is no remote model of embeddings.');
    // Asked each time: what was allowed when the run began may have been forbidden since.
    const { row, excluded } = await database.withWorkspace(workspaceId, async (transaction) => {
      const inputs = await transaction.many<{ id: string }>(sql`
        select work_product_id as id from analysis_inputs
        where workspace_id = ${workspaceId} and analysis_id = ${id}`);
      return {
        row: await readPolicy(transaction, workspaceId),
        excluded: await findExcluded(
          transaction,
          workspaceId,
          inputs.map((one) => one.id),
        ),
      };
    });
    if (!mayReach(row.policy, remote.place) || excluded.length > 0) {
      failure = 'What may be sent was changed while the analysis ran. Start it again.';
      throw new Error(failure);
    }
    const redaction = { addresses: row.redact_addresses, words: row.redacted_words };
    sent += texts.length;
    try {
      return await modelOf(remote).embed(texts.map((text) => redact(text, redaction, workspaceId).text));
    } catch (error) {
      failure =
        'The server of embeddings did not answer. Start the analysis again, or with `embeddings: false`.';
      throw error;
    }
  };
  return {
    answerer: answering(remoteVectors, embed),
    failure: () => failure,
    end: async () => {
      const remote = configuration.embeddings;
      if (sent === 0 || typeof remote !== 'object') return;
      const { name: model, place } = remote;
      await database.withWorkspace(workspaceId, (transaction) =>
        recordAudit(transaction, {
          workspaceId,
          action: 'embeddings.asked',
          targetType: 'analysis',
          targetId: id,
          actorId: null,
          after: { host: hostOfModel(remote), model, place, texts: sent },
        }),
      );
    },
  };
}
