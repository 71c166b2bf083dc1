import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readDocument } from '../documents/read-document.js';
import type { GapAnalysis } from '../engines/gap-analysis/gap-analysis.js';

// With a real model, for whoever has one: LIVE_MODEL_URL=http://127.0.0.1:11434/v1 LIVE_MODEL=qwen3:8b. What a model says is not
// tested – that nothing it makes up comes through is.

const { LIVE_MODEL_URL: url, LIVE_MODEL: model, LIVE_MODEL_KEY_FILE: keyFile } = process.env;
const isSet = url !== undefined && model !== undefined;
if (!isSet)
  console.warn(
    'SKIPPED: no real model was asked. Set LIVE_MODEL_URL and LIVE_MODEL to a server that you have.',
  );

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
const DEMO = fileURLToPath(new URL('../../../demo/documents/', import.meta.url));

test.skipIf(!isSet)(
  'a real model: no quote outside of the documents, every question answered or told',
  async () => {
    const options = ['--base-url', url!, '--model', model!, '--max-tokens', '60000', '--embeddings', 'off'];
    if (keyFile !== undefined) options.push('--key-file', keyFile);
    const out = await new Promise<string>((resolve, reject) => {
      const args = [MAIN, 'analyse', DEMO, '--standard', 'iso-26262-3-2018', '--judge', 'ai', ...options];
      const child = spawn(process.execPath, [...args, '--format', 'json'], { env: process.env });
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
      });
      child.on('error', reject);
      child.on('close', () => resolve(text));
    });
    const { opinions = [], method } = JSON.parse(out) as GapAnalysis;
    const { asked, answered, byRulesBecause } = method.model!;
    console.warn(
      `${model}: ${asked} asked, ${answered} answered, rules alone: ${JSON.stringify(byRulesBecause)}`,
    );
    expect(asked).toBeGreaterThan(0);
    const texts = new Map<string, string>();
    for (const { byModel } of opinions) {
      for (const { documentId, quote, start, end } of byModel?.parts.flatMap(({ evidence }) => evidence) ??
        []) {
        const read = async () =>
          (await readDocument(await readFile(`${DEMO}/${documentId}`), { fileName: documentId })).text;
        const text = texts.get(documentId) ?? (await read());
        texts.set(documentId, text);
        expect(text.slice(start, end)).toBe(quote);
      }
    }
  },
  3_600_000,
);
