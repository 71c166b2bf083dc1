import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Roles of the embedded database as `credentials.json` names them, and their names in PostgreSQL. */
const ROLES = { application: 'normtrace_app', superuser: 'postgres' } as const;

/** How the embedded database of the service in `directory` is reached, while it runs. */
export async function databaseOf(
  directory: string,
  role: keyof typeof ROLES,
): Promise<{
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}> {
  const credentials = JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8')) as Record<
    keyof typeof ROLES,
    string
  >;
  // Lines 4 to 6: port, directory of the Unix socket, address; the server listens on one of the latter two.
  const [port, socket, address] = (await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8'))
    .split('\n')
    .slice(3, 6)
    .map((line) => line.trim());
  return {
    host: socket || address || 'localhost',
    port: Number(port),
    user: ROLES[role],
    password: credentials[role],
  };
}
