import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** How to start a program of PostgreSQL on this machine, which refuses to run as root. */
export interface RunAs {
  /** Words to put before the program and its arguments. */
  readonly prefix: readonly string[];
  /** Who must own the data directory. Undefined: whoever runs this process. */
  readonly owner?: number;
  /** The kernel stops the program when this process dies; otherwise a watchdog has to. */
  readonly diesWithParent: boolean;
}

const NOBODY = 65_534;
/** SIGINT is PostgreSQL's fast shutdown: transactions are rolled back, data is written, no recovery is needed. */
const DIE_WITH_PARENT = ['setpriv', '--pdeathsig', 'INT'];

/**
 * Finds out by trying. Not as root: the program as it is. As root, in this order: as root under another number in
 * a user namespace (reads what root's files allow, under a home that only root may enter too); or as an ordinary
 * user that keeps only the right to pass directories. An existing data directory decides: it stays with its owner.
 */
export function findRunAs(program: string, dataDirectory: string): RunAs {
  const works = (prefix: readonly string[]): boolean => succeeds([...prefix, program, '--version']);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) {
    return works(DIE_WITH_PARENT)
      ? { prefix: DIE_WITH_PARENT, diesWithParent: true }
      : { prefix: [], diesWithParent: false };
  }
  const owner = statSync(dataDirectory, { throwIfNoEntry: false })?.uid ?? 0;
  const namespace = [
    'unshare',
    '--user',
    `--map-user=${NOBODY}`,
    `--map-group=${NOBODY}`,
    ...DIE_WITH_PARENT,
  ];
  if (owner === 0 && works(namespace)) return { prefix: namespace, owner: 0, diesWithParent: true };
  const user = owner === 0 ? NOBODY : owner;
  const otherUser = [
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--pdeathsig',
    'INT',
  ];
  if (works(otherUser)) return { prefix: otherUser, owner: user, diesWithParent: true };
  throw new Error(
    'PostgreSQL does not run as root, and this machine offers neither user namespaces nor setpriv to avoid it. ' +
      'Start the service as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

function succeeds([command, ...args]: readonly string[]): boolean {
  const result: SpawnSyncReturns<Buffer> = spawnSync(command!, args, { stdio: 'ignore', timeout: 10_000 });
  return result.status === 0;
}
