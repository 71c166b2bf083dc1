import { expect, test } from 'vitest';
import { layOut } from './layout-graph.ts';

const crossings = (
  places: ReadonlyMap<string, { column: number; row: number }>,
  links: readonly (readonly [string, string])[],
): number => {
  const lines = links.map(([a, b]) => [places.get(a)!.row, places.get(b)!.row] as const);
  let count = 0;
  for (let i = 0; i < lines.length; i++)
    for (let j = 0; j < i; j++) {
      if ((lines[i]![0] - lines[j]![0]) * (lines[i]![1] - lines[j]![1]) < 0) count++;
    }
  return count;
};

test('columns follow the depth, and lines do not cross where they need not', () => {
  const left = ['a', 'b', 'c', 'd', 'e'];
  const right = ['5', '4', '3', '2', '1'];
  const nodes = [...left.map((key) => ({ key, depth: -1 })), ...right.map((key) => ({ key, depth: 0 }))];
  const links = left.map((key, at) => [key, String(at + 1)] as const);
  const { places, columns, rows } = layOut(nodes, links);
  expect([columns, rows]).toEqual([2, 5]);
  expect(places.get('a')?.column).toBe(0);
  expect(places.get('1')?.column).toBe(1);
  expect(crossings(places, links)).toBe(0);
});

test('every node has a place of its own, also those that nothing is linked with', () => {
  const nodes = Array.from({ length: 150 }, (_, at) => ({ key: `n${at}`, depth: at % 4 }));
  const links = nodes.slice(1).map(({ key }, at) => [`n${Math.floor(at / 3)}`, key] as const);
  const { places } = layOut(nodes, [...links, ['n0', 'nowhere']]);
  expect(new Set([...places.values()].map(({ column, row }) => `${column} ${row}`)).size).toBe(150);
});

test('one node alone is a picture, too', () => {
  expect(layOut([{ key: 'a', depth: 0 }], []).places.get('a')).toEqual({ column: 0, row: 0 });
});
