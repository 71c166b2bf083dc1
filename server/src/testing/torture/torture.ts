import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { viewClaims } from './claims.js';
import { startInstallation } from './installation.js';
import { type Killed, type Killing, killAll } from './kill-all.js';
import { watchResumption } from './resumption.js';
import { type Ledger, playRound } from './round.js';
import { noTrouble, stubbornClient } from './stubborn-client.js';
import { resultsOf, verifyRound } from './verify.js';

export interface TortureOptions extends Killing {
  /** People who work at the same time. */
  readonly clients: number;
  readonly apis: number;
  readonly workers: number;
}

export interface TortureOutcome {
  readonly killed: Killed;
  readonly seconds: number;
  readonly rounds: number;
  /** Answers that said that something is unavailable, by their status, and requests without an answer. */
  readonly unanswered: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Of the machine, processes that work or wait for a processor; ours are among them. */
  readonly load: Percentiles;
  /** Interruptions of jobs, and how long they lasted; `attended`: without the time in which no worker was up; `noticed`: of that, until the job was given to others. */
  readonly resumption: {
    readonly interrupted: number;
    readonly seconds: Percentiles;
    readonly attended: Percentiles;
    readonly noticed: Percentiles;
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
  const load: number[] = [];
  const weighing = setInterval(() => load.push(loadavg()[0]!), 5_000);
  const { addresses, connections } = installation;
  try {
    const stranger = stubbornClient(addresses, { trouble: noTrouble() });
    const { access_token: token } = await stranger.send<{ access_token: string }>('POST', '/auth/sign-up', {
      email: 'torture@example.org',
      password: 'correct horse battery staple',
      name: 'Jo Example',
    });
    const client = stubbornClient(addresses, { token, trouble: noTrouble() });
    const before = performance.now();
    const undisturbed = await resultsOf(client, await playRound(client, 'undisturbed', []));
    tell(
      `undisturbed: a round takes ${((performance.now() - before) / 1000).toFixed(1)} s; the killing begins`,
    );
    const trouble = noTrouble();

    const watch = watchResumption(connections.migration);
    const ledgers = new Map<string, Ledger>();
    const wrong: string[] = [];
    trouble.killing = true;
    const began = performance.now();
    const people = Array.from({ length: clients }, async (_, person) => {
      const own = stubbornClient(addresses, { token, trouble });
      for (let round = 0; trouble.killing; round++) {
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
    const view = viewClaims(connections.migration);
    const killed = await killAll(options, installation, { view, trouble });
    await view.close();
    trouble.killing = false;
    tell(
      `killed ${JSON.stringify(killed)} in ${Math.round((performance.now() - began) / 1000)} s; the rest ends undisturbed`,
    );
    await Promise.all(people);
    const seconds = (performance.now() - began) / 1000;
    await watch.stop();
    const resumption = {
      interrupted: watch.seconds.length,
      seconds: percentiles(watch.seconds),
      attended: percentiles(watch.attended),
      noticed: percentiles(watch.noticed),
    };
    for (const [failure, times] of installation.failures) tell(`attempts that failed: ${times} × ${failure}`);
    tell(`resumption ${JSON.stringify(resumption)}; everything is compared now`);

    const calm = stubbornClient(addresses, { token, trouble: noTrouble() });
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
      unanswered: trouble.unanswered,
      refused: trouble.refused,
      load: percentiles(load),
      resumption,
      wrong,
    };
  } catch (error) {
    throw new Error(`With the seed ${seed}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  } finally {
    clearInterval(weighing);
    await installation.stop();
    await rm(directory, { recursive: true, force: true });
  }
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
