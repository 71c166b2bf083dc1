import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimsView } from './claims.js';
import type { Installation, Victim } from './installation.js';
import type { Trouble } from './stubborn-client.js';

export interface Killing {
  readonly seed: number;
  readonly kills: Readonly<Record<Victim, number>>;
  /** Mean seconds between two moments of killing. */
  readonly pause: number;
  /** Ends then, with what has been killed. */
  readonly minutes: number;
  readonly tell: (line: string) => void;
}

/** Kills by their victims, and what they met. */
export interface Killed {
  /** Those that met work in progress: a worker a job, a process of the API a request, PostgreSQL a job. Only they are asked for. */
  readonly counted: Readonly<Record<Victim, number>>;
  /** Workers that had just finished what they worked on. */
  readonly missed: number;
  /** Jobs that were under way in the workers that were killed. */
  readonly jobs: number;
}

/**
 * Kills processes that are at work, several workers at a time, in an order and with pauses that follow from the seed.
 */
export async function killAll(
  { seed, kills, pause, minutes, tell }: Killing,
  installation: Installation,
  { view, trouble }: { readonly view: ClaimsView; readonly trouble: Trouble },
): Promise<Killed> {
  const random = randomFrom(seed);
  const until = performance.now() + minutes * 60_000;
  const left: Record<Victim, number> = { ...kills };
  let missed = 0;
  let jobs = 0;
  const total = (): number => left.worker + left.api + left.postgres;
  const counted = (): Record<Victim, number> => ({
    worker: kills.worker - left.worker,
    api: kills.api - left.api,
    postgres: kills.postgres - left.postgres,
  });

  const killWorkers = async (): Promise<void> => {
    const claims = await view.claims();
    const busy = [...new Set(claims.map(({ pid }) => pid))].sort((a, b) => a - b);
    const first = Math.floor(random() * busy.length);
    const count = Math.min(left.worker, Math.ceil(random() * busy.length));
    const chosen = Array.from({ length: count }, (_, at) => busy[(first + at) % busy.length]!);
    const killed = chosen.filter((pid) => installation.killWorker(pid));
    const held = claims.filter(({ pid }) => killed.includes(pid));
    const met = await view.underWay(held.map(({ job }) => job));
    for (const pid of killed) {
      const own = held.filter((one) => one.pid === pid && met.includes(one.job)).length;
      jobs += own;
      if (own > 0) left.worker--;
      else missed++;
    }
  };
  const killApi = async (): Promise<void> => {
    const busy = [...trouble.answering].filter((address) => (trouble.open.get(address) ?? 0) > 0).sort();
    const chosen = busy[Math.floor(random() * busy.length)];
    if (chosen === undefined || !installation.killApi(chosen)) return;
    trouble.answering.delete(chosen);
    left.api--;
  };
  const killPostgres = async (): Promise<void> => {
    if ((await view.claims()).length > 0 && installation.killPostgres()) left.postgres--;
  };
  const killers: Readonly<Record<Victim, () => Promise<void>>> = {
    worker: killWorkers,
    api: killApi,
    postgres: killPostgres,
  };

  let told = 0;
  while (total() > 0 && performance.now() < until) {
    await delay(2 * pause * 1000 * random());
    let chosen = random() * total();
    const victim = (Object.keys(left) as Victim[]).find((one) => {
      chosen -= left[one];
      return chosen < 0;
    })!;
    // None of them may be at work just now.
    for (let before = left[victim]; left[victim] === before && performance.now() < until; ) {
      await killers[victim]();
      if (left[victim] === before) await delay(20);
    }
    const done = kills.worker + kills.api + kills.postgres - total();
    if (done - told < 50) continue;
    told = done;
    tell(`killed at work so far: ${JSON.stringify(counted())}`);
  }
  return { counted: counted(), missed, jobs };
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
