import { describe, expect, it } from 'vitest';
import { findTableHeader } from './table-header.js';

const rows = (...texts: string[][]) => texts.map((row) => row.map((text, column) => ({ text, column })));

describe('the header of a table', () => {
  it.each([
    ['the first row', rows(['ID', 'Text'], ['R1', 'It shall stop.']), { first: 0, count: 1 }],
    ['a row below a title', rows(['Goals', ''], ['ID', 'Text'], ['R1', 'x']), { first: 1, count: 1 }],
    [
      'a row with a sentence that the cells go on with',
      rows(['ID', 'The unit shall ...'], ['R1', 'stop'], ['R2', 'go']),
      { first: 0, count: 1 },
    ],
    [
      'a row of numbers above crosses',
      rows(['Technical', '4001', '4002'], ['5001', 'x', ''], ['5002', '', 'x']),
      { first: 0, count: 1 },
    ],
    [
      'no row of numbers above numbers',
      rows(['Speed', '1000', '2000'], ['Torque', '120', '90'], ['Power', '12', '18']),
      { first: 0, count: 0 },
    ],
    ['no row of values', rows(['1.2', '3.4'], ['5', '6']), { first: 0, count: 0 }],
    ['no row of sentences', rows(['It shall stop.', 'It shall go.'], ['a', 'b']), { first: 0, count: 0 }],
    ['no row of a single one', rows(['ID', 'Text']), { first: 0, count: 0 }],
    ['no row of one column', rows(['Text'], ['It shall stop.']), { first: 0, count: 0 }],
    ['no record above others', rows(['HE-1', 'Loss', 'B'], ['HE-2', 'Delay', 'A']), { first: 0, count: 0 }],
    ['no row of names and values', rows(['Version:', 'draft'], ['Author:', 'N. N.']), { first: 0, count: 0 }],
  ])('is %s', (_, table, header) => {
    expect(findTableHeader(table)).toEqual(header);
  });

  it('is no row where the left column alone is emphasised', () => {
    const table = rows(['Status', 'draft'], ['Owner', 'N. N.']);
    const emphasised = table.map(([name, value]) => [{ ...name!, emphasised: true }, value!]);
    expect(findTableHeader(emphasised).count).toBe(0);
    expect(findTableHeader(table).count).toBe(1);
  });
});
