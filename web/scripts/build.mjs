// Builds the application into web/dist: types of the API from server/openapi.json, type check, bundle, and a brotli copy
// beside every file that is text. Does nothing when nothing has changed since the last time.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
const web = join(root, 'web');
const description = join(root, 'server/openapi.json');
const types = join(web, 'src/api/schema.d.ts');
const samples = join(root, 'demo/documents');
const remembered = join(web, '.made-of');

const hashOf = (files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
};
const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const madeOf = hashOf([
  ...filesIn(join(web, 'src')).filter((file) => file !== types),
  ...filesIn(join(web, 'public')),
  ...filesIn(samples),
  ...[
    'index.html',
    'package.json',
    'tsconfig.json',
    'vite.config.mjs',
    'scripts/build.mjs',
    'scripts/screen-files.mjs',
  ].map((file) => join(web, file)),
  join(root, 'package-lock.json'),
  description,
]);
const isThere = [types, remembered, join(web, 'dist/index.html')].every((file) => existsSync(file));
if (!isThere || readFileSync(remembered, 'utf8') !== madeOf) await build();

async function build() {
  await writeTypes();
  const tsc = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', web, '--pretty', 'false'],
    { stdio: 'inherit' },
  );
  if (tsc.status !== 0) process.exit(1);
  const vite = await import('vite');
  await vite.build({ root: web, logLevel: 'warn' });
  // What somebody without documents at hand can try it with (decision 341).
  cpSync(samples, join(web, 'dist/samples'), { recursive: true });
  writeFileSync(join(web, 'dist/samples/index.json'), JSON.stringify(readdirSync(samples).sort()));
  for (const file of filesIn(join(web, 'dist'))) {
    if (/\.(js|css|html|svg)$/.test(file))
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
  writeFileSync(remembered, madeOf);
}

/** `src/api/schema.d.ts`: two seconds, and needed only when the description of the API is another one. */
async function writeTypes() {
  const mark = `// Made from server/openapi.json ${hashOf([description])}\n`;
  if (existsSync(types) && readFileSync(types, 'utf8').startsWith(mark)) return;
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const nodes = await openapiTypes(JSON.parse(readFileSync(description, 'utf8')));
  writeFileSync(types, mark + astToString(nodes));
}
