import { describe, expect, it } from 'vitest';
import { chosenFilters, filterOf, toggled } from './filters.ts';

const search = (text: string) => new URLSearchParams(text);

describe('filters of an address', () => {
  it('are those of the API, and no others', () => {
    expect(filterOf(search('severity=critical,high&clause=7.4&q= TBD &overdue=true&else=1&open=x'))).toEqual({
      severity: ['critical', 'high'],
      clause: '7.4',
      search: 'TBD',
      overdue: true,
    });
    expect(filterOf(search('severity=&overdue=no'))).toEqual({});
  });

  it('take several values where the list does, and one elsewhere', () => {
    expect(String(toggled(search('severity=high'), 'severity', 'low'))).toBe('severity=high%2Clow');
    expect(String(toggled(search('severity=high,low'), 'severity', 'high'))).toBe('severity=low');
    expect(String(toggled(search('severity=high'), 'severity', 'high'))).toBe('');
    expect(String(toggled(search('clause=6'), 'clause', '7'))).toBe('clause=7');
    expect(String(toggled(search('clause=7&open=1'), 'clause', '7'))).toBe('open=1');
  });

  it('can be told one by one', () => {
    expect(chosenFilters(search('status=open,in_progress&q=a,b&open=1'))).toEqual([
      { name: 'status', values: ['open', 'in_progress'] },
      { name: 'q', values: ['a,b'] },
    ]);
  });
});
