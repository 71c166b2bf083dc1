import {
  analyseGaps,
  analyseTraceability,
  createDocumentReader,
  loadTraceabilityRules,
  readStandardFile,
} from '@normtrace/engine';
import { generateTrace } from '../generate-trace.js';
import {
  type Bench,
  type Figure,
  median,
  milliseconds,
  processorMilliseconds,
  quantile,
} from '../measure.js';
import { post, signUp, startService } from '../service.js';

const SIZES = [1, 4, 16] as const;
const ROUNDS = 3;
const ARTIFACTS = 12_500;
const PASSAGES = 2_000;
const CRITERIA = 50;
const WORKSPACES = 10;
const READS = 200;

/** How the work grows with what there is: once, four times and sixteen times as much. */
export const growth: Bench = {
  name: 'growth',
  about:
    'Once, four times and sixteen times as much of one thing; the ratio is the last one beside sixteen times the first: up to 1 is linear or better. Processor time, which a loaded machine hardly changes; for what is read over HTTP the time of the fastest tenth.',
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
    await add(
      `passages of a gap analysis by ${CRITERIA} criteria, from ${PASSAGES.toLocaleString('en')}`,
      (size) => gapAnalysis(CRITERIA, PASSAGES * size),
    );
    await add(
      `criteria of a gap analysis of ${PASSAGES.toLocaleString('en')} passages, from ${CRITERIA}`,
      (size) => gapAnalysis(CRITERIA * size, PASSAGES),
    );
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
  for (let round = 0; round < ROUNDS; round++) times.push(await processorMilliseconds(work));
  return median(times);
}

const reader = createDocumentReader();

/** Milliseconds of a whole one, without reading the files. */
async function gapAnalysis(criteria: number, passages: number): Promise<number> {
  const readDocument = (bytes: Uint8Array, fileName: string) => reader.read(bytes, { fileName });
  const { criteria: read, ...about } = await readStandardFile(encoded(clauses(criteria)), 'standard.md', {
    id: 'growth',
    readDocument,
  });
  const document = await readDocument(encoded(paragraphs(passages)), 'document.md');
  const standard = { ...about, criteria: read };
  const one = { id: 'document', name: 'document.md', version: '1', sha256: '0'.repeat(64), document };
  return often(() => analyseGaps({ standard, documents: [one] }));
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

const clauses = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `## ${Math.floor(at / 20) + 1}.${(at % 20) + 1} ${TOPICS[at % TOPICS.length]}\n\nThe ${TOPICS[at % TOPICS.length]} of unit ${at} shall be specified, and its limit ${at % 97} shall be verified.\n`,
  ).join('\n');

const paragraphs = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `${at % 40 === 0 ? `## Section ${at / 40}\n\n` : ''}The ${TOPICS[at % TOPICS.length]} of unit ${at} shall hold its output within limit ${at % 97} and report a lost signal within ${at % 89} ms.\n`,
  ).join('\n');

const TOPICS = [
  'fault reaction',
  'safe state',
  'supply voltage',
  'torque limit',
  'start-up test',
  'message counter',
];

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
      return quantile(times, 0.1);
    });
  } finally {
    await service.stop();
  }
}
