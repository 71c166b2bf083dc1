import { closeSync, constants, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** A socket in a directory that answers knocks for as long as a process holds it. */
export interface Doorbell {
  /** For a child that is to hold it as well: it then answers until that child, and its children, are gone too. */
  readonly descriptor: number;
  /** Takes it away. */
  close(): Promise<void>;
}

/**
 * `answered`: a process of this kernel holds the socket, in whatever container. `refused`: none does. `absent`: there is
 * no such socket. `unknown`: nothing can be said.
 */
export type Knock = 'answered' | 'refused' | 'absent' | 'unknown';

/** Longest path of a Unix socket, the closing zero excluded: 103 bytes on macOS, 107 on Linux. */
export const SOCKET_PATH_BYTES = 103;

/**
 * Hangs a doorbell into a directory. The kernel keeps it: it falls silent at the moment when its last holder dies,
 * however it dies, and it is heard across containers, because the kernel finds it by its file. Undefined where the file
 * system takes no sockets.
 */
export async function hangDoorbell(directory: string, name: string): Promise<Doorbell | undefined> {
  const server = createServer((caller) => caller.destroy());
  const isListening = await withShortPath(
    directory,
    name,
    (path) =>
      new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false));
        server.listen(path, () => resolve(true));
      }),
  );
  if (!isListening) return undefined;
  server.on('error', () => undefined).unref();
  return {
    descriptor: descriptorOf(server),
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
      await rm(join(directory, name), { force: true });
    },
  };
}

/** Knocks at a doorbell, or at any other Unix socket. */
export const knock = async (directory: string, name: string): Promise<Knock> =>
  (await withShortPath(
    directory,
    name,
    (path) =>
      new Promise<Knock>((resolve) => {
        const caller = connect(path);
        caller.once('connect', () => {
          caller.destroy();
          resolve('answered');
        });
        caller.once('error', (error: NodeJS.ErrnoException) => resolve(meaningOf(error.code)));
      }),
  )) || 'unknown';

function meaningOf(code: string | undefined): Knock {
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'absent';
  // So many knocks that nobody has taken: the socket is held.
  return code === 'EAGAIN' ? 'answered' : 'unknown';
}

/** Paths of sockets are short; on Linux every directory has a short one through its descriptor. */
async function withShortPath<T>(
  directory: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T | false> {
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES) return use(path);
  if (process.platform !== 'linux') return false;
  let descriptor: number;
  try {
    descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch {
    return false;
  }
  try {
    return await use(`/proc/self/fd/${descriptor}/${name}`);
  } finally {
    closeSync(descriptor);
  }
}

/** Node.js has no public name for it. */
const descriptorOf = (server: Server): number =>
  (server as unknown as { readonly _handle: { readonly fd: number } })._handle.fd;
