import { stateWords } from '../../facts/stated/state-words.js';
import { splitSentences } from '../../text/sentences.js';
import { anyOf } from '../../words/read-words.js';
import { firstOfEach, levelOf, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';
import { placeIn } from './text-limits.js';

/** "When the bus is dead, the unit sends the warning over the bus": what is lost has to carry what is told about its loss. */
export function toldByWhatFailed({ facts }: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    facts.items.flatMap((item): StatedContradiction[] => {
      const text = item.values.get('text');
      if (!item.hasId || !text) return [];
      for (const { start, end } of splitSentences(text.text)) {
        const sentence = text.text.slice(start, end);
        const lost = lostIn(sentence);
        const carrier = lost && carrierIn(sentence, lost);
        if (!carrier) continue;
        return [
          {
            rule: 'told-by-what-failed',
            item: item.key,
            asil: levelOf(item),
            confidence: 'medium',
            words: { item: item.id, lost: lost.thing, carrier: carrier.text },
            affected: [item.id],
            evidence: [
              ...shown(item, placeIn(text, start + lost.start, start + lost.end), item.id),
              ...shown(item, placeIn(text, start + carrier.start, start + carrier.end), item.id),
            ],
          },
        ];
      }
      return [];
    }),
  );
}

interface Lost {
  readonly thing: string;
  readonly start: number;
  readonly end: number;
}

const WORDS = '(?:[\\p{L}\\p{N}-]+\\s+){0,3}?[\\p{L}\\p{N}-]+';
const ARTICLE = '(?:the|a|an|der|die|das|des|den|dem|einer?|eines)\\s+';

/** What a condition says to be lost: its subject, or what a noun of failure names. */
function lostIn(sentence: string): Lost | undefined {
  const { lost, carriers } = stateWords();
  const patterns = [
    new RegExp(
      `(?<!\\p{L})(?:${carriers.condition})\\s+(?:${ARTICLE})?(?<thing>${WORDS})\\s+(?:${carriers.broken})(?!\\p{L})`,
      'iu',
    ),
    new RegExp(
      `(?<!\\p{L})(?:(?:Bruch|Unterbrechung|Störung|break|interruption|disturbance)\\s+(?:of|der|des|von|vom)|${lost.before})\\s+(?:${ARTICLE})?(?<thing>[\\p{L}\\p{N}-]+(?:\\s+(?:bus|line|link|network|communication))?)`,
      'iu',
    ),
  ];
  for (const pattern of patterns) {
    const match = pattern.exec(sentence);
    const thing = match?.groups?.thing?.trim();
    if (match && thing) return { thing, start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

/** Where the rest of the sentence tells something by what is lost. */
function carrierIn(
  sentence: string,
  lost: Lost,
): { readonly text: string; readonly start: number; readonly end: number } | undefined {
  const { tells, carriers } = stateWords();
  const rest = sentence.slice(lost.end);
  if (!new RegExp(`(?<!\\p{L})(?:${tells.join('|')})`, 'iu').test(rest)) return undefined;
  const names = namesOf(lost.thing, carriers.generic);
  const by = new RegExp(
    `(?<!\\p{L})(?:${carriers.before.join('|')})\\s+(?:${ARTICLE})?(?<name>(?:[\\p{L}\\p{N}-]+\\s+)?(?:${names.join('|')}))(?![\\p{L}\\p{N}_])`,
    'giu',
  );
  const isOther = anyOf(carriers.not.map((word) => `(?<!\\p{L})${word}(?!\\p{L})`));
  for (const match of rest.matchAll(by)) {
    const before = /[^,;.]{0,25}$/u.exec(rest.slice(0, match.index))![0];
    if (isOther.test(match[0]) || isOther.test(before)) continue;
    const start = lost.end + match.index;
    return { text: match[0], start, end: start + match[0].length };
  }
  return undefined;
}

/** The last word of a name, or the one before it where the last is one for any carrier. */
function namesOf(thing: string, generic: readonly string[]): readonly string[] {
  const words = thing.split(/\s+/u).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const last = words.at(-1)!;
  const isGeneric = generic.some((word) => word.toLowerCase() === last.toLowerCase());
  const before = words.at(-2);
  return isGeneric && before !== undefined ? [`${before}\\s+${last}`, before] : [last];
}
