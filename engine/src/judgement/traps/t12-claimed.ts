import { z } from 'zod';
import { say } from '../../sentences/sentence.js';
import { normaliseText } from '../../text/normalise.js';
import { listSchema, readWords } from '../../words/read-words.js';
import type { Trap } from './trap.js';

const schema = z.strictObject({
  questionColumns: listSchema,
  answerColumns: listSchema,
  referenceColumns: listSchema,
  yes: listSchema,
});

/** T12: a checklist row answered "yes" without saying where it can be seen. */
export const claimedTrap: Trap = ({ row }) => {
  if (!row?.columns) return undefined;
  const words = readWords('checklists', schema);
  const titles = row.columns.map((title) => normaliseText(title));
  const cells = row.text.split('\t').map((cell) => cell.trim());
  const find = (names: readonly string[]) => {
    const wanted = names.map((name) => normaliseText(name));
    return titles.findIndex((title) => wanted.includes(title));
  };
  const answer = find(words.answerColumns);
  const reference = find(words.referenceColumns);
  if (find(words.questionColumns) < 0 || answer < 0 || reference < 0 || cells.length !== titles.length)
    return undefined;
  const isYes = words.yes.some((word) => word.toLowerCase() === cells[answer]!.toLowerCase());
  if (!isYes || cells[reference] !== '') return undefined;
  return {
    trap: 'T12',
    rule: 'T12-claimed',
    effect: 'human',
    note: say('verdicts.a-checklist-says-yes-without-saying'),
  };
};
