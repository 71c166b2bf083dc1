import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  analyseTraceability,
  extractArtifactsFromMarkdown,
  loadTraceabilityRules,
  type MarkdownText,
  type TraceabilityAnalysis,
} from '@normtrace/engine';
import { generateTrace } from '../generate-trace.js';
import { type Bench, median, milliseconds } from '../measure.js';
import { writeTrace } from '../write-trace.js';

const ROUNDS = 9;

export const traceFiles: Bench = {
  name: 'trace-files',
  about:
    'The same workspace from its Markdown files to the whole analysis, in one process, by the scan for large Markdown (decision 14), which command line and service do not use: they read through the limited process; the limit is reading the files and splitting them into lines.',
  async run({ log }) {
    const rules = await loadTraceabilityRules();
    const generated = generateTrace(100_000);
    const expected = analyseTraceability({ ...generated, rules });
    const folder = await mkdtemp(join(tmpdir(), 'normtrace-bench-'));
    try {
      const { paths, bytes, lines } = await writeTrace(generated, folder);
      log(`${(bytes / 1e6).toFixed(1)} MB in ${paths.length} files written`);
      const own: number[] = [];
      const cpu: number[] = [];
      const limit: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        let analysis: TraceabilityAnalysis | undefined;
        const before = process.cpuUsage();
        own.push(
          await milliseconds(async () => {
            analysis = analyseTraceability({ ...(await extract(paths)), rules });
          }),
        );
        const { user, system } = process.cpuUsage(before);
        cpu.push((user + system) / 1000);
        assertSame(analysis!, expected);
        limit.push(await milliseconds(() => splitIntoLines(paths)));
        await pause(0);
      }
      const [first, ...warm] = own;
      const floor = median(limit);
      const time = median(warm);
      return [
        {
          name: `${(bytes / 1e6).toFixed(1)} MB of Markdown, ${lines.toLocaleString('en')} lines: 100 000 artifacts, ${expected.totalLinks.toLocaleString('en')} links`,
          value: `${time.toFixed(0)} ms`,
          peer: `${floor.toFixed(0)} ms to read and split`,
          ratio: time / floor,
          goal: '≤ 800 ms',
          note: `fastest ${Math.min(...own).toFixed(0)} ms, first run ${first!.toFixed(0)} ms; ${median(cpu).toFixed(0)} ms of processor time, threads of the collector included; ${expected.totalGaps.toLocaleString('en')} gaps, as from memory`,
        },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function extract(paths: readonly string[]) {
  const files = await Promise.all(
    paths.map(
      async (path): Promise<MarkdownText> => ({ id: basename(path), text: await readFile(path, 'utf8') }),
    ),
  );
  const extraction = extractArtifactsFromMarkdown(files);
  if (!extraction) throw new Error('The generated Markdown needs the whole reader.');
  return extraction;
}

/** What came through the files has to be what was written into them. */
function assertSame(analysis: TraceabilityAnalysis, expected: TraceabilityAnalysis): void {
  const counts = ({ totalArtifacts, totalLinks, totalGaps, summary }: TraceabilityAnalysis) =>
    JSON.stringify({ totalArtifacts, totalLinks, totalGaps, summary });
  if (counts(analysis) === counts(expected)) return;
  throw new Error(`From files: ${counts(analysis)}; from memory: ${counts(expected)}.`);
}

async function splitIntoLines(paths: readonly string[]): Promise<number> {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return texts.reduce((count, text) => count + text.split('\n').length, 0);
}
