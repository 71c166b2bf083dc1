import { type Probe, probeModel } from '@normtrace/engine';
import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import type { Configuration, ModelConfiguration } from '../../platform/configuration/configuration.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { costOf, hostOfModel, providerSettings } from './model-settings.js';
import type { ModelPolicy, ModelPolicyChange, ModelProbe, ModelStatus } from './models.schemas.js';
import { type PolicyRow, readPolicy, writePolicy } from './policy.repository.js';
import { findProbe, type KeptProbe, keepProbe } from './probes.repository.js';
import { monthOf, readSpent, type Spent } from './spend.repository.js';

const toProbe = ({ probe, probed_at }: KeptProbe): ModelProbe => ({
  ...probe,
  points: probe.points.map((point) => ({ ...point })),
  probed_at: timestamp(probed_at),
});

/** Which model the installation has; no secret is in it. */
export async function statusOfModel({
  configuration,
  database,
}: Pick<Dependencies, 'configuration' | 'database'>): Promise<ModelStatus> {
  const { model, embeddings } = configuration;
  const kept = model && (await findProbe(database, model));
  const remote = typeof embeddings === 'object' ? embeddings : undefined;
  return {
    configured: model !== undefined,
    provider: model?.provider ?? null,
    model: model?.name ?? null,
    critic: model ? (model.criticName ?? model.name) : null,
    host: model ? hostOfModel(model) : null,
    place: model?.place ?? null,
    context_tokens: model?.contextTokens ?? null,
    currency: model?.price?.currency ?? null,
    probe: kept ? toProbe(kept) : null,
    embeddings: {
      kind: typeof embeddings === 'object' ? 'openai-compatible' : embeddings,
      host: remote ? hostOfModel(remote) : null,
      place: remote?.place ?? null,
    },
  };
}

/** Looks what the server can do, and keeps what was found. */
export async function probe(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  model: ModelConfiguration,
  signal?: AbortSignal,
): Promise<ModelProbe> {
  const settings = { ...providerSettings(model), structured: model.structured };
  const found: Probe = await probeModel(settings, signal ? { signal } : {});
  const now = clock();
  await keepProbe(database, model, { probe: found, now });
  return toProbe({ probe: found, probed_at: now });
}

/** What leaves under a policy, in two sentences. */
export function saysOf(
  { policy }: Pick<PolicyRow, 'policy'>,
  { model }: Pick<Configuration, 'model'>,
): readonly string[] {
  const whereto = model
    ? `The operator has set ${model.name} at ${hostOfModel(model)}, ${model.place === 'inside' ? 'a server of their own' : 'a server outside'}.`
    : 'The operator has set no language model: nothing is sent anywhere.';
  if (policy === 'off') {
    return ['Nothing of this workspace is sent to a language model; everything is judged by rules.', whereto];
  }
  const what =
    'Passages of the work products, the demands that they are compared with and decisions about them are sent with each ' +
    'question; documents that are excluded and texts whose licence does not allow it are not.';
  const may =
    policy === 'inside'
      ? 'Only to a server of the operator’s own.'
      : 'To whichever server the operator has set.';
  return [what, `${may} ${whereto}`];
}

export function toPolicy(
  workspaceId: string,
  { row, spent }: { readonly row: PolicyRow; readonly spent: Spent },
  configuration: Pick<Configuration, 'model'>,
): ModelPolicy {
  return {
    workspace_id: workspaceId,
    policy: row.policy,
    redact_addresses: row.redact_addresses,
    redacted_words: [...row.redacted_words],
    month_budget: row.month_budget,
    says: [...saysOf(row, configuration)],
    spent: {
      calls: spent.calls,
      input_tokens: spent.input,
      output_tokens: spent.output,
      cost: costOf(configuration.model ?? {}, spent),
      currency: configuration.model?.price?.currency ?? null,
    },
    changed_by: row.changed_by,
    updated_at: timestampOrNull(row.updated_at),
  };
}

/** Decides what may be sent, in the name of a person. */
export async function changePolicy(
  {
    transaction,
    caller,
    request,
    dependencies,
    now,
  }: Pick<WriteContext, 'transaction' | 'caller' | 'request' | 'dependencies' | 'now'>,
  workspaceId: string,
  change: z.output<typeof ModelPolicyChange>,
): Promise<ModelPolicy> {
  const before = await readPolicy(transaction, workspaceId);
  const row = await writePolicy(transaction, workspaceId, { ...change, changed_by: caller.userId });
  // Which names are replaced is nobody's business but the workspace's: their number tells enough.
  const told = ({ policy, redact_addresses, redacted_words, month_budget }: PolicyRow) => ({
    policy,
    redact_addresses,
    redacted_words: redacted_words.length,
    month_budget,
  });
  await recordAudit(transaction, {
    workspaceId,
    action: 'model_policy.changed',
    targetType: 'workspace',
    targetId: workspaceId,
    actorId: caller.userId,
    before: told(before),
    after: { ...told(row), says: saysOf(row, dependencies.configuration) },
    requestId: request.id,
  });
  const spent = await readSpent(transaction, workspaceId, monthOf(now));
  return toPolicy(workspaceId, { row, spent }, dependencies.configuration);
}
