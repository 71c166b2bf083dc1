import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Generators and validators stay here from run to run, and what they make until the next one. */
export const CACHE = join(ROOT, 'node_modules/.cache/clients');
export const OPENAPI = join(ROOT, 'server/openapi.json');

const PYTHON_PACKAGES = ['openapi-python-client==0.29.1', 'mypy==2.4.1', 'openapi-spec-validator==0.9.0'];

/** A folder with the programs of the Python packages; else why there is none. */
export async function pythonTools(
  mayInstall: boolean,
): Promise<{ readonly bin: string } | { readonly missing: string }> {
  const home = join(CACHE, 'python-tools');
  const bin = join(home, 'bin');
  if (await answers(join(bin, 'openapi-python-client'), ['--version'])) return { bin };
  if (!mayInstall) return { missing: 'its packages are not installed: npm run clients' };
  return (
    (await failure('there is no python3 with venv', 'python3', ['-m', 'venv', '--clear', home])) ??
    (await failure('its packages cannot be installed', join(bin, 'pip'), [
      'install',
      '--quiet',
      ...PYTHON_PACKAGES,
    ])) ?? { bin }
  );
}

/** A program of a Go module with its version; else why there is none. */
export async function goTool(
  module: string,
  mayInstall: boolean,
): Promise<{ readonly program: string } | { readonly missing: string }> {
  const [path = '', version = ''] = module.split('@');
  const program = join(CACHE, 'go-tools', version, path.split('/').at(-1) ?? '');
  if (!(await answers('go', ['version']))) return { missing: 'there is no go' };
  if (await answers('go', ['version', program])) return { program };
  if (!mayInstall) return { missing: 'its tool is not installed: npm run clients' };
  const environment = { GOBIN: join(program, '..') };
  return (
    (await failure('its tool cannot be installed', 'go', ['install', module], environment)) ?? { program }
  );
}

/** Says on the terminal what was not done, and why. */
export function skipped(what: string, why: string): undefined {
  console.warn(`skipped: ${what}, because ${why}`);
}

export async function emptyFolder(name: string): Promise<string> {
  const folder = join(CACHE, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** The output of a program; throws with all that it said when it fails. */
export async function call(
  command: string,
  args: readonly string[],
  {
    cwd = ROOT,
    environment = {},
  }: { readonly cwd?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  try {
    const options = { cwd, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 };
    return (await run(command, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** What is missing when the program fails, with what it said. */
const failure = (
  missing: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly missing: string } | undefined> =>
  call(command, args, { environment }).then(
    () => undefined,
    (error: Error) => ({ missing: `${missing}: ${error.message}` }),
  );

export const answers = (
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd = ROOT,
): Promise<boolean> =>
  call(command, args, { cwd, environment }).then(
    () => true,
    () => false,
  );
