// Reads every YAML file of data once and writes what it holds as JSON into dist (see `src/platform/data/parse-yaml.ts`).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { madeAheadFile } from '../dist/platform/data/parse-yaml.js';

const data = new URL('../data/', import.meta.url);
const made = new URL('.', madeAheadFile(''));
rmSync(made, { recursive: true, force: true });
mkdirSync(made, { recursive: true });
for (const name of readdirSync(data).filter((file) => file.endsWith('.yaml'))) {
  const text = readFileSync(new URL(name, data), 'utf8');
  const value = parse(text);
  const json = JSON.stringify(value);
  if (!isDeepStrictEqual(JSON.parse(json), value)) throw new Error(`${name} holds what JSON cannot.`);
  writeFileSync(madeAheadFile(text), json);
}
