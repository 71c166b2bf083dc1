import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));

test('every task of a module is served by the processes of the engine', () => {
  const served = readFileSync(`${SOURCES}engine-tasks.ts`, 'utf8').split('serveEngineTasks([')[1] ?? '';
  const named = served.match(/\w+Task\b/g) ?? [];
  const written = readdirSync(`${SOURCES}modules`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(`${SOURCES}modules/${file}`, 'utf8').matchAll(/export const (\w+): EngineTask</g),
    ])
    .map((match) => match[1]!);
  expect(written.length).toBeGreaterThan(10);
  expect([...written].sort()).toEqual([...named].sort());
});
