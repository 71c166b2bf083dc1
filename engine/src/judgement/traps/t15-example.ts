import { exampleWords } from '../../corpus/passages/examples.js';
import { say } from '../../sentences/sentence.js';
import { anyOf } from '../../words/read-words.js';
import type { Trap } from './trap.js';

let compiled: { paragraph: RegExp; inline: RegExp } | undefined;

/** T15: an example or an enumeration of possibilities, not content of the item. */
export const exampleTrap: Trap = ({ sentence, start }) => {
  if (!compiled) {
    const words = exampleWords();
    compiled = { paragraph: anyOf(words.paragraphs.slice(0, 1)), inline: new RegExp(words.inline, 'giu') };
  }
  const before = sentence.slice(0, start);
  const cue = [...before.matchAll(compiled.inline)].at(-1);
  // The cue reaches to the end of its bracket or clause.
  const reaches = cue !== undefined && !/[);]/.test(before.slice(cue.index));
  if (!reaches && !compiled.paragraph.test(sentence.trim())) return undefined;
  return { trap: 'T15', rule: 'T15-example', effect: 'ignored', note: say('verdicts.it-is-an-example') };
};
