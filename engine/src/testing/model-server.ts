import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Which protocol the server speaks. */
export type WireProtocol = 'openai-compatible' | 'anthropic' | 'azure';

/** A question as it came over the wire. */
export interface WireQuestion {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  readonly model: string;
  /** The fixed part. */
  readonly system: string;
  /** The part that is this question's. */
  readonly user: string;
  /** The form that the server is asked to hold the model to; undefined where there is none. */
  readonly schema: unknown;
  readonly maxOutputTokens: number;
}

/** What the server does with one question. */
export type WireReply =
  /** The model says this. */
  | string
  | {
      readonly text?: string;
      /** What the model thinks, in a field of its own. */
      readonly reasoning?: string;
      /** Ends at the limit of output. */
      readonly cut?: boolean;
      readonly refused?: boolean;
      /** Tokens that the server counted; `null` where it tells none. Unless given, as an honest server counts. */
      readonly inputTokens?: number | null;
      readonly model?: string;
    }
  /** An error of the protocol. */
  | {
      readonly status: number;
      readonly retryAfter?: string;
      readonly code?: string;
      readonly param?: string;
      readonly message?: string;
    }
  /** The connection breaks: before the answer, or in the middle of it. */
  | 'break'
  | 'cut stream'
  /** Something that is not the protocol. */
  | 'page'
  | 'silent'
  /** A body that does not end: as fast as it is read, or a character every 20 ms. */
  | 'flood'
  | 'trickle'
  /** The head of an answer, and nothing after it. */
  | 'stall';

export interface ModelServer {
  /** What `MODEL_BASE_URL` is. */
  readonly baseUrl: string;
  readonly questions: readonly WireQuestion[];
  /** Questions that were answered by the model. */
  readonly answered: () => number;
  /** Bytes of bodies without an end that were taken from the server. */
  readonly flooded: () => number;
  /** From now on. */
  answer(reply: (question: WireQuestion, number: number) => WireReply | Promise<WireReply>): void;
  stop(): Promise<void>;
}

export const MODEL_SERVER_KEY = 'sk-local-secret';

/** So that a reader without a limit ends as well. */
const MOST_FLOODED = 300_000_000;
/** Characters of a token, as this server counts. */
const CHARACTERS = 4;
const count = (words: string): number => Math.ceil(words.length / CHARACTERS);

/**
 * An HTTP server that speaks one of the protocols of language models: addresses, headers, keys, forms of answers, usage and
 * errors. What the model says is the test's.
 */
export async function startModelServer(
  protocol: WireProtocol,
  reply: (question: WireQuestion, number: number) => WireReply | Promise<WireReply>,
): Promise<ModelServer> {
  const questions: WireQuestion[] = [];
  let answered = 0;
  let flooded = 0;
  let next = reply;
  const wire = WIRES[protocol];

  async function* endless(kind: 'flood' | 'trickle') {
    const chunk = kind === 'flood' ? ' '.repeat(65_536) : ' ';
    while (flooded < MOST_FLOODED) {
      flooded += chunk.length;
      yield chunk;
      if (kind === 'trickle') await delay(20);
    }
  }

  const server = createServer(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>;
    const path = request.url ?? '';
    if (request.method !== 'POST' || path !== wire.path) return refuse(response, protocol, { status: 404 });
    if (request.headers[wire.keyHeader] !== wire.key) return refuse(response, protocol, { status: 401 });
    if (protocol === 'anthropic' && request.headers['anthropic-version'] !== '2023-06-01') {
      return refuse(response, protocol, { status: 400, message: 'anthropic-version: header is required' });
    }
    const question = { path, headers: request.headers, body, ...wire.read(body) };
    questions.push(question);
    const given = await Promise.resolve(next(question, questions.length)).catch(() => ({ status: 500 }));
    if (given === 'break') return request.socket.destroy();
    if (given === 'silent') return;
    if (given === 'flood' || given === 'trickle') {
      response.writeHead(200, { 'content-type': 'application/json' });
      // Ends when whoever asked has gone.
      await pipeline(endless(given), response).catch(() => undefined);
      return;
    }
    if (given === 'stall') {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      return;
    }
    if (given === 'page') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome</body></html>');
      return;
    }
    if (typeof given === 'object' && 'status' in given) return refuse(response, protocol, given);
    const said = typeof given === 'string' && given !== 'cut stream' ? { text: given } : given;
    const message = JSON.stringify(wire.write(question, typeof said === 'string' ? { text: '{' } : said));
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(message) };
    response.writeHead(200, headers);
    if (given === 'cut stream') {
      response.write(message.slice(0, message.length >> 1), () => request.socket.destroy());
      return;
    }
    answered++;
    response.end(message);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${wire.base}`,
    questions,
    answered: () => answered,
    flooded: () => flooded,
    answer(other) {
      next = other;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Said = Exclude<WireReply, string | { readonly status: number }>;
type Read = Pick<WireQuestion, 'model' | 'system' | 'user' | 'schema' | 'maxOutputTokens'>;

interface Wire {
  readonly base: string;
  readonly path: string;
  readonly keyHeader: string;
  readonly key: string;
  read(body: Readonly<Record<string, unknown>>): Read;
  write(question: WireQuestion, said: Said): object;
}

interface OpenAiBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: unknown } };
}

const openAi = (place: Pick<Wire, 'base' | 'path' | 'keyHeader' | 'key'>): Wire => ({
  ...place,
  read(body) {
    const { model, messages, max_tokens, max_completion_tokens, response_format } =
      body as unknown as OpenAiBody;
    const says = (role: string) => messages.find((one) => one.role === role)?.content ?? '';
    return {
      model,
      system: says('system'),
      user: says('user'),
      schema: response_format?.json_schema?.schema,
      maxOutputTokens: max_tokens ?? max_completion_tokens ?? 0,
    };
  },
  write(question, { text: content = '', reasoning, cut, refused, inputTokens, model }) {
    const input = inputTokens === undefined ? count(question.system) + count(question.user) : inputTokens;
    const output = count(content) + count(reasoning ?? '');
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_760_000_000,
      model: model ?? question.model,
      system_fingerprint: 'fp_local',
      choices: [
        {
          index: 0,
          finish_reason: cut ? 'length' : 'stop',
          message: {
            role: 'assistant',
            content: content === '' ? null : content,
            ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
            ...(refused ? { refusal: 'I cannot help with that.' } : {}),
          },
        },
      ],
      ...(input === null
        ? {}
        : {
            usage: {
              prompt_tokens: input,
              completion_tokens: output,
              total_tokens: input + output,
              prompt_tokens_details: { cached_tokens: 0 },
            },
          }),
    };
  },
});

interface AnthropicBody {
  readonly model: string;
  readonly system: readonly { readonly text: string }[];
  readonly messages: readonly { readonly content: string }[];
  readonly max_tokens: number;
  readonly output_config?: { readonly format: { readonly schema: unknown } };
}

const WIRES: Readonly<Record<WireProtocol, Wire>> = {
  'openai-compatible': openAi({
    base: '/v1',
    path: '/v1/chat/completions',
    keyHeader: 'authorization',
    key: `Bearer ${MODEL_SERVER_KEY}`,
  }),
  azure: openAi({
    base: '',
    path: '/openai/v1/chat/completions',
    keyHeader: 'api-key',
    key: MODEL_SERVER_KEY,
  }),
  anthropic: {
    base: '',
    path: '/v1/messages',
    keyHeader: 'x-api-key',
    key: MODEL_SERVER_KEY,
    read(body) {
      const { model, system, messages, max_tokens, output_config } = body as unknown as AnthropicBody;
      return {
        model,
        system: system.map((one) => one.text).join(''),
        user: messages[0]?.content ?? '',
        schema: output_config?.format.schema,
        maxOutputTokens: max_tokens,
      };
    },
    write(question, { text: content = '', reasoning, cut, refused, inputTokens, model }) {
      const kept = count(question.system);
      const input = inputTokens === undefined ? count(question.user) : inputTokens;
      return {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: model ?? question.model,
        content: [
          ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning, signature: 's' }]),
          ...(content === '' ? [] : [{ type: 'text', text: content }]),
        ],
        stop_reason: cut ? 'max_tokens' : refused ? 'refusal' : 'end_turn',
        ...(input === null
          ? {}
          : {
              usage: {
                input_tokens: input,
                cache_creation_input_tokens: 0,
                cache_read_input_tokens: inputTokens === undefined ? kept : 0,
                output_tokens: count(content) + count(reasoning ?? ''),
              },
            }),
      };
    },
  },
};

function refuse(
  response: ServerResponse,
  protocol: WireProtocol,
  {
    status,
    retryAfter,
    code,
    param,
    message = 'The server refuses.',
  }: Extract<WireReply, { status: number }>,
): void {
  const error =
    protocol === 'anthropic'
      ? { type: 'error', error: { type: code ?? 'api_error', message } }
      : { error: { message, type: 'error', code: code ?? null, param: param ?? null } };
  response
    .writeHead(status, {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    })
    .end(JSON.stringify(error));
}
