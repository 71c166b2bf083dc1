import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const text = readFileSync(new URL('docs/security.md', ROOT), 'utf8');
const items = [
  ...text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| .+ \| (met|not applicable|\*\*open\*\*) \| (.+) \|$/gm),
];

it('what docs/security.md names is there', () => {
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
});

it('the numbers of docs/security.md are those of its tables', () => {
  const of = (column: number, value: string) => items.filter((item) => item[column] === value).length;
  expect(new Set(items.map(([, id]) => id)).size).toBe(253);
  const met = of(3, 'met');
  const open = of(3, '**open**');
  expect(met / (met + open)).toBeGreaterThanOrEqual(0.9);
  expect(text).toContain(
    `${items.length} items (${of(2, '1')} of level 1, ${of(2, '2')} of level 2): ${met} met, ${open} open, ` +
      `${of(3, 'not applicable')} not applicable. Of those that apply, ${Math.round((100 * met) / (met + open))} % are met.`,
  );
});
