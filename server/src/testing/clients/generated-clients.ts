import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PROGRAMS = join(ROOT, 'server/client-checks');
/** Generators stay here from run to run, and what they make until the next one. */
const CACHE = join(ROOT, 'node_modules/.cache/clients');
const OPENAPI = join(ROOT, 'server/openapi.json');

const PYTHON_PACKAGES = ['openapi-python-client==0.29.1', 'mypy==2.4.1', 'openapi-spec-validator==0.9.0'];
const GO_GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const GO_RUNTIME = 'github.com/oapi-codegen/runtime@v1.8.0';

/** A command line that makes a round through the service with a client of one language. */
export interface GeneratedClient {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** `undefined` with a reason on the terminal where this machine has no generator for the language. */
type Maker = (mayInstall: boolean) => Promise<GeneratedClient | undefined>;

/** Generates types, checks the program against them as strictly as the compiler can, and gives it to be run. */
async function typeScript(): Promise<GeneratedClient> {
  const folder = await emptyFolder('typescript');
  const find = createRequire(join(ROOT, 'web/package.json'));
  const generator = join(dirname(find.resolve('openapi-typescript/package.json')), 'bin/cli.js');
  // What has a default need not be sent.
  const options = ['--default-non-nullable', 'false', '--output', join(folder, 'api.d.ts')];
  await call(process.execPath, [generator, OPENAPI, ...options]);
  await copyFile(join(PROGRAMS, 'round.ts'), join(folder, 'round.ts'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const target = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--ignoreConfig'];
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  await call(tsc, ['round.ts', ...strict, ...target], { cwd: folder });
  return { command: process.execPath, args: [join(folder, 'round.js')] };
}

const python: Maker = async (mayInstall) => {
  const home = join(CACHE, 'python-tools');
  const bin = join(home, 'bin');
  if (!(await answers(join(bin, 'openapi-python-client'), ['--version']))) {
    if (!mayInstall) return skipped('Python', 'its generator is not installed: npm run clients');
    if (!(await answers('python3', ['-m', 'venv', '--clear', home])))
      return skipped('Python', 'there is no python3 with venv');
    if (!(await answers(join(bin, 'pip'), ['install', '--quiet', ...PYTHON_PACKAGES])))
      return skipped('Python', 'its packages cannot be installed');
  }
  const folder = await emptyFolder('python');
  const environment = { PATH: `${bin}:${process.env.PATH}` };
  await call(join(bin, 'openapi-spec-validator'), [OPENAPI]);
  const output = ['--output-path', join(folder, 'normtrace_api'), '--meta', 'none'];
  await call(join(bin, 'openapi-python-client'), ['generate', '--path', OPENAPI, ...output], { environment });
  await copyFile(join(PROGRAMS, 'round.py'), join(folder, 'round.py'));
  await call(join(bin, 'mypy'), ['--strict', '--follow-imports=silent', 'round.py'], { cwd: folder });
  return { command: join(bin, 'python3'), args: [join(folder, 'round.py')] };
};

const go: Maker = async (mayInstall) => {
  const generator = join(CACHE, 'go-tools/oapi-codegen');
  if (!(await answers('go', ['version']))) return skipped('Go', 'there is no go');
  if (!(await answers(generator, ['--version']))) {
    if (!mayInstall) return skipped('Go', 'its generator is not installed: npm run clients');
    const environment = { GOBIN: dirname(generator) };
    if (!(await answers('go', ['install', GO_GENERATOR], environment)))
      return skipped('Go', 'its generator cannot be installed');
  }
  const folder = await emptyFolder('go');
  await mkdir(join(folder, 'api'));
  // What is used by webhooks alone would be left out.
  const what = ['-generate', 'types,client,skip-prune', '-package', 'api'];
  await call(generator, [...what, '-o', join(folder, 'api/api.go'), OPENAPI]);
  await copyFile(join(PROGRAMS, 'round.go'), join(folder, 'round.go'));
  await writeFile(join(folder, 'go.mod'), 'module example.org/normtrace\n\ngo 1.24\n');
  if (!(await answers('go', ['get', GO_RUNTIME], {}, folder)))
    return skipped('Go', 'its modules cannot be fetched');
  await call('go', ['mod', 'tidy'], { cwd: folder });
  await call('go', ['vet', '.'], { cwd: folder });
  await call('go', ['build', '-o', 'round', '.'], { cwd: folder });
  return { command: join(folder, 'round'), args: [] };
};

export const CLIENTS: Readonly<Record<string, Maker>> = { TypeScript: typeScript, Python: python, Go: go };

/** Runs the program; what it printed, as JSON. */
export async function roundWith(
  { command, args, environment }: GeneratedClient,
  parameters: readonly string[],
): Promise<unknown> {
  return JSON.parse(await call(command, [...args, ...parameters], environment ? { environment } : {}));
}

function skipped(language: string, why: string): undefined {
  console.warn(`skipped: no client of ${language} was generated, because ${why}`);
}

async function emptyFolder(name: string): Promise<string> {
  const folder = join(CACHE, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** The output of a program; throws with all that it said when it fails. */
async function call(
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

const answers = (
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd = ROOT,
): Promise<boolean> =>
  call(command, args, { cwd, environment }).then(
    () => true,
    () => false,
  );
