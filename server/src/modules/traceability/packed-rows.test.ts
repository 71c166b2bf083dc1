import { expect, it } from 'vitest';
import { filterRows, packRows, readRows, rowsOf } from './packed-rows.js';

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

it('keeps those rows of all blocks that are wanted, in their order', async () => {
  const kept = await filterRows(packRows(rows), ({ at }: { at: number }) => at % 2 === 1);
  expect(kept.total).toBe(601);
  expect(await rowsOf(kept, { offset: 0, limit: 1000 })).toEqual(rows.filter(({ at }) => at % 2 === 1));
  expect(await rowsOf(kept, { offset: 599, limit: 5 })).toEqual([rows[1199], rows[1201]]);
  const one = rows[777]!;
  expect(await filterRows(packRows(rows), ({ at }: { at: number }) => at === 777, one.text)).toEqual(
    packRows([one]),
  );
  expect((await filterRows(packRows(rows), () => true, 'nowhere')).total).toBe(0);
  expect((await filterRows(packRows(rows), () => false)).total).toBe(0);
});
