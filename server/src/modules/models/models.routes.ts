import { sql } from '../../platform/database/sql.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import { plainRoute, type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { ModelPolicy, ModelPolicyChange, ModelProbe, ModelStatus, PolicyParams } from './models.schemas.js';
import { changePolicy, probe, statusOfModel, toPolicy } from './models.service.js';
import { NO_POLICY, type PolicyRow } from './policy.repository.js';
import { monthOf } from './spend.repository.js';

const tag = 'Models';
const workspace = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
const params = { id: workspace };

const probeExample = {
  model: 'openai-compatible:models.example.org:qwen3-32b',
  host: 'models.example.org',
  usable: true,
  structured: 'json_schema',
  points: [
    {
      id: 'reachable',
      state: 'passed',
      says: 'models.example.org answers as qwen3-32b.',
    },
    {
      id: 'speed',
      state: 'warning',
      says: 'The longest answer took 31.0 s: of a run of two hundred questions, 4 at a time, a part will be judged by rules because its time ends.',
    },
  ],
  milliseconds: 31_000,
  probed_at: '2026-01-31T09:30:00.000Z',
};

const policyExample = {
  workspace_id: workspace,
  policy: 'inside',
  redact_addresses: true,
  redacted_words: ['Aurora'],
  month_budget: 50,
  says: [
    'Passages of the work products, the demands that they are compared with and decisions about them are sent with each question; documents that are excluded and texts whose licence does not allow it are not.',
    'Only to a server of the operator’s own. The operator has set qwen3-32b at models.example.org, a server of their own.',
  ],
  spent: { calls: 210, input_tokens: 533_000, output_tokens: 65_000, cost: 0.42, currency: 'EUR' },
  changed_by: '7c1e7f0a-3d53-4a53-9c38-0f7b35a1d0c4',
  updated_at: '2026-01-31T09:30:00.000Z',
};

const getModelStatus = plainRoute({
  operation: 'getModelStatus',
  method: 'GET',
  path: '/models',
  tag,
  summary: 'Which language model there is',
  description:
    'The language model that the operator has set, where it stands and what the last look found. Without one everything ' +
    'is judged by rules, and nothing is sent anywhere.',
  permission: 'catalog.read',
  within: 'installation',
  answer: ModelStatus,
  examples: {
    answer: {
      configured: true,
      provider: 'openai-compatible',
      model: 'qwen3-32b',
      critic: 'qwen3-32b',
      host: 'models.example.org',
      place: 'inside',
      context_tokens: 8192,
      currency: 'EUR',
      probe: probeExample,
      embeddings: { kind: 'builtin', host: null, place: null },
    },
  },
  handle: ({ dependencies }) => statusOfModel(dependencies),
});

const postProbe = plainRoute({
  operation: 'probeModel',
  method: 'POST',
  path: '/models/probe',
  tag,
  summary: 'Look what the server of the model can do',
  description:
    'Asks the server some small questions and one as long as its context, and says what to change where: a server that cuts ' +
    'questions, ignores forms, thinks instead of answering or is too slow is named. Nothing of any document is sent. The ' +
    'first run with new settings looks by itself.',
  permission: 'models.probe',
  within: 'installation',
  answer: ModelProbe,
  errors: ['CONFLICT'],
  examples: { answer: probeExample },
  handle: async ({ dependencies }) => {
    const { model } = dependencies.configuration;
    if (!model) {
      throw new ApiError('CONFLICT', 'No language model is set: see MODEL_PROVIDER.', {
        reason: 'not_configured',
      });
    }
    return probe(dependencies, model);
  },
});

const getPolicy = readRoute({
  operation: 'getModelPolicy',
  method: 'GET',
  path: '/workspaces/:id/model-policy',
  tag,
  summary: 'What may be sent to a model',
  description:
    'What the workspace lets be sent to a language model, what that means, and what it has spent in this month. Nothing, ' +
    'until somebody decides otherwise.',
  permission: 'workspaces.read',
  within: ({ params }) => params.id,
  resource: 'workspace',
  params: PolicyParams,
  answer: ModelPolicy,
  examples: { params, answer: policyExample },
  handle: async ({ params: { id }, read, dependencies, now }) => {
    const [row] = await read<PolicyRow & { calls: number; input: number; output: number }>(sql`
      select p.policy, p.redact_addresses, p.redacted_words, p.month_budget, p.changed_by, p.updated_at,
             coalesce(s.calls, 0) as calls, coalesce(s.input_tokens, 0)::float8 as input,
             coalesce(s.output_tokens, 0)::float8 as output
      from workspaces w
      left join model_policies p on p.workspace_id = w.id
      left join model_spend s on s.workspace_id = w.id and s.month = ${monthOf(now)}
      where w.id = ${id}`);
    if (!row) throw notFound('workspace');
    const { calls, input, output, ...policy } = row;
    const decided = policy.policy ? policy : NO_POLICY;
    return toPolicy(id, { row: decided, spent: { calls, input, output } }, dependencies.configuration);
  },
});

const putPolicy = writeRoute({
  operation: 'changeModelPolicy',
  method: 'PUT',
  path: '/workspaces/:id/model-policy',
  tag,
  summary: 'Decide what may be sent to a model',
  description:
    'Decides, in the name of the person who is signed in, whether passages of this workspace may be sent to a language ' +
    'model, and which words are replaced before. The audit log keeps who decided what.',
  permission: 'models.configure',
  within: ({ params }) => params.id,
  resource: 'workspace',
  enforces: ['allow_or_deny_on_content'],
  params: PolicyParams,
  body: ModelPolicyChange,
  answer: ModelPolicy,
  examples: {
    params,
    body: { policy: 'inside', redacted_words: ['Aurora'], month_budget: 50 },
    answer: policyExample,
  },
  handle: (context) => changePolicy(context, context.params.id, context.body),
});

export const modelRoutes: readonly Route[] = [getModelStatus, postProbe, getPolicy, putPolicy];
