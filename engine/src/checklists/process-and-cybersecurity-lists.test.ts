import { describe, expect, it } from 'vitest';
import { leavesOf } from '../engines/checklist/check.js';
import { loadChecklist } from './load-checklists.js';

/** Number of items of each list. Ids are never given anew: a withdrawn item keeps its own. */
const ITEMS = {
  'ASP-SYS2': 11,
  'ASP-SYS3': 9,
  'ASP-SWE1': 10,
  'ASP-SWE2': 9,
  'ASP-SWE3': 7,
  'ASP-SWE4': 7,
  'ASP-SWE5': 8,
  'ASP-SWE6': 7,
  'ASP-SUP1': 8,
  'ASP-SUP8': 9,
  'ASP-MAN3': 10,
  'CS-TARA': 16,
  'CS-CON': 11,
  'CS-PLAN': 13,
  'CS-VV': 11,
} as const;

it('has 95 items on processes and 51 on cybersecurity', () => {
  const sum = (start: string) =>
    Object.entries(ITEMS)
      .filter(([id]) => id.startsWith(start))
      .reduce((total, [, count]) => total + count, 0);
  expect([sum('ASP-'), sum('CS-')]).toEqual([95, 51]);
});

describe.each(Object.entries(ITEMS))('%s', (id, count) => {
  it('keeps its ids', async () => {
    const { items } = await loadChecklist(id);
    expect(items.map((item) => item.id)).toEqual(
      Array.from({ length: count }, (_, at) => `${id}-${String(at + 1).padStart(2, '0')}`),
    );
  });

  it('has a check for every item, and both languages', async () => {
    const { items, domain } = await loadChecklist(id);
    expect(domain).toBe(id.startsWith('ASP-') ? 'process' : 'cybersecurity');
    for (const item of items) {
      expect(leavesOf(item.checks).length, item.id).toBeGreaterThan(0);
      expect(item.refs.length, item.id).toBeGreaterThan(0);
      expect(item.text.de, item.id).not.toBe(item.text.en);
      if (item.automation !== 'full') expect(item.question?.de, item.id).toMatch(/\?$/);
    }
  });
});

it('raises what is missing at the root of a process by one step', async () => {
  const { items } = await loadChecklist('ASP-SWE1');
  expect([items[0]!.severity, items[0]!.missingSeverity]).toEqual(['high', 'critical']);
  expect([items[6]!.severity, items[6]!.missingSeverity]).toEqual(['high', 'high']);
});
