// Writes the type of all sentences from the texts: which keys there are, and what stands in them. Needs no build, because
// the build needs it: a rule that names a text that is not there, or forgets one of its placeholders, does not compile.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const texts = new URL('../data/texts/', import.meta.url);
export const path = 'engine/src/sentences/keys.ts';

export function sentenceKeys() {
  const entries = readdirSync(texts)
    .filter((name) => name.endsWith('.en.yaml'))
    .sort()
    .flatMap((name) => flat(parse(readFileSync(new URL(name, texts), 'utf8')), name.split('.')[0]));
  return `// Made from data/texts by engine/scripts/sentence-keys.mjs (\`npm run generate\`). Do not edit.

/** Every text of results by its key, with the names of its placeholders. */
export interface SentenceTexts {
${entries.map(([key, text]) => line(key, placeholders(text))).join('\n')}
}
`;
}

function flat(value, above) {
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'string' ? [[`${above}.${name}`, one]] : flat(one, `${above}.${name}`),
  );
}

function placeholders(text) {
  return [...new Set([...text.matchAll(/\{(\w+)[*~^:?}]/g)].map(([, name]) => name))].sort();
}

/** As the formatter writes it. */
function line(key, names) {
  const type = names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ');
  const property = /^\w+$/.test(key) ? key : `'${key}'`;
  const short = `  ${property}: ${type};`;
  if (short.length <= 110) return short;
  return `  ${property}:\n${names.map((name) => `    | '${name}'`).join('\n')};`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL(`../../${path}`, import.meta.url), sentenceKeys());
}
