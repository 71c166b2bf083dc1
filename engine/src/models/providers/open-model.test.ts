import { afterEach, describe, expect, test } from 'vitest';
import {
  MODEL_SERVER_KEY,
  type ModelServer,
  startModelServer,
  type WireProtocol,
  type WireReply,
} from '../../testing/model-server.js';
import { answerSchema } from '../answer-schemas.js';
import type { ModelFailure, ModelRequest } from '../language-model.js';
import { isTruncated, modelId, openModel } from './open-model.js';
import { PROVIDERS, type ProviderSettings } from './provider.js';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const serve = async (protocol: WireProtocol, reply: (number: number) => WireReply): Promise<ModelServer> => {
  server = await startModelServer(protocol, (_, number) => reply(number));
  return server;
};

const settingsOf = (
  { baseUrl }: Pick<ModelServer, 'baseUrl'>,
  provider: WireProtocol,
  more: Partial<ProviderSettings> = {},
): ProviderSettings => ({
  provider,
  baseUrl,
  model: 'small',
  apiKey: MODEL_SERVER_KEY,
  contextTokens: 8192,
  structured: 'json_schema',
  seed: 1,
  timeoutMilliseconds: 5_000,
  attempts: 3,
  concurrency: 4,
  ...more,
});

const SECRET = 'The confidential torque is 3 Nm';
const request = (variable = SECRET, more: Partial<ModelRequest> = {}): ModelRequest => ({
  task: 'link',
  template: 'link@1+0',
  fixed: 'Compare the two artifacts. '.repeat(40),
  variable,
  schema: answerSchema('link'),
  maxOutputTokens: 200,
  sends: [],
  sendsStandard: false,
  ...more,
});
const ANSWER = '{"shared":"torque","because":"both name it","answer":"yes"}';

/** Waits that take no time, and what was waited. */
const hasty = () => {
  const waits: number[] = [];
  let time = 0;
  const surroundings = {
    wait: async (milliseconds: number, signal: AbortSignal | undefined) => {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      time += milliseconds;
    },
    random: () => 0.5,
    now: () => time,
  };
  return { waits, surroundings };
};

describe.each(PROVIDERS)('%s', (provider) => {
  test('asks in its protocol, and reads the answer with its usage', async () => {
    const { baseUrl, questions } = await serve(provider, () => ANSWER);
    const model = openModel(settingsOf({ baseUrl }, provider));
    const [answer] = await model.ask([request()]);
    expect(answer).toMatchObject({ text: ANSWER, model: 'small', from: 'model' });
    expect(answer).toMatchObject({ usage: { inputTokens: 278, outputTokens: 15 } });
    expect(questions).toMatchObject([
      { model: 'small', user: SECRET, system: request().fixed, schema: answerSchema('link').shape },
    ]);
    expect(questions[0]!.maxOutputTokens).toBe(200);
    expect(questions[0]!.body).toMatchObject({ temperature: 0 });
    expect(JSON.stringify(questions[0]!.body)).not.toContain('stream');
    expect(model.id).toBe(`${provider}:${new URL(baseUrl).host}:small`);
  });

  test.each(['json_object', 'prompt'] as const)('says the form in words: %s', async (structured) => {
    const { baseUrl, questions } = await serve(provider, () => ANSWER);
    await openModel(settingsOf({ baseUrl }, provider, { structured })).ask([request()]);
    expect(questions[0]!.schema).toBeUndefined();
    expect(questions[0]!.system).toContain(JSON.stringify(answerSchema('link').shape));
  });

  test.each<[string, WireReply, ModelFailure, number]>([
    ['lasting overload', { status: 429, retryAfter: '0' }, 'rate_limited', 3],
    ['a failing server', { status: 500 }, 'provider_error', 3],
    ['a time-out of the server', { status: 408 }, 'timed_out', 3],
    ['a refused key', { status: 401 }, 'unauthorised', 1],
    ['a key that may not', { status: 403 }, 'unauthorised', 1],
    ['an unknown model', { status: 404 }, 'provider_error', 1],
    ['spent money', { status: 402, code: 'billing_error' }, 'budget_ended', 1],
    ['a refused question', { status: 400, message: 'Bad input' }, 'refused', 1],
    ['a question that is too long', { status: 400, message: 'prompt is too long: 9 tokens' }, 'too_large', 1],
    ['a wait that is too long', { status: 429, retryAfter: '3600' }, 'rate_limited', 1],
    ['a broken connection', 'break', 'unreachable', 3],
    ['a stream that is cut', 'cut stream', 'unreachable', 3],
    ['a page', 'page', 'provider_error', 1],
    ['nothing', { text: '' }, 'empty', 1],
    ['thoughts alone', { text: '', reasoning: 'Let me think about torque.' }, 'empty', 1],
    ['an answer that is cut', { text: '{"shared":"tor', cut: true }, 'output_cut', 1],
    ['a refusal', { text: 'No.', refused: true }, 'refused', 1],
    ['a question that was read in part', { text: ANSWER, inputTokens: 90 }, 'context_truncated', 1],
    ['a count that is a limit', { text: ANSWER, inputTokens: 1024 }, 'context_truncated', 1],
  ])('%s is a failure by its name', async (_, reply, failed, asked) => {
    const { baseUrl, questions } = await serve(provider, () => reply);
    const { surroundings } = hasty();
    const model = openModel(settingsOf({ baseUrl }, provider), { surroundings });
    expect(await model.ask([request()])).toEqual([{ failed }]);
    expect(questions.length).toBe(asked);
  });

  test('asks again after what the server says, and no sooner', async () => {
    const { baseUrl } = await serve(provider, (number) =>
      number === 1 ? { status: 429, retryAfter: '7' } : number === 2 ? { status: 503 } : ANSWER,
    );
    const { surroundings, waits } = hasty();
    const model = openModel(settingsOf({ baseUrl }, provider), { surroundings });
    expect(await model.ask([request()])).toMatchObject([{ text: ANSWER }]);
    expect(waits).toEqual([7_125, 1_000]);
  });

  test('fenced answers and answers of another form come back as they are: the reader of answers decides', async () => {
    const fenced = `\`\`\`json\n${ANSWER}\n\`\`\``;
    const { baseUrl } = await serve(provider, (number) => (number === 1 ? fenced : '{"verdict":"fine"}'));
    const model = openModel(settingsOf({ baseUrl }, provider));
    expect(await model.ask([request()])).toMatchObject([{ text: fenced }]);
    expect(await model.ask([request('other')])).toMatchObject([{ text: '{"verdict":"fine"}' }]);
  });

  test('no usage is no failure: the probe tells it', async () => {
    const { baseUrl } = await serve(provider, () => ({ text: ANSWER, inputTokens: null }));
    expect(await openModel(settingsOf({ baseUrl }, provider)).ask([request()])).toMatchObject([
      { usage: {} },
    ]);
  });
});

test('spent money of OpenAI is not asked for again', async () => {
  const { baseUrl, questions } = await serve('openai-compatible', () => ({
    status: 429,
    code: 'insufficient_quota',
  }));
  const model = openModel(settingsOf({ baseUrl }, 'openai-compatible'));
  expect(await model.ask([request()])).toEqual([{ failed: 'budget_ended' }]);
  expect(questions.length).toBe(1);
});

test('what a model does not take is left out from then on', async () => {
  const { baseUrl, questions } = await serve('openai-compatible', (number) =>
    number === 1
      ? { status: 400, code: 'unsupported_value', param: 'temperature' }
      : number === 2
        ? { status: 400, code: 'unsupported_parameter', param: 'seed' }
        : ANSWER,
  );
  const model = openModel(settingsOf({ baseUrl }, 'openai-compatible'));
  expect(await model.ask([request()])).toMatchObject([{ text: ANSWER }]);
  await model.ask([request('another')]);
  expect(questions.map(({ body }) => ['temperature' in body, 'seed' in body])).toEqual([
    [true, true],
    [false, true],
    [false, false],
    [false, false],
  ]);
});

test('the critic is another model of the same server, and part of the id', async () => {
  const { baseUrl, questions } = await serve('openai-compatible', () => ANSWER);
  const settings = settingsOf({ baseUrl }, 'openai-compatible', { criticModel: 'large' });
  const schema = answerSchema('criticise');
  await openModel(settings).ask([request(), request('b', { task: 'criticise', schema })]);
  expect(questions.map(({ model }) => model).sort()).toEqual(['large', 'small']);
  expect(modelId(settings)).toMatch(/:small:large$/);
});

test('a question that does not fit is not asked', async () => {
  const { baseUrl, questions } = await serve('openai-compatible', () => ANSWER);
  const model = openModel(settingsOf({ baseUrl }, 'openai-compatible', { contextTokens: 400 }));
  expect(await model.ask([request('x'.repeat(500))])).toEqual([{ failed: 'too_large' }]);
  expect(questions).toEqual([]);
});

test('never more at the same time than is allowed', async () => {
  let now = 0;
  let most = 0;
  server = await startModelServer('openai-compatible', async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 20));
    now--;
    return ANSWER;
  });
  const model = openModel(settingsOf(server, 'openai-compatible', { concurrency: 2 }));
  await model.ask(Array.from({ length: 7 }, (_, at) => request(`${at}`)));
  expect(most).toBe(2);
  expect(server.questions.length).toBe(7);
});

test('a silent server and an abort end the question', async () => {
  const { baseUrl } = await serve('openai-compatible', () => 'silent');
  const slow = settingsOf({ baseUrl }, 'openai-compatible', { timeoutMilliseconds: 50 });
  expect(await openModel(slow).ask([request()])).toEqual([{ failed: 'timed_out' }]);
  const patient = settingsOf({ baseUrl }, 'openai-compatible');
  await expect(openModel(patient).ask([request()], AbortSignal.timeout(50))).rejects.toThrow(/timeout/i);
});

test('a body without an end is read to a limit, and one that trickles or stalls until the time is over', async () => {
  const flooding = await startModelServer('openai-compatible', () => 'flood');
  const { surroundings } = hasty();
  const fast = openModel(settingsOf(flooding, 'openai-compatible'), { surroundings });
  expect(await fast.ask([request()])).toEqual([{ failed: 'unreachable' }]);
  expect(flooding.questions.length).toBe(3);
  // Two million bytes an attempt, and what the sockets hold.
  expect(flooding.flooded()).toBeLessThan(60_000_000);
  await flooding.stop();
  for (const how of ['trickle', 'stall'] as const) {
    const { baseUrl } = await serve('openai-compatible', () => how);
    const slow = settingsOf({ baseUrl }, 'openai-compatible', { timeoutMilliseconds: 300 });
    expect(await openModel(slow).ask([request()]), how).toEqual([{ failed: 'timed_out' }]);
  }
});

test('a server that is gone is left alone for a minute, three times, then for good', async () => {
  const { surroundings, waits } = hasty();
  const settings = settingsOf({ baseUrl: 'http://127.0.0.1:1/v1' }, 'openai-compatible', { attempts: 1 });
  const model = openModel(settings, { surroundings });
  const outcomes: string[] = [];
  for (let at = 0; at < 12; at++) {
    const [answer] = await model.ask([request(`${at}`)]);
    outcomes.push('failed' in answer! ? answer.failed : 'answered');
  }
  expect(outcomes).toEqual([...Array(8).fill('unreachable'), ...Array(4).fill('breaker_open')]);
  expect(waits).toEqual([60_000, 60_000, 60_000]);
});

test('an answer closes the breaker', async () => {
  const { baseUrl } = await serve('openai-compatible', (number) => (number <= 5 ? { status: 500 } : ANSWER));
  const { surroundings, waits } = hasty();
  const model = openModel(settingsOf({ baseUrl }, 'openai-compatible', { attempts: 1 }), { surroundings });
  for (let at = 0; at < 5; at++) await model.ask([request(`${at}`)]);
  expect(await model.ask([request('last')])).toMatchObject([{ text: ANSWER }]);
  await model.ask([request('again')]);
  expect(waits).toEqual([60_000]);
});

test('a refused key ends asking at once', async () => {
  const { baseUrl, questions } = await serve('openai-compatible', () => ({ status: 401 }));
  const model = openModel(settingsOf({ baseUrl }, 'openai-compatible'));
  expect(await model.ask([request()])).toEqual([{ failed: 'unauthorised' }]);
  expect(await model.ask([request('b')])).toEqual([{ failed: 'breaker_open' }]);
  expect(questions.length).toBe(1);
});

test('words are sent nowhere else than where the operator said', async () => {
  const { createServer } = await import('node:http');
  const other = await serve('openai-compatible', () => ANSWER);
  const moved = createServer((_, response) =>
    response.writeHead(307, { location: `${other.baseUrl}/chat/completions` }).end(),
  );
  await new Promise<void>((ready) => moved.listen(0, '127.0.0.1', ready));
  const { port } = moved.address() as import('node:net').AddressInfo;
  const { surroundings } = hasty();
  const settings = settingsOf({ baseUrl: `http://127.0.0.1:${port}/v1` }, 'openai-compatible');
  expect(await openModel(settings, { surroundings }).ask([request()])).toEqual([{ failed: 'unreachable' }]);
  expect(other.questions).toEqual([]);
  moved.closeAllConnections();
  moved.close();
});

test.each<[number | undefined, number, number, boolean]>([
  [undefined, 0, 1_000, false],
  [1_001, 10, 1_000, false],
  [600, 10, 1_000, false],
  [599, 10, 1_000, true],
  [4_096, 10, 3_000, true],
  [4_000, 96, 3_000, true],
  [4_000, 97, 3_000, false],
])(
  '%s tokens read and %s written of about %s: truncated %s',
  (inputTokens, outputTokens, estimate, truncated) => {
    expect(
      isTruncated({ ...(inputTokens === undefined ? {} : { inputTokens }), outputTokens }, estimate),
    ).toBe(truncated);
  },
);
