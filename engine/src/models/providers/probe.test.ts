import { afterEach, expect, test } from 'vitest';
import {
  MODEL_SERVER_KEY,
  type ModelServer,
  startModelServer,
  type WireQuestion,
  type WireReply,
} from '../../testing/model-server.js';
import { PROBE_POINTS, type Probe, type ProbePointId, probeModel } from './probe.js';
import { PROVIDERS, type ProviderSettings } from './provider.js';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const canaries = (text: string) => {
  const [first = '', last = ''] = ['First', 'Last'].map(
    (which) => new RegExp(`${which} code word: (\\S+)\\.`).exec(text)?.[1],
  );
  return JSON.stringify({ first, last });
};
const isLong = ({ user }: WireQuestion) => user.includes('Which are the two?');

/** As a good server answers: in the form, and from the whole question. */
const good = (question: WireQuestion): string =>
  isLong(question) ? canaries(question.user) : '{"ok":"yes"}';

async function probe(
  reply: (question: WireQuestion) => WireReply | Promise<WireReply>,
  more: Partial<Parameters<typeof probeModel>[0]> = {},
  provider: ProviderSettings['provider'] = 'openai-compatible',
): Promise<Probe> {
  server = await startModelServer(provider, reply);
  let time = 0;
  return probeModel(
    {
      provider,
      baseUrl: server.baseUrl,
      model: 'small',
      apiKey: MODEL_SERVER_KEY,
      contextTokens: 8192,
      structured: 'auto',
      seed: 1,
      timeoutMilliseconds: 120_000,
      attempts: 1,
      concurrency: 4,
      ...more,
    },
    { surroundings: { wait: async () => {}, random: () => 0.5, now: () => (time += slow) } },
  );
}
let slow = 100;
afterEach(() => {
  slow = 100;
});

const point = ({ points }: Probe, id: ProbePointId) => points.find((one) => one.id === id)!;

test.each(PROVIDERS)(
  'a good server of %s passes every point, in eight questions at most',
  async (provider) => {
    const found = await probe(good, {}, provider);
    expect(found.points.map(({ id, state }) => [id, state])).toEqual(
      PROBE_POINTS.map((id) => [id, 'passed']),
    );
    expect(found).toMatchObject({ usable: true, structured: 'json_schema' });
    expect(server!.questions.length).toBeLessThanOrEqual(8);
    const longest = Math.max(...server!.questions.map(({ user }) => user.length / 4));
    expect(longest).toBeGreaterThan(8192 * 0.7);
    expect(longest).toBeLessThan(8192);
  },
);

test('a server that cuts questions is named, and what to change', async () => {
  // As Ollama does: the end is read, the beginning is not, and usage counts what was read.
  const found = await probe((question) =>
    isLong(question) ? { text: canaries(question.user.slice(-8_000)), inputTokens: 4_090 } : good(question),
  );
  expect(found.usable).toBe(false);
  expect(point(found, 'context')).toMatchObject({ state: 'failed' });
  expect(point(found, 'context').says).toMatch(
    /cuts questions silently.*4090.*num_ctx.*MODEL_CONTEXT_TOKENS/,
  );
});

test('one that cuts and tells no usage is found by the lost line', async () => {
  const found = await probe((question) => ({
    text: isLong(question) ? canaries(question.user.slice(-8_000)) : good(question),
    inputTokens: null,
  }));
  expect(point(found, 'usage')).toMatchObject({ state: 'warning' });
  expect(point(found, 'context').says).toMatch(/cuts questions silently.*does not know the beginning/);
});

test('a server that ignores forms is named, and what works is used', async () => {
  const found = await probe((question) =>
    question.schema ? 'Rain falls softly on the roof.' : good(question),
  );
  expect(found).toMatchObject({ usable: true, structured: 'json_object' });
  expect(point(found, 'form')).toMatchObject({ state: 'warning' });
  expect(point(found, 'form').says).toMatch(/ignores or refuses json_schema; json_object works/);
});

test('a server that refuses forms is named, too', async () => {
  const found = await probe((question) =>
    'response_format' in question.body
      ? { status: 400, message: 'response_format is not known' }
      : good(question),
  );
  expect(found).toMatchObject({ usable: true, structured: 'prompt' });
});

test('a model that keeps no form at all is not usable', async () => {
  const found = await probe(() => 'Rain falls softly on the roof.');
  expect(found.usable).toBe(false);
  expect(point(found, 'form')).toMatchObject({ state: 'failed' });
});

test('a model that only thinks is named', async () => {
  const found = await probe(() => ({ text: '', reasoning: 'The user wants a poem. Let me think.' }));
  expect(found.usable).toBe(false);
  expect(point(found, 'content').says).toMatch(/everything is in the model’s thoughts.*Switch thinking off/);
});

test('a model that thinks and answers is a warning', async () => {
  const found = await probe((question) => ({ text: good(question), reasoning: 'Let me think.' }));
  expect(found.usable).toBe(true);
  expect(point(found, 'content')).toMatchObject({ state: 'warning' });
});

test('a slow server is named', async () => {
  slow = 40_000;
  const found = await probe(good);
  expect(point(found, 'speed')).toMatchObject({ state: 'warning' });
  expect(point(found, 'speed').says).toMatch(/took 40\.0 s.*ANALYSIS_TIMEOUT_MINUTES/);
});

test('answers that differ are a warning', async () => {
  let number = 0;
  const found = await probe((question) =>
    isLong(question) ? good(question) : `${' '.repeat(number++)}{"ok":"yes"}`,
  );
  expect(point(found, 'repeatable')).toMatchObject({ state: 'warning' });
});

test.each<[string, WireReply, RegExp]>([
  ['a refused key', { status: 401 }, /does not take the key \(status 401\).*MODEL_API_KEY/],
  ['no such model', { status: 404 }, /knows no such address or model.*MODEL_NAME/],
  ['a failing server', { status: 500 }, /failed \(status 500\)/],
  ['overload', { status: 429, retryAfter: '0' }, /too many requests.*MODEL_CONCURRENCY/],
  ['nobody', 'break', /Nobody answers.*MODEL_BASE_URL/],
])('%s: the first point says what to change, the others are not tried', async (_, reply, says) => {
  const found = await probe(() => reply);
  expect(found.points[0]).toMatchObject({ id: 'reachable', state: 'failed' });
  expect(found.points[0]!.says).toMatch(says);
  expect(found.points.slice(1).map(({ state }) => state)).toEqual(Array(6).fill('skipped'));
  expect(JSON.stringify(found)).not.toContain(MODEL_SERVER_KEY);
});
