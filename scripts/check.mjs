// Everything that has to hold beside the tests. Runs every step, says which failed, and fails when one did.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A program of this installation; its output is shown when it fails. */
const program =
  (name, ...args) =>
  () => {
    const result = spawnSync(`${root}node_modules/.bin/${name}`, args, { cwd: root, encoding: 'utf8' });
    return result.status === 0
      ? []
      : [`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`];
  };

const steps = [
  ['build', program('tsc', '-b')],
  ['formatting and lint', program('biome', 'check', '--error-on-warnings')],
  ['unused files, exports and dependencies', program('knip', '--no-progress')],
  [
    'generated files are fresh',
    async () => {
      const { generatedFiles } = await import('./generated-files.mjs');
      return generatedFiles
        .filter(
          ({ path, content }) => !existsSync(root + path) || readFileSync(root + path, 'utf8') !== content(),
        )
        .map(({ path }) => `${path} is stale: npm run generate`);
    },
  ],
  [
    'API description',
    async () => {
      const { createConfig, lintFromString } = await import('@redocly/openapi-core');
      const absoluteRef = `${root}server/openapi.json`;
      const problems = await lintFromString({
        source: readFileSync(absoluteRef, 'utf8'),
        absoluteRef,
        config: await createConfig({ extends: ['recommended-strict'] }),
      });
      return problems.map(
        ({ ruleId, message, location }) => `${location[0]?.pointer}: ${message} (${ruleId})`,
      );
    },
  ],
  [
    'every property of the API is described',
    async () => {
      const { descriptionProblems } = await import('../server/dist/openapi/property-descriptions.js');
      return descriptionProblems(JSON.parse(readFileSync(`${root}server/openapi.json`, 'utf8')));
    },
  ],
  [
    'dependency rule',
    async () => {
      const { examineImports } = await import('../server/dist/testing/dependency-rule.js');
      const { files, broken, circles } = examineImports(root);
      const problems = [
        ...broken.map(({ file, imports, rule }) => `${file} imports ${imports}, but: ${rule}`),
        ...circles.map((circle) => `these files import each other: ${circle.join(', ')}`),
      ];
      return files > 0 ? problems : ['no file was looked at'];
    },
  ],
];

const failed = [];
for (const [name, step] of steps) {
  const problems = await Promise.resolve()
    .then(step)
    .catch((error) => [String(error?.stack ?? error)]);
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const problem of problems) console.log(problem.replace(/^/gm, '     '));
  if (problems.length > 0) failed.push(name);
}
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join('; ')}.`);
  process.exitCode = 1;
}
