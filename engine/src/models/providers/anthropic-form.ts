import { z } from 'zod';
import { below, formInWords, type WireAnswer, type WireForm, type WireRequest } from './provider.js';

/** The version of the protocol that this file speaks. */
const VERSION = '2023-06-01';

const Message = z.object({
  type: z.literal('message'),
  content: z.array(
    z.object({ type: z.string(), text: z.string().optional(), thinking: z.string().optional() }),
  ),
  model: z.string(),
  stop_reason: z.string().nullish(),
  usage: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      cache_creation_input_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
    })
    .nullish(),
});

/** The Messages API of Anthropic. It knows no seed. */
export const anthropicForm: WireForm = {
  request(settings, question, without): WireRequest {
    const inWords = settings.structured !== 'json_schema';
    const fixed = inWords ? `${question.fixed}\n\n${formInWords(question.shape)}` : question.fixed;
    return {
      address: below(settings.baseUrl.replace(/\/v1\/*$/, ''), '/v1/messages'),
      headers: {
        'anthropic-version': VERSION,
        ...(settings.apiKey ? { 'x-api-key': settings.apiKey } : {}),
      },
      body: {
        model: question.model,
        max_tokens: question.maxOutputTokens,
        ...(without.has('temperature') ? {} : { temperature: 0 }),
        system: [{ type: 'text', text: fixed, cache_control: { type: 'ephemeral' } }],
        messages: [{ role: 'user', content: question.variable }],
        ...(inWords ? {} : { output_config: { format: { type: 'json_schema', schema: question.shape } } }),
      },
    };
  },

  read(body): WireAnswer | undefined {
    const parsed = Message.safeParse(body);
    if (!parsed.success) return undefined;
    const { content, model, stop_reason: reason, usage } = parsed.data;
    const textOf = (type: string, field: 'text' | 'thinking') =>
      content.flatMap((block) => (block.type === type ? [block[field] ?? ''] : [])).join('');
    const cached = usage?.cache_read_input_tokens ?? 0;
    return {
      text: textOf('text', 'text'),
      reasoning: textOf('thinking', 'thinking'),
      end: ENDS[reason ?? ''] ?? 'complete',
      model,
      usage: usage
        ? {
            // What was kept and what is kept from now on is counted apart.
            inputTokens: usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
            cachedInputTokens: cached,
            outputTokens: usage.output_tokens,
          }
        : {},
    };
  },
};

const ENDS: Readonly<Record<string, WireAnswer['end']>> = {
  max_tokens: 'output_limit',
  refusal: 'refused',
  model_context_window_exceeded: 'context_limit',
};
