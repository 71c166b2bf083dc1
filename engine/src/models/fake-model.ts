import { estimateTokens } from './estimate-tokens.js';
import type { LanguageModel, ModelFailure, ModelRequest } from './language-model.js';

/**
 * A model that answers by a function, for tests and for the evaluation: no network, the same answer for the same
 * question. Usage is counted as it is estimated.
 */
export function fakeModel(
  answer: (request: ModelRequest) => string | { readonly failed: ModelFailure },
  {
    id = 'fake:local:fake',
    contextTokens = 8192,
  }: { readonly id?: string; readonly contextTokens?: number } = {},
): LanguageModel {
  return {
    id,
    contextTokens,
    sampling: { temperature: 0, seed: 1 },
    async ask(requests, signal) {
      signal?.throwIfAborted();
      return requests.map((request) => {
        const given = answer(request);
        if (typeof given !== 'string') return given;
        const usage = {
          inputTokens: estimateTokens(request.fixed) + estimateTokens(request.variable),
          outputTokens: estimateTokens(given),
        };
        return { text: given, model: id, usage, from: 'model' as const };
      });
    },
  };
}
