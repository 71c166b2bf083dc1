import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { madeAheadFile, parseYaml } from './parse-yaml.js';

const DATA = new URL('../../../data/', import.meta.url);
const FILES = readdirSync(DATA).filter((name) => name.endsWith('.yaml'));

test.each(FILES)('%s holds what the build has made of it', (name) => {
  const text = readFileSync(new URL(name, DATA), 'utf8');
  expect(JSON.parse(readFileSync(madeAheadFile(text), 'utf8'))).toEqual(parse(text));
  expect(parseYaml(text)).toEqual(parse(text));
});

test('what nothing was made of is read itself', () => {
  expect(parseYaml('a: [1, b]')).toEqual({ a: [1, 'b'] });
});
