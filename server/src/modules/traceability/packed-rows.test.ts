import { expect, it } from 'vitest';
import { packRows, readRows } from './packed-rows.js';

const rows = Array.from({ length: 1203 }, (_, at) => ({
  at,
  text: `line\nend, "ä€😀" ${'x'.repeat(at % 7)}`,
}));

it('gives back every part of the rows, byte for byte', async () => {
  const packed = packRows(rows);
  expect(packed.total).toBe(rows.length);
  const parts = [
    [0, Number.POSITIVE_INFINITY],
    [0, 1],
    [499, 2],
    [500, 500],
    [3, 1000],
    [1202, 10],
    [1203, 10],
    [0, 0],
  ] as const;
  for (const [offset, limit] of parts) {
    const pieces: Uint8Array[] = [];
    for await (const piece of readRows(packed, { offset, limit })) pieces.push(piece);
    const expected = rows.slice(offset, offset + limit).map((row) => JSON.stringify(row));
    expect(Buffer.concat(pieces).toString(), `${offset} ${limit}`).toBe(expected.join(','));
  }
});
