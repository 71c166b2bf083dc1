import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../write-durably.js';

const password = z.string().min(1);

const Credentials = z.object({ superuser: password, application: password, system: password });
/** Generated passwords, one for each login. */
export type Credentials = Readonly<z.output<typeof Credentials>>;

const fileOf = (dataDirectory: string): string => join(dataDirectory, 'credentials.json');

/** Makes new passwords, for a cluster that is about to be made. */
export function makeCredentials(dataDirectory: string): Credentials {
  const make = (): string => randomBytes(24).toString('base64url');
  const credentials: Credentials = { superuser: make(), application: make(), system: make() };
  writeDurably(fileOf(dataDirectory), JSON.stringify(credentials));
  return credentials;
}

/** The passwords of the cluster that is there. Throws a sentence when they are missing or damaged. */
export function readCredentials(dataDirectory: string): Credentials {
  const file = fileOf(dataDirectory);
  const found = Credentials.safeParse(parse(contentOf(file)));
  if (found.success) return found.data;
  throw new Error(
    `The passwords of the database in ${dataDirectory} cannot be read: ${file} is empty or damaged. Put this file back from a ` +
      'backup (it is in every archive that npm run backup makes, and never changes). Nothing was changed, and no document is lost.',
  );
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(
      `The passwords of the database beside ${file} are missing: ${file} has to be restored, for example from an archive of npm run backup.`,
    );
  }
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
