import { z } from 'zod';
import { say } from '../../sentences/sentence.js';
import { normaliseText } from '../../text/normalise.js';
import { listSchema, readWords } from '../../words/read-words.js';
import { wordsOf } from './clause.js';
import type { Trap } from './trap.js';

const schema = z.array(
  z.strictObject({ words: listSchema, titles: z.array(z.string()), others: z.array(z.string()) }),
);

/** Neighbours are looked for this many words to each side. */
const NEIGHBOURHOOD = 8;

/** T9: the word has another meaning here: the safety plan of a building, a person called Hara. */
export const senseTrap: Trap = ({ sentence, start, end }) => {
  const words = normaliseText(sentence.slice(start, end));
  for (const entry of readWords('senses', schema)) {
    if (!entry.words.some((word) => normaliseText(word) === words)) continue;
    const before = wordsOf(sentence.slice(0, start)).slice(-NEIGHBOURHOOD);
    const after = wordsOf(sentence.slice(end)).slice(0, NEIGHBOURHOOD);
    const titled = entry.titles.some((title) => before.at(-1) === title.toLowerCase());
    const near = ` ${[...before, '|', ...after].join(' ')} `;
    if (titled || entry.others.some((other) => near.includes(` ${other.toLowerCase()} `))) {
      return {
        trap: 'T9',
        rule: 'T9-other-meaning',
        effect: 'ignored',
        note: say('verdicts.the-words-mean-something-else-here'),
      };
    }
  }
  return undefined;
};
