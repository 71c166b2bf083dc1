import { setTimeout as pause } from 'node:timers/promises';
import { analyseTraceability, examineTraceability, loadTraceabilityRules } from '@normtrace/engine';
import { type GeneratedTrace, generateDenseTrace, generateTrace } from '../generate-trace.js';
import { type Bench, type Figure, median, milliseconds } from '../measure.js';

export const traceability: Bench = {
  name: 'traceability',
  about:
    'Artifacts and links in memory to the whole analysis: 11 layers, 3.29 links per artifact, 1 % orphans, 0.3 % dangling links, 1 % without test; the limit is one look at each end of each link in a map.',
  async run({ log }) {
    const rules = await loadTraceabilityRules();
    const analyse = (trace: GeneratedTrace) => analyseTraceability({ ...trace, rules });
    const figures: Figure[] = [];

    // First, so that the memory is that of this case.
    figures.push(await measureHuge(analyse));
    log('1 000 000 done');

    const large = generateTrace(100_000);
    figures.push(await measure('100 000 artifacts', '≤ 300 ms', { trace: large, analyse, rounds: 9 }));
    log('100 000 done');

    const dense = generateDenseTrace();
    figures.push(await measure('dense: 4 000 items', '≤ 60 ms', { trace: dense, analyse, rounds: 9 }));
    figures.push(await measureMatrix(large, rules));
    return figures;
  },
};

async function measureHuge(analyse: (trace: GeneratedTrace) => { totalGaps: number }): Promise<Figure> {
  const trace = generateTrace(1_000_000);
  const before = process.memoryUsage.rss();
  const cold = await milliseconds(() => analyse(trace));
  const most = process.resourceUsage().maxRSS / 1024;
  const figure = await measure('1 000 000 artifacts', '≤ 6 s and 1 536 MiB', { trace, analyse, rounds: 3 });
  return {
    ...figure,
    note: `${cold.toFixed(0)} ms in a fresh process; ${figure.note}; ${(before / 2 ** 20).toFixed(0)} MiB with the input in memory, ${most.toFixed(0)} MiB at most in the first analysis`,
  };
}

async function measure(
  name: string,
  goal: string,
  {
    trace,
    analyse,
    rounds,
  }: { trace: GeneratedTrace; analyse: (trace: GeneratedTrace) => { totalGaps: number }; rounds: number },
): Promise<Figure> {
  const own: number[] = [];
  const limit: number[] = [];
  let gaps = 0;
  for (let round = 0; round < rounds; round++) {
    limit.push(await milliseconds(() => lookUpEnds(trace)));
    own.push(
      await milliseconds(() => {
        gaps = analyse(trace).totalGaps;
      }),
    );
    await pause(0);
  }
  const [first, ...warm] = own;
  const time = median(warm);
  const floor = median(limit);
  return {
    name: `${name}, ${trace.links.length.toLocaleString('en')} links`,
    value: `${time.toFixed(0)} ms`,
    peer: `${floor.toFixed(0)} ms for the bare look-ups`,
    ratio: time / floor,
    goal,
    note: `first run ${first!.toFixed(0)} ms, fastest ${Math.min(...own).toFixed(0)} ms; ${gaps.toLocaleString('en')} gaps`,
  };
}

/** What nothing that reads links by id can do without. */
function lookUpEnds({ artifacts, links }: GeneratedTrace): number {
  const numbers = new Map<string, number>();
  for (const { id } of artifacts) numbers.set(id, numbers.size);
  let found = 0;
  for (const { sourceId, targetId } of links) {
    if (numbers.has(sourceId)) found++;
    if (numbers.has(targetId)) found++;
  }
  return found;
}

/** Every row of the matrix made once: rows count what they reach, and nothing of the product lists pairs. */
async function measureMatrix(
  trace: GeneratedTrace,
  rules: Awaited<ReturnType<typeof loadTraceabilityRules>>,
): Promise<Figure> {
  const examined = examineTraceability({ ...trace, rules });
  let rows = 0;
  const time = await milliseconds(() => {
    for (const row of examined.matrixRows()) rows += row.status.length > 0 ? 1 : 0;
  });
  return {
    name: `trace matrix, ${rows.toLocaleString('en')} rows with their links and status`,
    value: `${time.toFixed(0)} ms`,
  };
}
