import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeJudge, type ModelRequest } from '@normtrace/engine';
import { MODEL_SERVER_KEY, type ModelServer, startModelServer } from '@normtrace/engine/testing/model-server';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
let server: ModelServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'normtrace-judge-'));
  const judge = fakeJudge();
  server = await startModelServer('openai-compatible', async ({ user, system, body }) => {
    const { json_schema } = body.response_format as { json_schema: { name: ModelRequest['task'] } };
    const [answer] = await judge.ask([
      { task: json_schema.name, fixed: system, variable: user } as ModelRequest,
    ]);
    return 'text' in answer! ? answer.text : { status: 500 };
  });
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('key', MODEL_SERVER_KEY);
  const parts = ['lamp', 'door', 'brake', 'wiper'];
  const lines = (text: (part: string) => string, prefix: string) =>
    parts.map((part, at) => JSON.stringify({ id: `${prefix}${at}`, text: text(part) })).join('\n');
  const place = 'gold/coverage/first/document';
  write(
    `${place}/criteria.jsonl`,
    lines((part) => `The ${part} shall be tested with care.`, 'C'),
  );
  write(
    `${place}/passages.jsonl`,
    lines((part) => `A test of the ${part} was made with care.`, 'P'),
  );
  write(
    `${place}/truth.csv`,
    `criterion,covered,evidence\n${parts.map((_, at) => `C${at},true,P${at}`).join('\n')}\n`,
  );
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const judge = (...options: string[]) =>
  new Promise<{ code: number | null; out: string }>((resolve, reject) => {
    const main = fileURLToPath(new URL('../main.js', import.meta.url));
    const child = spawn(process.execPath, [main, 'judge', '--data', join(folder, 'gold'), ...options]);
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out }));
  });
const answers = () => join(folder, 'answers');

test('a model is asked and recorded; the recorded answers say the same without it, and what is not recorded is told', async () => {
  const live = ['--base-url', server.baseUrl, '--model', 'tiny', '--key-file', join(folder, 'key')];
  const first = await judge(...live, '--answers', answers(), '--record');
  expect([first.code, first.out]).toEqual([0, first.out]);
  expect(first.out).toMatch(/: about \d+ questions, 0 of them recorded; about \d+ tokens of input/);
  expect(first.out).toMatch(/clauses called covered, precision: rules \S+, with the model \S+/);
  expect(first.out).toMatch(/without an answer: none\./);
  const asked = server.questions.length;
  expect(asked).toBeGreaterThan(3);
  expect(readdirSync(answers()).sort()).toContain('judge.jsonl');

  const replayed = await judge('--answers', answers());
  expect(server.questions.length).toBe(asked);
  const figures = (text: string) => text.split('\n').filter((line) => line.includes('with the model'));
  expect(figures(replayed.out)).toEqual(figures(first.out));
  expect(figures(first.out)).toHaveLength(6);

  rmSync(join(answers(), 'judge.jsonl'));
  expect((await judge('--answers', answers())).out).toMatch(/without an answer: \d+ not_recorded\./);
  const none = await judge('--answers', join(folder, 'nowhere'));
  expect([none.code, none.out]).toMatchObject([2, expect.stringContaining('has no recorded answers')]);
}, 180_000);
