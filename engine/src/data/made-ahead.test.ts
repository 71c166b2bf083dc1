import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { parseYaml } from './load-data.js';
import { madeAhead } from './made-ahead.js';

const DATA = new URL('../../data/', import.meta.url).pathname;
const texts = readdirSync(DATA, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml') && !name.startsWith('standards'))
  .map((name) => readFileSync(join(DATA, name), 'utf8'));

test('what the build made of data is what the file holds', () => {
  const made = texts.filter((text) => madeAhead(text) !== undefined);
  expect(made.length).toBeGreaterThan(texts.length / 2);
  for (const text of made.slice(0, 20)) expect(madeAhead(text)).toEqual(load(text));
});

test('a file that was changed since is read itself', () => {
  const text = `${texts[0]}\n# changed\n`;
  expect(madeAhead(text)).toBeUndefined();
  expect(parseYaml('changed.yaml', text)).toEqual(load(text));
});
