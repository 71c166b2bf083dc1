import type { GroupState, Offer, TakenJob } from './take-jobs.js';

export interface Kind {
  readonly name: string;
  readonly isUpkeep: boolean;
  /** Jobs of one workspace at the same time. */
  readonly places: number;
  /** A place more, which only a group takes that has not all the others: it waits for nobody's jobs. */
  readonly hasSpare: boolean;
}

export interface Dispatching {
  readonly kinds: readonly Kind[];
  take(asked: {
    readonly offers: readonly Offer[];
    readonly groups: readonly GroupState[];
  }): Promise<{ readonly taken: readonly TakenJob[]; readonly again: readonly string[] }>;
  /** Does a job and settles it; never rejects. */
  perform(job: TakenJob): Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface Dispatcher {
  /** There may be jobs of these kinds. */
  wake(names: readonly string[]): void;
  /** Begins nothing any more. */
  stop(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** So many groups are remembered by their last turn; those before them count as new. */
const REMEMBERED = 512;
/** After a statement that failed. */
const AGAIN_MILLISECONDS = 1_000;

/** Begins jobs as soon as there is a place for them: one statement for all kinds, asked only where something may wait. */
export function dispatchJobs({ kinds, take, perform, onError }: Dispatching): Dispatcher {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const running = new Map(kinds.map(({ name }) => [name, 0]));
  const groups = new Map<string, GroupState>();
  const asked = new Set<string>();
  const under = new Set<Promise<void>>();
  let turns = 0;
  let looking = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const begin = (job: TakenJob): void => {
    count(job, 1);
    const done = perform(job).then(() => {
      count(job, -1);
      under.delete(done);
      asked.add(job.name);
      void look();
    });
    under.add(done);
  };
  const count = ({ name, group }: TakenJob, by: 1 | -1): void => {
    running.set(name, running.get(name)! + by);
    const key = `${name} ${group}`;
    const before = groups.get(key);
    if (by > 0) turns += 1;
    // Set again at the end: what is first is what was not heard of for longest.
    groups.delete(key);
    groups.set(key, {
      name,
      group,
      running: (before?.running ?? 0) + by,
      turn: by > 0 ? turns : before!.turn,
    });
    for (const [old, state] of groups) {
      if (groups.size <= REMEMBERED) break;
      if (state.running === 0) groups.delete(old);
    }
  };
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      for (let offers = open(); !stopped && offers.length > 0; offers = open()) {
        const names = offers.map(({ name }) => name);
        for (const name of names) asked.delete(name);
        const known = [...groups.values()].filter(({ name }) => names.includes(name));
        const { taken, again } = await take({ offers, groups: known }).catch((error: unknown) => {
          for (const name of names) asked.add(name);
          throw error;
        });
        for (const name of again) asked.add(name);
        for (const job of taken) {
          asked.add(job.name);
          begin(job);
        }
      }
    } catch (error) {
      onError(error);
      timer ??= setTimeout(() => {
        timer = undefined;
        void look();
      }, AGAIN_MILLISECONDS);
    } finally {
      looking = false;
    }
  };
  const open = (): Offer[] => {
    if (stopped) return [];
    const isCrowded = kinds.some(({ name, isUpkeep, places }) => !isUpkeep && running.get(name)! >= places);
    let upkeep = isCrowded ? 1 - upkeepRunning() : Number.POSITIVE_INFINITY;
    return [...asked].flatMap((name): Offer[] => {
      const { isUpkeep, places, hasSpare } = byName.get(name)!;
      const free = places + (hasSpare ? 1 : 0) - running.get(name)!;
      const offered = isUpkeep ? Math.min(free, upkeep) : free;
      if (offered <= 0) return [];
      if (isUpkeep) upkeep -= offered;
      return [{ name, free: offered, ofOneGroup: places }];
    });
  };
  const upkeepRunning = (): number =>
    kinds.reduce((sum, { name, isUpkeep }) => sum + (isUpkeep ? running.get(name)! : 0), 0);

  return {
    wake: (names) => {
      for (const name of names) if (byName.has(name)) asked.add(name);
      void look();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
    idle: async () => {
      while (under.size > 0) await Promise.all(under);
    },
  };
}
