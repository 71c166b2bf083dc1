// Reads every YAML file of data once, as the engine does, and writes what it holds as JSON into dist (see `src/data/made-ahead.ts`).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { parseYaml } from '../dist/data/load-data.js';
import { madeAheadFile } from '../dist/data/made-ahead.js';

const folder = fileURLToPath(new URL('../data', import.meta.url));
rmSync(new URL('.', madeAheadFile('')), { recursive: true, force: true });
mkdirSync(new URL('.', madeAheadFile('')), { recursive: true });
for (const name of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.yaml'))) {
  const text = readFileSync(join(folder, name), 'utf8');
  const value = parseYaml(name, text);
  const json = JSON.stringify(value);
  if (!isDeepStrictEqual(JSON.parse(json), value)) throw new Error(`${name} holds what JSON cannot.`);
  writeFileSync(madeAheadFile(text), json);
}
