import { expect, it } from 'vitest';
import type { JudgedItem } from './checklists.js';
import type { ChecklistCase } from './gold-checklists.js';
import { hangsOnWords, reworded, rewordedFigures } from './reworded.js';

const item = (id: string, verdict: JudgedItem['verdict'], truth: JudgedItem['truth'], open = false) =>
  ({ case: 'one', id, verdict, truth, needsConfirmation: open }) as JudgedItem;

it('says every question in other words, by what it asks', () => {
  const asked = (id: string, text: string) => ({ id, text, guidance: 'Look at it.', truth: 'pass' as const });
  const cases: readonly ChecklistCase[] = [
    {
      name: 'one',
      files: [],
      items: [
        asked('REQ_03_01', 'Is the *rationale* correct?'),
        asked('REQ_03_01', 'Is the link correct?'),
        asked('X', 'Is it?'),
      ],
    },
  ];
  const [{ items }] = reworded(cases) as [ChecklistCase];
  expect(items.map(({ text }) => text)).toEqual([
    expect.stringContaining('reasons'),
    expect.stringContaining('hang under'),
  ]);
  expect(items[0]).not.toHaveProperty('guidance');
});

it('counts decisions that stay right, and wrong ones that nobody is asked to confirm', () => {
  const before = [item('A', 'pass', 'pass'), item('B', 'fail', 'fail'), item('C', 'undecided', 'fail', true)];
  const same = rewordedFigures(before, before);
  expect([same, hangsOnWords(same)]).toEqual([{ right: 2, kept: 2, wrongCertain: [] }, false]);
  const lost = rewordedFigures(before, [item('A', 'pass', 'pass'), item('B', 'undecided', 'fail', true)]);
  expect([lost, hangsOnWords(lost)]).toEqual([{ right: 2, kept: 1, wrongCertain: [] }, true]);
  const wrong = rewordedFigures(before, [...before.slice(0, 2), item('C', 'pass', 'fail')]);
  expect([wrong, hangsOnWords(wrong)]).toEqual([{ right: 2, kept: 2, wrongCertain: ['one C'] }, true]);
});
