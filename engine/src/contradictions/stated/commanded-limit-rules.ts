import { contentWords } from '../../facts/stated/content-words.js';
import { focused } from './requirement-texts.js';
import { higherLevel, levelOf, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** A limit is commanded or sent like a signal: what is meant is the quantity that it limits. */
export function limitCommanded({ facts }: StatedContext): readonly StatedContradiction[] {
  const { limitName, limitCommanded: commanded } = contentWords().requirements;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(${limitName})(?:${commanded})`, 'u');
  const found = facts.items.flatMap((item) => {
    const value = item.how === 'sentence' ? undefined : item.values.get('text');
    const match = value && pattern.exec(value.text);
    return value && match ? [{ item, value, match }] : [];
  });
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ item }) => item.id))];
  return [
    {
      rule: 'limit-commanded',
      item: 'limits',
      asil: found.map(({ item }) => levelOf(item)).reduce(higherLevel, undefined),
      confidence: 'medium',
      words: { items: ids, names: [...new Set(found.map(({ match }) => match[1]!))].join(', ') },
      affected: ids,
      evidence: found.slice(0, 4).map(({ item, value, match }) => focused(item, value, match, item.id)),
    },
  ];
}

/** A cell of the fault tolerant time interval holds no time. */
export function intervalIsNoTime({ facts }: StatedContext): readonly StatedContradiction[] {
  const notStated = new RegExp(
    `^(?:${contentWords().requirements.notStated.join('|')})(?![\\p{L}\\p{N}])`,
    'iu',
  );
  const stated = facts.items.flatMap((item) => {
    const value = item.values.get('interval');
    return value ? [{ item, value }] : [];
  });
  const isTime = (text: string) => /\d/u.test(text);
  const without = stated.filter(({ value }) => !isTime(value.text) && !notStated.test(value.text.trim()));
  if (without.length === 0 || without.length * 2 > stated.length) return [];
  const said = [...new Set(without.map(({ value }) => value.text.replaceAll(/["“”]/gu, '').trim()))];
  return [
    {
      rule: 'interval-is-no-time',
      item: 'intervals',
      asil: without.map(({ item }) => levelOf(item)).reduce(higherLevel, undefined),
      confidence: 'high',
      words: { items: [...new Set(without.map(({ item }) => item.id))], said: said.join(', ').slice(0, 120) },
      affected: [...new Set(without.map(({ item }) => item.id))],
      evidence: without
        .slice(0, 4)
        .flatMap(({ item, value }) => shown(item, value, `${item.id}: ${value.title}`)),
    },
  ];
}
