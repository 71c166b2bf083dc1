import { describe, expect, it } from 'vitest';
import { columnsInAddress, columnsOf, groupOf, moved, USUAL } from './columns.ts';

const search = (text: string) => new URLSearchParams(text);

describe('columns of the list of gaps', () => {
  it('are those of the address in its order, without what is unknown or said twice', () => {
    expect(columnsOf(search('columns=status,gone,clause,status'))).toEqual(['status', 'clause']);
    expect(columnsOf(search('columns=gone'))).toEqual(USUAL);
    expect(columnsOf(search(''))).toEqual(USUAL);
    expect(columnsInAddress(USUAL)).toBe('');
    expect(columnsInAddress(['status', 'clause'])).toBe('status,clause');
  });

  it('go one place earlier or later, and not past the ends', () => {
    expect(moved(['clause', 'status', 'asil'], 'status', -1)).toEqual(['status', 'clause', 'asil']);
    expect(moved(['clause', 'status', 'asil'], 'status', 1)).toEqual(['clause', 'asil', 'status']);
    expect(moved(['clause', 'status'], 'clause', -1)).toEqual(['clause', 'status']);
    expect(moved(['clause', 'status'], 'status', 1)).toEqual(['clause', 'status']);
    expect(moved(['clause'], 'asil', 1)).toEqual(['clause']);
  });

  it('are grouped by what the list can be ordered by', () => {
    expect(groupOf(search('group=clause'))).toBe('clause');
    expect(groupOf(search('group=title'))).toBeUndefined();
  });
});
