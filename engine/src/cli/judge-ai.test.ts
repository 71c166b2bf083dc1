import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GapAnalysis } from '../engines/gap-analysis/gap-analysis.js';
import { answerSchema } from '../models/answer-schemas.js';
import { fakeJudge } from '../models/fake-judge.js';
import { TASK_IDS } from '../models/language-model.js';
import { loadPrompt } from '../models/prompt.js';
import type { Report } from '../reports/report.js';
import {
  MODEL_SERVER_KEY,
  type ModelServer,
  startModelServer,
  type WireQuestion,
} from '../testing/model-server.js';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
const DEMO = fileURLToPath(new URL('../../../demo/documents/', import.meta.url));
/** Of the demo: enough for every kind of question. */
const DOCUMENTS = ['01_Item_Definition.docx', '03_Functional_Safety_Concept.docx'].map((name) =>
  join(DEMO, name),
);
let home: string;
let server: ModelServer;

/** What the fake judge says to a question that came over the wire. */
const prompts = await Promise.all(TASK_IDS.map((task) => loadPrompt(task)));
async function answer({ system, user }: WireQuestion): Promise<string> {
  const { task } = prompts.find(({ fixed }) => system.startsWith(fixed.slice(0, 80)))!;
  const [given] = await fakeJudge().ask([
    {
      task,
      template: '',
      fixed: '',
      variable: user,
      schema: answerSchema(task),
      maxOutputTokens: 1,
      sends: [],
      sendsStandard: false,
    },
  ]);
  return (given as { text: string }).text;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'normtrace-home-'));
  await writeFile(join(home, 'key'), `${MODEL_SERVER_KEY}\n`);
  server = await startModelServer('openai-compatible', answer);
});
afterAll(async () => {
  await server.stop();
  await rm(home, { recursive: true });
});

function normtrace(...args: string[]): Promise<{ code: number | null; out: string; error: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, HOME: home } });
    let out = '';
    let error = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      error += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, error }));
  });
}
const analyse = (...args: string[]) =>
  normtrace('analyse', ...DOCUMENTS, '--standard', 'iso-26262-3-2018', '--embeddings', 'off', ...args);
const ai = (...args: string[]) =>
  analyse(
    '--judge',
    'ai',
    '--base-url',
    server.baseUrl,
    '--model',
    'tiny',
    '--key-file',
    join(home, 'key'),
    ...args,
  );

test('what is estimated asks nothing and is within a fifth of what is counted; what was answered is not asked again', async () => {
  const estimate = await ai('--estimate');
  expect(estimate.code).toBe(0);
  expect(server.questions).toEqual([]);
  const [, input, output] = /about (\d+) tokens of input and (\d+) of output/.exec(estimate.out)!.map(Number);
  expect(estimate.out).toMatch(
    /about \d+ questions \(\d+ judge, \d+ criticise, 1 applies\), 0 of them from stored answers/,
  );
  expect(estimate.out).toMatch(/\d+ passages of \d documents would be sent\n/);

  const run = await ai('--format', 'json');
  expect(run.error).not.toContain('normtrace:');
  const result = JSON.parse(run.out) as GapAnalysis;
  const { tokens, asked, model } = result.method.model!;
  expect(model).toMatch(/^openai-compatible:127\.0\.0\.1(?::\d+)?:tiny$/);
  expect(asked).toBe(server.questions.length);
  const counted = tokens.input + tokens.output;
  expect(Math.abs(input! + output! - counted) / counted).toBeLessThan(0.2);
  expect((await readdir(join(home, '.cache', 'normtrace', 'answers'))).length).toBeGreaterThan(0);

  const before = server.questions.length;
  const again = await ai('--format', 'json');
  expect(server.questions.length).toBe(before);
  expect(again.out).toBe(run.out);
  const stored = await ai('--estimate');
  expect(stored.out).toMatch(/about 0 tokens of input and 0 of output/);
});

test('the result says what the model did: on the terminal, in a report, as CSV', async () => {
  const { out } = await ai();
  expect(out).toContain('Rules and model differ');
  expect(out).toMatch(
    /Model openai-compatible:.*: \d+ questions asked, \d+ answered, \d+ tokens in, \d+ out/,
  );
  expect(out).toContain('By rules alone: ');
  const html = await ai('--format', 'html', '--output', join(home, 'report.html'));
  expect(html.error).toContain('Wrote ');
  const csv = await ai('--format', 'csv');
  const [header] = csv.out.split('\r\n');
  expect(header).toMatch(/by_rules,by_model/);
  const rules = await analyse('--format', 'csv');
  expect(rules.out.split('\r\n')[0]).not.toMatch(/by_model/);
});

test('a server that answers as another model than was asked is told', async () => {
  server.answer(async (question) => ({ text: await answer(question), model: 'something-smaller' }));
  const { out } = await ai('--fresh-answers', '--clause', '26262-3:5.5.1');
  server.answer(answer);
  expect(out).toContain('Answered as: something-smaller');
  const html = await ai('--clause', '26262-3:5.5.1', '--format', 'html');
  expect(html.out).toContain('something-smaller');
  expect((await ai('--fresh-answers', '--clause', '26262-3:5.5.1')).out).not.toContain('Answered as');
});

test('tokens that are used up, and a server that is gone, leave the rest to rules', async () => {
  const few = await ai('--max-tokens', '9000', '--fresh-answers', '--format', 'json');
  const { model } = (JSON.parse(few.out) as GapAnalysis).method;
  expect(model!.tokens.input + model!.tokens.output).toBeLessThanOrEqual(9000);
  expect(model!.byRulesBecause.budget_ended).toBeGreaterThan(0);
  const gone = await analyse(
    '--judge',
    'ai',
    '--base-url',
    'http://127.0.0.1:9',
    '--model',
    'tiny',
    '--format',
    'json',
    '--max-tokens',
    '4000',
  );
  const alone = JSON.parse((await analyse('--format', 'json')).out) as GapAnalysis;
  expect((JSON.parse(gone.out) as GapAnalysis).verdicts).toEqual(alone.verdicts);
});

test('completeness and trace ask about wording and proposed links: as estimated', async () => {
  const options = ['--base-url', server.baseUrl, '--model', 'tiny', '--key-file', join(home, 'key')];
  for (const [command, heading] of [
    ['completeness', 'What a language model has against the wording of requirements'],
    ['trace', 'Links that rules propose and a language model confirms'],
  ] as const) {
    const ai = (...more: string[]) => normtrace(command, ...DOCUMENTS, '--judge', 'ai', ...options, ...more);
    const before = server.questions.length;
    const estimate = await ai('--estimate');
    const questions = Number(/about (\d+) questions/.exec(estimate.out)?.[1]);
    expect([command, server.questions.length]).toEqual([command, before]);
    const { out, error } = await ai();
    expect(error).not.toContain('normtrace:');
    expect(out).toContain(heading);
    expect(out).toContain(`: ${questions} questions asked, ${questions} answered`);
    expect(server.questions.length).toBe(before + questions);
  }
}, 240_000);

test('a report asks in its gap analyses and checklists, and for sentences about the whole, marked as the model’s', async () => {
  const options = ['--base-url', server.baseUrl, '--model', 'tiny', '--key-file', join(home, 'key')];
  const what = ['--standard', 'iso-26262-3-2018', '--checklist', 'FS-HARA', '--embeddings', 'off'];
  const report = (...more: string[]) => normtrace('report', ...DOCUMENTS, ...what, ...more);
  const { out, error } = await report('--judge', 'ai', ...options, '--summary', '--format', 'json');
  expect(error).not.toContain('normtrace:');
  const { summary, parts } = JSON.parse(out) as Report;
  expect(parts.filter(({ method }) => method.model).map(({ type }) => type)).toEqual([
    'gap_analysis',
    'checklist',
  ]);
  // The judge also writes a sentence with a number of its own, which is left out.
  expect(summary!.sentences).toHaveLength(1);
  expect(summary!.sentences[0]!.text).toMatch(/^There are \d+ critical findings\.$/);
  const html = await report('--judge', 'ai', ...options, '--summary', '--format', 'html');
  expect(html.out).toMatch(/There are \d+ critical findings\./);
  expect(html.out).toContain('Written by a language model (openai-compatible:');
  expect((await report('--summary')).error).toContain('--summary is written by a language model');
}, 240_000);

test.each([
  [['--judge', 'ai'], '--model is missing'],
  [['--judge', 'ai', '--model', 'x'], '--base-url is missing'],
  [['--judge', 'ai', '--model', 'x', '--base-url', 'here'], 'is no address'],
  [['--judge', 'oracle'], '--judge oracle is not known'],
  [['--estimate'], '--estimate is about a language model'],
  [
    ['--judge', 'ai', '--model', 'x', '--base-url', 'http://a', '--max-tokens', 'few'],
    '--max-tokens few is no number',
  ],
])('what is wrong with the options is said: %j', async (options, message) => {
  const { code, error } = await analyse(...options);
  expect(code).toBe(2);
  expect(error).toContain(message);
});

test('models check says what a server can do', async () => {
  const command = ['models', 'check', '--base-url', server.baseUrl, '--model', 'tiny'];
  const { code, out } = await normtrace(...command);
  expect(code).toBe(1);
  expect(out).toMatch(/failed +reachable/);
  expect((await normtrace('models')).error).toContain('normtrace models check');
});

test('a draft of what a standard demands: its own sentences, readable as a standard, and nothing sent unasked', async () => {
  const file = join(home, 'house.md');
  const demand = 'Each plan has to carry the name, of whoever wrote it.';
  await writeFile(
    file,
    `# House rules\n\n4.1 Every plan must be signed. Nobody likes this.\n\n4.2 ${demand} Plans must be kept.\n`,
  );
  const by = [
    '--judge',
    'ai',
    '--base-url',
    server.baseUrl,
    '--model',
    'tiny',
    '--key-file',
    join(home, 'key'),
  ];
  expect((await normtrace('demands', file)).error).toContain('drafted by a language model');
  const before = server.questions.length;
  expect((await normtrace('demands', file, ...by)).error).toContain('--send-standard');
  const told = await normtrace('demands', file, ...by, '--send-standard', '--estimate');
  expect(told.out).toMatch(/about 1 questions \(1 demands\).*\n[\s\S]*and words of the standard/);
  expect(server.questions.length).toBe(before);

  const draft = join(home, 'draft.csv');
  const drafted = await normtrace('demands', file, ...by, '--send-standard', '--output', draft);
  expect([drafted.code, server.questions.length]).toEqual([0, before + 1]);
  expect(drafted.error).toContain('Check every line against the file');
  const lines = (await readFile(draft, 'utf8')).trim().split('\r\n');
  expect(lines[0]).toBe('ID,Text,Page');
  expect(lines.join('\n')).toContain('Every plan must be signed.');
  expect(lines.join('\n')).not.toContain('Nobody likes this');
  const read = await normtrace(
    'analyse',
    DEMO,
    '--standard',
    draft,
    '--embeddings',
    'off',
    '--format',
    'json',
  );
  expect((JSON.parse(read.out) as GapAnalysis).verdicts).toHaveLength(lines.length - 1);
});
