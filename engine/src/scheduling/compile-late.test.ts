import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('./compile-late.js', import.meta.url).href;

test('V8 knows what it is told', () => {
  const { stderr } = run(
    `import { compileLate, keepHeapSmall } from '${MODULE}'; compileLate(); keepHeapSmall();`,
  );
  expect(stderr).toBe('');
  const known = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).stdout;
  for (const flag of ['--regexp-tier-up-ticks', '--interrupt-budget', '--heap-growing-percent'])
    expect(known).toContain(`${flag} (`);
});

const run = (script: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
