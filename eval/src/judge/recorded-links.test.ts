import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LinkSet, loadLinkSets } from '../gold.js';
import type { Method } from '../methods.js';
import { judgeRecordedLinks, recordedLinksTable, saysYes, withJudgements } from './recorded-links.js';

test.each([
  ['Yes.', true],
  ['no', false],
  ['They share yes and no. <trace> no </trace>', false],
  ['First <trace>no</trace>, but then <trace>yes</trace>', true],
  ['I cannot tell.', false],
])('%s', (answer, expected) => {
  expect(saysYes(answer)).toBe(expected);
});

/** Two sets in which the ranking cannot tell right from wrong, and a judge who can. */
async function folder(more = ''): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'recorded-'));
  await mkdir(join(root, 'link-judgements'));
  for (const set of ['one', 'two']) {
    const place = join(root, 'links', set);
    await mkdir(place, { recursive: true });
    const texts = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, at) =>
        JSON.stringify({ id: `${prefix}${at}`, text: `text ${at}` }),
      ).join('\n');
    await writeFile(join(place, 'sources.jsonl'), texts('s', 4));
    await writeFile(join(place, 'targets.jsonl'), texts('t', 4));
    await writeFile(
      join(place, 'links.csv'),
      `source,target\n${[0, 1, 2, 3].map((at) => `s${at},t${at}`).join('\n')}\n`,
    );
    const answers = [0, 1, 2, 3].flatMap((source) =>
      [0, 1, 2, 3].map((target) =>
        JSON.stringify({
          source: `s${source}`,
          target: `t${target}`,
          model: 'wise',
          prompt: 'reasons-first',
          answer: source === target ? 'yes' : 'no',
        }),
      ),
    );
    await writeFile(join(root, 'link-judgements', `${set}.jsonl`), `${answers.join('\n')}\n${more}`);
  }
  return root;
}

const blind: Method = {
  name: 'blind',
  rank: async (sources, targets) => ({
    ranked: sources.map((_, source) =>
      targets.map((_target, text) => ({ text, score: ((source + text) % 3) / 3 })),
    ),
  }),
};

test('a judge that is right lifts a ranking that is blind', async () => {
  const root = await folder();
  const judged = withJudgements(root, loadLinkSets(root));
  const [alone, wise] = await judgeRecordedLinks(judged, blind);
  expect(alone!.judge).toBe('ranking alone');
  expect(wise!.sets[0]).toMatchObject({ pairs: 16, kept: 1, refused: 1, f1: 1, f2: 1 });
  expect(alone!.sets[0]!.f1).toBeLessThan(0.6);
  expect(recordedLinksTable(judged, [alone!, wise!])).toContain('1.00 / 1.00');
});

test('an answer about a pair that is not there is told, not skipped', async () => {
  const root = await folder(
    JSON.stringify({ source: 's9', target: 't1', model: 'm', prompt: 'p', answer: 'yes' }),
  );
  const sets: readonly LinkSet[] = loadLinkSets(root);
  expect(() => withJudgements(root, sets)).toThrow('s9 → t1 is no pair');
});
