import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { answers, call, emptyFolder, goTool, OPENAPI, pythonTools, ROOT, skipped } from './tools.js';

const PROGRAMS = join(ROOT, 'server/client-checks');

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
  const tools = await pythonTools(mayInstall);
  if ('missing' in tools) return skipped('no client of Python was generated', tools.missing);
  const { bin } = tools;
  const folder = await emptyFolder('python');
  const environment = { PATH: `${bin}:${process.env.PATH}` };
  const output = ['--output-path', join(folder, 'normtrace_api'), '--meta', 'none'];
  await call(join(bin, 'openapi-python-client'), ['generate', '--path', OPENAPI, ...output], { environment });
  await copyFile(join(PROGRAMS, 'round.py'), join(folder, 'round.py'));
  await call(join(bin, 'mypy'), ['--strict', '--follow-imports=silent', 'round.py'], { cwd: folder });
  return { command: join(bin, 'python3'), args: [join(folder, 'round.py')] };
};

const go: Maker = async (mayInstall) => {
  const tool = await goTool(GO_GENERATOR, mayInstall);
  if ('missing' in tool) return skipped('no client of Go was generated', tool.missing);
  const folder = await emptyFolder('go');
  await mkdir(join(folder, 'api'));
  // What is used by webhooks alone would be left out.
  const what = ['-generate', 'types,client,skip-prune', '-package', 'api'];
  await call(tool.program, [...what, '-o', join(folder, 'api/api.go'), OPENAPI]);
  await copyFile(join(PROGRAMS, 'round.go'), join(folder, 'round.go'));
  await writeFile(join(folder, 'go.mod'), 'module example.org/normtrace\n\ngo 1.24\n');
  if (!(await answers('go', ['get', GO_RUNTIME], {}, folder)))
    return skipped('no client of Go was generated', 'its modules cannot be fetched');
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
