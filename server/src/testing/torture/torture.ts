import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startInstallation, type Victim } from './installation.js';
import { watchResumption } from './resumption.js';
import { type Ledger, playRound } from './round.js';
import { stubbornClient, type Trouble } from './stubborn-client.js';
import { resultsOf, verifyRound } from './verify.js';

export interface TortureOptions {
  readonly seed: number;
  readonly kills: Readonly<Record<Victim, number>>;
  /** People who work at the same time. */
  readonly clients: number;
  readonly apis: number;
  readonly workers: number;
  /** Mean seconds between two kills of workers; the others are spread over the same time. */
  readonly pause: number;
  readonly tell: (line: string) => void;
}

export interface TortureOutcome {
  readonly killed: Readonly<Record<Victim, number>>;
  readonly seconds: number;
  readonly rounds: number;
  readonly trouble: Trouble;
  /** Interruptions of jobs, and how long they lasted; `attended`: without the time in which no worker was up. */
  readonly resumption: {
    readonly interrupted: number;
    readonly seconds: Percentiles;
    readonly attended: Percentiles;
  };
  /** What was lost, doubled, stuck or different, in sentences; empty when all is well. */
  readonly wrong: readonly string[];
}

interface Percentiles {
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Kills processes of an installation at random moments while people work, and compares in the end what is there. */
export async function torture(options: TortureOptions): Promise<TortureOutcome> {
  const { seed, clients, tell } = options;
  const directory = await mkdtemp(join(tmpdir(), 'normtrace-torture-'));
  const installation = await startInstallation(directory, options);
  const trouble: Trouble = { unanswered: 0, refused: {} };
  const { addresses, connections } = installation;
  try {
    const stranger = stubbornClient(addresses, { trouble });
    const { access_token: token } = await stranger.send<{ access_token: string }>('POST', '/auth/sign-up', {
      email: 'torture@example.org',
      password: 'correct horse battery staple',
      name: 'Jo Example',
    });
    const client = stubbornClient(addresses, { token, trouble });
    const before = performance.now();
    const undisturbed = await resultsOf(client, await playRound(client, 'undisturbed', []));
    tell(
      `undisturbed: a round takes ${((performance.now() - before) / 1000).toFixed(1)} s; the killing begins`,
    );
    Object.assign(trouble, { unanswered: 0, refused: {} });

    const watch = watchResumption(connections.migration);
    const ledgers = new Map<string, Ledger>();
    const wrong: string[] = [];
    let killing = true;
    const began = performance.now();
    const people = Array.from({ length: clients }, async (_, person) => {
      const own = stubbornClient(addresses, { token, trouble });
      for (let round = 0; killing; round++) {
        const name = `round ${person}-${round}`;
        const made: Ledger[] = [];
        try {
          await playRound(own, name, made);
        } catch (error) {
          wrong.push(`${name}: ${error instanceof Error ? error.message : error}`);
        }
        if (made[0]) ledgers.set(name, made[0]);
      }
    });
    const killed = await killAll(options, installation.kill, (line) => tell(line));
    killing = false;
    tell(
      `killed ${JSON.stringify(killed)} in ${Math.round((performance.now() - began) / 1000)} s; the rest ends undisturbed`,
    );
    await Promise.all(people);
    const seconds = (performance.now() - began) / 1000;
    await watch.stop();

    const calm = stubbornClient(addresses, { token, trouble: { unanswered: 0, refused: {} } });
    for (const [name, ledger] of ledgers) {
      wrong.push(...(await verifyRound(calm, { ledger, name, undisturbed })));
    }
    const names = await workspacesOf(calm);
    for (const name of ledgers.keys()) {
      const found = names.filter((one) => one === name).length;
      if (found !== 1) wrong.push(`${name}: there are ${found} workspaces of this name`);
    }
    return {
      killed,
      seconds,
      rounds: ledgers.size,
      trouble,
      resumption: {
        interrupted: watch.seconds.length,
        seconds: percentiles(watch.seconds),
        attended: percentiles(watch.attended),
      },
      wrong,
    };
  } catch (error) {
    throw new Error(`With the seed ${seed}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  } finally {
    await installation.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Kills in an order and with pauses that follow from the seed. */
async function killAll(
  { seed, kills, pause }: TortureOptions,
  kill: (victim: Victim, chance: number) => boolean,
  tell: (line: string) => void,
): Promise<Record<Victim, number>> {
  const random = randomFrom(seed);
  const left: Record<Victim, number> = { ...kills };
  const killed: Record<Victim, number> = { worker: 0, api: 0, postgres: 0 };
  const total = (): number => left.worker + left.api + left.postgres;
  const all = total();
  const share = all / Math.max(1, kills.worker);
  while (total() > 0) {
    await delay((2 * pause * 1000 * random()) / share);
    let chosen = random() * total();
    const victim = (Object.keys(left) as Victim[]).find((one) => {
      chosen -= left[one];
      return chosen < 0;
    })!;
    if (!kill(victim, random())) continue;
    left[victim]--;
    killed[victim]++;
    if ((all - total()) % 50 === 0) tell(`killed so far: ${JSON.stringify(killed)}`);
  }
  return killed;
}

async function workspacesOf(client: ReturnType<typeof stubbornClient>): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { items: { name: string }[]; next_cursor: string | null } = await client.send(
      'GET',
      `/workspaces?limit=100&cursor=${cursor}`,
    );
    names.push(...page.items.map(({ name }) => name));
    cursor = page.next_cursor;
  }
  return names;
}

function percentiles(seconds: readonly number[]): Percentiles {
  const sorted = [...seconds].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) * 10) / 10;
  return { median: at(0.5), p95: at(0.95), max: at(1) };
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
