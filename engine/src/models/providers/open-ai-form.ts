import { z } from 'zod';
import type { Usage } from '../language-model.js';
import {
  below,
  formInWords,
  hostOf,
  type Optional,
  type ProviderSettings,
  type Question,
  type WireAnswer,
  type WireForm,
  type WireRequest,
} from './provider.js';

/** Content as one text or, with some gateways, as parts. */
const Content = z.union([
  z.string(),
  z
    .array(z.object({ type: z.string(), text: z.string().optional() }))
    .transform((parts) => parts.map(({ text = '' }) => text).join('')),
]);

const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: Content.nullish(),
          refusal: z.string().nullish(),
          // vLLM and llama.cpp say one, Ollama and OpenRouter the other.
          reasoning_content: z.string().nullish(),
          reasoning: z.string().nullish(),
        }),
      }),
    )
    .min(1),
  model: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  usage: z
    .object({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish(),
});

/** Chat completions, as OpenAI, vLLM, llama.cpp, Ollama, LM Studio and most gateways serve them. */
export const openAiForm: WireForm = {
  request(settings, question, without): WireRequest {
    const isOpenAi = hostOf(settings.baseUrl) === 'api.openai.com';
    return {
      address: below(settings.baseUrl, '/chat/completions'),
      headers: settings.apiKey ? { authorization: `Bearer ${settings.apiKey}` } : {},
      body: completion(settings, question, { without, isOpenAi }),
    };
  },
  read: readCompletion,
};

/** The same of Azure: at the resource's own address, with a header of its own, the deployment as the model. */
export const azureForm: WireForm = {
  request: (settings, question, without): WireRequest => ({
    address: below(settings.baseUrl.replace(/\/openai(?:\/v1)?\/*$/, ''), '/openai/v1/chat/completions'),
    headers: settings.apiKey ? { 'api-key': settings.apiKey } : {},
    body: completion(settings, question, { without, isOpenAi: true }),
  }),
  read: readCompletion,
};

function completion(
  settings: ProviderSettings,
  question: Question,
  { without, isOpenAi }: { readonly without: ReadonlySet<Optional>; readonly isOpenAi: boolean },
): Readonly<Record<string, unknown>> {
  const { structured, seed } = settings;
  const { shape, task, maxOutputTokens } = question;
  const system = structured === 'json_schema' ? question.fixed : `${question.fixed}\n\n${formInWords(shape)}`;
  return {
    model: question.model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: question.variable },
    ],
    // Newer models of OpenAI know the second name alone, other servers the first alone.
    [isOpenAi ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens,
    ...(without.has('temperature') ? {} : { temperature: 0 }),
    ...(without.has('seed') ? {} : { seed }),
    // Not kept by the provider, where it would be.
    ...(isOpenAi && !without.has('store') ? { store: false } : {}),
    ...(structured === 'json_schema'
      ? { response_format: { type: 'json_schema', json_schema: { name: task, strict: true, schema: shape } } }
      : {}),
    ...(structured === 'json_object' ? { response_format: { type: 'json_object' } } : {}),
  };
}

function readCompletion(body: unknown): WireAnswer | undefined {
  const parsed = Completion.safeParse(body);
  if (!parsed.success) return undefined;
  const { choices, model, system_fingerprint: fingerprint, usage } = parsed.data;
  const { message, finish_reason: reason } = choices[0]!;
  return {
    text: message.content ?? '',
    reasoning: message.reasoning_content ?? message.reasoning ?? '',
    end:
      reason === 'length'
        ? 'output_limit'
        : reason === 'content_filter' || message.refusal
          ? 'refused'
          : 'complete',
    model: model ?? '',
    ...(fingerprint ? { fingerprint } : {}),
    usage: {
      ...told('inputTokens', usage?.prompt_tokens),
      ...told('cachedInputTokens', usage?.prompt_tokens_details?.cached_tokens),
      ...told('outputTokens', usage?.completion_tokens),
    },
  };
}

const told = (key: keyof Usage, value: number | null | undefined): Usage =>
  typeof value === 'number' ? { [key]: value } : {};
