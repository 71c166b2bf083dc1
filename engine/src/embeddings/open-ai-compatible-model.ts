import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { limitTime } from '../remote/limit-time.js';
import { readBounded } from '../remote/read-bounded.js';
import type { EmbeddingModel } from '../retrieval/candidate.js';

export interface OpenAiCompatibleSettings {
  /** Address that `/embeddings` is appended to, usually ending in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Length of the model's vectors; an answer with another length is refused. */
  readonly dimensions: number;
  readonly apiKey?: string;
  /** Texts per request; 64 unless told otherwise. */
  readonly batchSize?: number;
  /** Longest wait for one answer in milliseconds; 60 000 unless told otherwise. */
  readonly timeout?: number;
}

/** The embedding service refused, could not be reached or answered something else than vectors. */
export class EmbeddingServiceError extends Error {
  override readonly name = 'EmbeddingServiceError';
}

const Answer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
});

/** Of an answer in bytes: 64 vectors of 4,096 numbers have 6 million. */
const MOST_BYTES = 64_000_000;
/** Answers after which asking again makes sense. */
const TRANSIENT = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const ATTEMPTS = 3;
const LONGEST_WAIT = 20_000;

/**
 * A model behind any server that speaks the OpenAI protocol (`POST {baseUrl}/embeddings`). Vectors are brought to
 * unit length. Overload and server errors are asked again twice, after what `Retry-After` says. Errors name
 * the address and status, never texts or the key.
 */
export function openAiCompatibleModel(settings: OpenAiCompatibleSettings): EmbeddingModel {
  const address = `${settings.baseUrl.replace(/\/+$/, '')}/embeddings`;
  const batchSize = settings.batchSize ?? 64;
  return {
    id: `openai-compatible:${new URL(address).host}:${settings.model}:${settings.dimensions}`,
    dimensions: settings.dimensions,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchSize) {
        const batch = texts.slice(from, from + batchSize);
        vectors.push(...(await embedBatch(settings, { address, batch, ...(signal ? { signal } : {}) })));
      }
      return vectors;
    },
  };
}

async function embedBatch(
  settings: OpenAiCompatibleSettings,
  { address, batch, signal }: { address: string; batch: readonly string[]; signal?: AbortSignal },
): Promise<Float32Array[]> {
  // The protocol refuses empty inputs; their vector is zero, near to nothing.
  const asked = batch.flatMap((text, index) => (text.trim() === '' ? [] : [index]));
  const vectors = batch.map(() => new Float32Array(settings.dimensions));
  if (asked.length === 0) return vectors;
  const body = JSON.stringify({
    model: settings.model,
    input: asked.map((index) => batch[index]),
    encoding_format: 'float',
  });
  const { data } = await post(settings, { address, body, ...(signal ? { signal } : {}) });
  const seen = new Set(data.map((entry) => entry.index));
  if (seen.size !== asked.length || data.length !== asked.length || Math.max(...seen) >= asked.length) {
    throw new EmbeddingServiceError(`${address} answered ${data.length} vectors for ${asked.length} texts.`);
  }
  for (const { index, embedding } of data) {
    if (embedding.length !== settings.dimensions) {
      throw new EmbeddingServiceError(
        `${address} answered vectors of length ${embedding.length}; ${settings.dimensions} is configured for ${settings.model}.`,
      );
    }
    const length = Math.hypot(...embedding) || 1;
    vectors[asked[index]!] = Float32Array.from(embedding, (value) => value / length);
  }
  return vectors;
}

async function post(
  settings: OpenAiCompatibleSettings,
  { address, body, signal }: { address: string; body: string; signal?: AbortSignal },
): Promise<z.infer<typeof Answer>> {
  const headers = {
    'content-type': 'application/json',
    ...(settings.apiKey ? { authorization: `Bearer ${settings.apiKey}` } : {}),
  };
  for (let attempt = 1; ; attempt++) {
    const limit = limitTime(settings.timeout ?? 60_000, signal);
    let response: Response;
    let text: string;
    try {
      response = await fetch(address, {
        method: 'POST',
        headers,
        body,
        signal: limit.signal,
      });
      text = await readBounded(response, { signal: limit.signal, mostBytes: MOST_BYTES });
    } catch (error) {
      signal?.throwIfAborted();
      throw new EmbeddingServiceError(`${address} could not be reached.`, { cause: error });
    } finally {
      limit.release();
    }
    if (response.ok) return parseAnswer(address, text);
    if (!TRANSIENT.has(response.status) || attempt === ATTEMPTS) {
      throw new EmbeddingServiceError(`${address} answered with status ${response.status}.`);
    }
    await wait(pause(response, attempt), undefined, signal ? { signal } : {});
  }
}

function parseAnswer(address: string, text: string): z.infer<typeof Answer> {
  try {
    const parsed = Answer.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // What is no JSON is no list either.
  }
  throw new EmbeddingServiceError(`${address} answered something else than a list of embeddings.`);
}

/** Milliseconds until the next attempt. */
function pause(response: Response, attempt: number): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Math.min(LONGEST_WAIT, Number.isFinite(seconds) ? seconds * 1000 : 250 * 2 ** attempt);
}
