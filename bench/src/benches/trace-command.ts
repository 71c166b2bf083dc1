import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateTrace } from '../generate-trace.js';
import { type Bench, type Figure, median, milliseconds } from '../measure.js';
import { writeTrace } from '../write-trace.js';

/** `BENCH_COMMAND_ARTIFACTS=1000000` for the other goal. */
const ARTIFACTS = Number(process.env.BENCH_COMMAND_ARTIFACTS ?? 100_000);
const FILES = 100;
const DEFECTS = 16;
const ROUNDS = 3;
const SAMPLE_MILLISECONDS = 50;

/** `normtrace trace` as people run it: from files to the printed result. */
export const traceCommand: Bench = {
  name: 'trace-command',
  about: `\`normtrace trace\` from about ${FILES} Markdown files to the printed result, memory of all its processes together; the limit is copying the files.`,
  async run({ log }) {
    const folder = await mkdtemp(join(tmpdir(), 'normtrace-bench-'));
    try {
      const trace = generateTrace(ARTIFACTS, { defects: DEFECTS });
      const { paths, bytes } = await writeTrace(trace, folder, Math.ceil(ARTIFACTS / FILES));
      const times: number[] = [];
      const copies: number[] = [];
      let megabytes = 0;
      for (let round = 0; round < ROUNDS; round++) {
        copies.push(await milliseconds(() => copyAll(paths)));
        times.push(
          await milliseconds(async () => {
            megabytes = Math.max(megabytes, await runTrace(folder));
          }),
        );
        log(`${(times.at(-1)! / 1000).toFixed(1)} s, ${megabytes.toFixed(0)} MB`);
      }
      const [time, copy] = [median(times), median(copies)];
      const isMillion = ARTIFACTS >= 1_000_000;
      return [
        {
          name: `${(bytes / 1e6).toFixed(1)} MB as ${paths.length} files: ${ARTIFACTS.toLocaleString('en')} artifacts, ${trace.links.length.toLocaleString('en')} links`,
          value: `${(time / 1000).toFixed(1)} s`,
          peer: `${copy.toFixed(0)} ms for copying the files`,
          ratio: time / copy,
          goal: isMillion ? '≤ 20 s' : '≤ 2 s',
          note: `fastest ${(Math.min(...times) / 1000).toFixed(1)} s`,
        },
        {
          name: 'memory of all its processes at most',
          value: `${megabytes.toFixed(0)} MB`,
          goal: isMillion ? '≤ 2,000 MB' : '≤ 600 MB',
          note: `looked at every ${SAMPLE_MILLISECONDS} ms, shared pages in parts (PSS)`,
        },
      ] satisfies Figure[];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function copyAll(paths: readonly string[]): Promise<void> {
  const to = await mkdtemp(join(tmpdir(), 'normtrace-bench-'));
  for (const path of paths) await copyFile(path, join(to, basename(path)));
  await rm(to, { recursive: true });
}

/** Runs the command and gives back the most memory in MB that it and its children took. */
async function runTrace(folder: string): Promise<number> {
  const entry = fileURLToPath(new URL('../../../engine/bin/normtrace.js', import.meta.url));
  await stat(entry);
  const child = spawn(process.execPath, [entry, 'trace', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  let most = 0;
  const timer = setInterval(async () => {
    most = Math.max(most, await megabytesOf(child.pid!).catch(() => 0));
  }, SAMPLE_MILLISECONDS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(timer);
  // 1: there are gaps.
  if (code !== 0 && code !== 1) throw new Error(`normtrace trace ended with ${code}: ${said}`);
  return most;
}

/** Of a process and all below it (Linux; 0 elsewhere). */
async function megabytesOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  let sum = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
  for (const child of children.split(' ').filter(Boolean)) sum += await megabytesOf(Number(child));
  return sum;
}
