import { beginning, contentWords, wholeWord } from '../../facts/stated/content-words.js';
import { stateWords } from '../../facts/stated/state-words.js';
import { focused } from './requirement-texts.js';
import {
  higherLevel,
  levelOf,
  overlap,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

/** Share of words from which on a safe state only repeats its requirement. */
const SAME_WORDS = 0.6;

/** Safe states that are none: they repeat the limit that was violated, or leave a constant output behind. */
export function safeStateIsNone({ facts }: StatedContext): readonly StatedContradiction[] {
  const { acting, measureZero, reached } = contentWords().requirements;
  const { below, within } = stateWords().limits;
  const limit = new RegExp(`(?<!\\p{L})(?:${[...below, ...within].join('|')})(?!\\p{L})`, 'iu');
  const stated = facts.items.flatMap((item) => {
    const value = item.values.get('safe_state');
    return value && item.values.has('text') ? [{ item, value }] : [];
  });
  const leaving = stated.filter(({ value }) => beginning(measureZero).test(value.text));
  const repeating = stated.filter(
    ({ item, value }) =>
      limit.test(value.text) &&
      !wholeWord(acting).test(value.text) &&
      !wholeWord(reached).test(textOf(item, 'text')) &&
      overlap(stemsOf(value.text), stemsOf(textOf(item, 'text'))) >= SAME_WORDS,
  );
  const told = (rule: string, found: typeof stated): readonly StatedContradiction[] => {
    if (found.length === 0) return [];
    const ids = [...new Set(found.map(({ item }) => item.id))];
    return [
      {
        rule,
        item: 'safe states',
        asil: found.map(({ item }) => levelOf(item)).reduce(higherLevel, undefined),
        confidence: 'medium',
        words: { items: ids, state: found[0]!.value.text.slice(0, 120) },
        affected: ids,
        evidence: found
          .slice(0, 4)
          .flatMap(({ item, value }) => [
            ...shown(item, value, `${item.id}: ${value.title}`),
            ...shown(item, item.values.get('text'), item.id),
          ]),
      },
    ];
  };
  return [...told('safe-state-leaves-output', leaving), ...told('safe-state-repeats-limit', repeating)];
}

/** A sentence in a manual is given as warning of the driver. */
export function warningByManual({ facts }: StatedContext): readonly StatedContradiction[] {
  const pattern = wholeWord(contentWords().requirements.manual);
  const found = facts.items.flatMap((item) => {
    const value = item.values.get('warning');
    const match = value && pattern.exec(value.text);
    return value && match ? [{ item, value, match }] : [];
  });
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ item }) => item.id))];
  return [
    {
      rule: 'warning-by-manual',
      item: 'warnings',
      asil: undefined,
      confidence: 'medium',
      words: { items: ids, said: found[0]!.match[0] },
      affected: ids,
      evidence: found
        .slice(0, 4)
        .map(({ item, value, match }) => focused(item, value, match, `${item.id}: ${value.title}`)),
    },
  ];
}
