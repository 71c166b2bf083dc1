import { describe, expect, it } from 'vitest';
import { looseKey, looseSketch, NO_SKETCH, separatorKey } from './id-keys.js';
import { idTable } from './id-table.js';
import { dice } from './testing/dice.js';

const PARTS = [
  'SG',
  'sg',
  'FSR',
  'Ä',
  '-',
  '_',
  '.',
  ' ',
  '0',
  '1',
  '12',
  '007',
  '99999999999',
  '[',
  ']',
  '~2',
  '@',
  'ß',
  '(',
  '/',
];

function randomId(roll: ReturnType<typeof dice>): string {
  return Array.from({ length: Math.floor(roll() * 6) }, () => roll.pick(PARTS)).join('');
}

describe('a table of ids', () => {
  it.each([1, 100_000])('is a map from texts to numbers, made for %i', (expected) => {
    const roll = dice(1);
    const table = idTable(expected);
    const map = new Map<string, number>();
    const ids = Array.from({ length: 20_000 }, () =>
      roll() < 0.5 ? randomId(roll) : `FSR-${Math.floor(roll() * 1e6)}`,
    );
    for (const [value, id] of ids.entries()) {
      if (!map.has(id)) map.set(id, value);
      expect(table.add(id, value)).toBe(map.get(id));
    }
    for (const id of ids) expect(table.find(`x${id}y`, 1, id.length + 1)).toBe(map.get(id));
    for (let round = 0; round < 5_000; round++) {
      const id = `${randomId(roll)}${Math.floor(roll() * 1e6)}`;
      expect(table.find(id)).toBe(map.get(id) ?? -1);
    }
  });
  it('holds more beginnings than it keeps families', () => {
    const table = idTable(100_000);
    for (let value = 0; value < 10_000; value++) table.add(`${value.toString(36)}x-1`, value);
    for (let value = 0; value < 10_000; value++) expect(table.find(`${value.toString(36)}x-1`)).toBe(value);
  });
});

describe('keys of ids', () => {
  it('have the same sketch where they are the same', () => {
    const roll = dice(2);
    const byKey = new Map<string, string>();
    for (let round = 0; round < 60_000; round++) {
      const id = randomId(roll);
      for (const key of [`=${separatorKey(id)}`, looseKey(id)]) {
        const other = byKey.get(key) ?? id;
        byKey.set(key, other);
        const sketches = [looseSketch(id), looseSketch(other)];
        expect(sketches[0] === sketches[1] || sketches.includes(NO_SKETCH), `${id} ${other}`).toBe(true);
      }
    }
    expect(separatorKey('SYS-REQ-014')).toBe(separatorKey('sys_req 014'));
    expect(separatorKey('SG01')).toBe('SG-01');
  });
});
