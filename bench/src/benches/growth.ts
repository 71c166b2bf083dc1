import { analyseTraceability, createDocumentReader, loadTraceabilityRules } from '@normtrace/engine';
import { generateTrace } from '../generate-trace.js';
import { type Bench, type Figure, median, milliseconds } from '../measure.js';
import { post, signUp, startService } from '../service.js';

const SIZES = [1, 4, 16] as const;
const ROUNDS = 3;
const ARTIFACTS = 12_500;
const PARAGRAPHS = 2_000;
const WORKSPACES = 10;
const READS = 200;

/** How time grows with what there is: once, four times and sixteen times as much. */
export const growth: Bench = {
  name: 'growth',
  about:
    'Once, four times and sixteen times as much of one thing; the ratio is the time of the last one beside sixteen times that of the first: up to 1 is linear or better.',
  async run({ log }) {
    const rules = await loadTraceabilityRules();
    const figures: Figure[] = [];
    const add = async (name: string, measure: (size: number) => Promise<number>): Promise<void> => {
      const times: number[] = [];
      for (const size of SIZES) times.push(await measure(size));
      log(`${name}: ${times.map((time) => time.toFixed(1)).join(', ')} ms`);
      figures.push(figureOf(name, times));
    };
    await add(`artifacts in memory, from ${ARTIFACTS.toLocaleString('en')}`, (size) => {
      const trace = generateTrace(ARTIFACTS * size);
      return often(() => analyseTraceability({ ...trace, rules }));
    });
    await add('gaps of 100,000 artifacts, from one in sixty', (size) => {
      const trace = generateTrace(100_000, { defects: size });
      return often(() => analyseTraceability({ ...trace, rules }));
    });
    const reader = createDocumentReader();
    await add(`passages read from Markdown, from ${PARAGRAPHS.toLocaleString('en')}`, (size) => {
      const bytes = new TextEncoder().encode(paragraphs(PARAGRAPHS * size));
      return often(() => reader.read(bytes, { fileName: 'passages.md' }));
    });
    await withWorkspaces(add);
    return figures;
  },
};

function figureOf(name: string, times: readonly number[]): Figure {
  const [first, last] = [times[0]!, times.at(-1)!];
  return {
    name,
    value: times.map((time) => `${time.toFixed(time < 10 ? 2 : 0)} ms`).join(', '),
    peer: `${SIZES.at(-1)} × the first: ${(first * SIZES.at(-1)!).toFixed(0)} ms`,
    ratio: last / (first * SIZES.at(-1)!),
    goal: '≤ 1 ×',
  };
}

async function often(work: () => unknown): Promise<number> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await milliseconds(work));
  return median(times);
}

const paragraphs = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `${at % 40 === 0 ? `## Section ${at / 40}\n\n` : ''}The unit ${at} shall hold its output within limit ${at % 97} and report a lost signal within ${at % 89} ms.\n`,
  ).join('\n');

/** Reading one workspace of a user beside how many the installation has. */
async function withWorkspaces(
  add: (name: string, measure: (size: number) => Promise<number>) => Promise<void>,
): Promise<void> {
  const service = await startService();
  try {
    const { token } = await signUp(service.url);
    let made = 0;
    let last = '';
    await add(`one workspace read over HTTP, of ${WORKSPACES} and more`, async (size) => {
      for (; made < WORKSPACES * size; made++) {
        const body = { name: `Workspace ${made}` };
        last = (await post<{ id: string }>(`${service.url}/api/v1/workspaces`, body, token)).id;
      }
      const times: number[] = [];
      for (let read = 0; read < READS; read++) {
        times.push(
          await milliseconds(async () => {
            const answer = await fetch(`${service.url}/api/v1/workspaces/${last}`, {
              headers: { authorization: `Bearer ${token}` },
            });
            await answer.arrayBuffer();
            if (!answer.ok) throw new Error(`A workspace was answered ${answer.status}.`);
          }),
        );
      }
      return median(times);
    });
  } finally {
    await service.stop();
  }
}
