import { readFileSync } from 'node:fs';
import { differences } from './text.js';

/** `node server/dist/testing/conformance/compare.js TEXT`: says what the rows and the specification's text differ in. */
const [path] = process.argv.slice(2);
if (!path) {
  console.error('Name the file with the text of the specification.');
  process.exitCode = 2;
} else {
  const found = differences(readFileSync(path, 'utf8'));
  for (const one of found) console.log(one);
  console.log(found.length === 0 ? 'Every line of the text has its row.' : `${found.length} differences.`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
