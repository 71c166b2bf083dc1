import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url));
const WORDS = fileURLToPath(
  new URL('../../../../web/src/screens/settings/audit-words/words.en.json', import.meta.url),
);

test('every action that is recorded has words in the application', () => {
  const words: object = JSON.parse(readFileSync(WORDS, 'utf8'));
  const actions = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(SOURCE, file), 'utf8'))
    // An activity is read from such events and from runs; it has words of its own.
    .filter((code) => /recordAudits?\(|into audit_events/.test(code))
    .flatMap((code) =>
      [...code.matchAll(/\baction:[^,;{}]*/g)].flatMap(
        ([said]) => said.match(/[a-z_]+\.[a-z_]+(?=')/g) ?? [],
      ),
    );
  expect(actions.length).toBeGreaterThan(60);
  expect([...new Set(actions)].filter((action) => !(`act_${action}` in words))).toEqual([]);
});
