import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BENCHES } from './benches/index.js';
import { BenchSkipped } from './measure.js';
import { type BenchResult, machine, renderMarkdown, renderText } from './report.js';

const HELP = `npm run bench -- [--data <folder with documents>] [--only <name>] [--write]

Measures ratios against a peer or a limit in the same run.
  --data   folder with real documents (PDF), for the benches that read files
  --only   one of: ${BENCHES.map((bench) => bench.name).join(', ')} (may be repeated, or several with commas);
           ${BENCHES.filter(({ onlyByName }) => onlyByName)
             .map(({ name }) => name)
             .join(', ')} only by name
  --write  put the result into docs/benchmarks.md
`;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
/** Several names may also be given at once, with commas. */
const only = values.only?.flatMap((names) => names.split(','));
const unknown = only?.find((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown !== undefined) {
  process.stderr.write(`There is no bench "${unknown}".\n\n${HELP}`);
  process.exit(2);
}

const results: BenchResult[] = [];
for (const bench of BENCHES.filter(({ name, onlyByName }) => (only ? only.includes(name) : !onlyByName))) {
  process.stderr.write(`${bench.name}: ${bench.about}\n`);
  try {
    const figures = await bench.run({
      ...(values.data ? { dataDirectory: resolve(values.data) } : {}),
      log: (line) => process.stderr.write(`  ${line}\n`),
    });
    results.push({ bench, figures });
  } catch (error) {
    if (!(error instanceof BenchSkipped)) throw error;
    process.stderr.write(`  skipped: ${error.message}\n`);
    results.push({ bench, figures: [], skipped: error.message });
  }
}
process.stdout.write(renderText(results));
if (values.write) {
  const file = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
  await writeFile(file, renderMarkdown(results, machine(), new Date()));
  process.stderr.write('Written to docs/benchmarks.md\n');
}
