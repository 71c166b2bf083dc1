import { documentOf, isStating, usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { checkWords } from '../../facts/check-words.js';
import { quantitiesIn } from '../../facts/quantities.js';
import { idsIn, type StatedItem } from '../../facts/stated/stated-item.js';
import { patternOf } from '../../words/read-words.js';
import {
  firstOfEach,
  isGoal,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
} from './stated-rule.js';
import { timeOf } from './time-rules.js';

/** Between the name of the interval and its value: "of", "=", "for SG-2 is". */
const BETWEEN = 24;
const SENTENCES = /[^.;\n\t]+(?:[.;](?!\s)[^.;\n\t]*)*/gu;

/** A sentence somewhere tells the interval of a goal by its name, with another value than the goal has. */
export function intervalToldOtherwise(context: StatedContext): readonly StatedContradiction[] {
  const { corpus, facts } = context;
  const timed = new Map<string, readonly StatedItem[]>();
  for (const [key, items] of facts.byKey) {
    const own = items.filter((item) => timeOf(item, 'interval'));
    if (own.length > 0 && items.some(isGoal)) timed.set(key, own);
  }
  if (timed.size === 0) return [];
  const names = `(?<!\\p{L})(?:${checkWords().times.interval.join('|')})(?!\\p{L})`;
  const [isNamed, named] = [patternOf(names), patternOf(names, 'giu')];
  const found: StatedContradiction[] = [];
  const passages = usableDocuments(corpus).flatMap(({ read }) =>
    read.passages.filter((passage) => isStating(passage) || passage.role === 'heading'),
  );
  for (const passage of passages) {
    if (!isNamed.test(passage.text)) continue;
    for (const { 0: sentence, index } of passage.text.matchAll(SENTENCES)) {
      for (const told of toldIn(sentence)) {
        const goals = timed.get(told.key);
        if (!goals || goals.some((goal) => [...goal.values.values()].some((one) => one.passage === passage)))
          continue;
        const values = goals.map((goal) => timeOf(goal, 'interval')!.value);
        // A change tells the old one and the new one.
        if (told.values.some((value) => values.includes(value))) continue;
        const [goal] = goals;
        const start = passage.start + index + told.start;
        found.push({
          rule: 'time-differs',
          item: `${told.key} interval told`,
          asil: levelOf(goal!),
          confidence: 'medium',
          words: {
            item: goal!.id,
            name: goal!.values.get('interval')!.title || 'FTTI',
            one: timeOf(goal!, 'interval')!.written,
            other: told.written,
          },
          affected: [goal!.id],
          evidence: [
            quote(
              documentOf(corpus, passage.documentId).read.document,
              passage,
              { start: passage.start + index, end: passage.start + index + sentence.length },
              { role: 'counter', note: goal!.id, focus: { start, end: start + told.written.length } },
            ),
            ...shown(goal!, goal!.values.get('interval'), goal!.id),
          ],
        });
      }
    }
  }
  return firstOfEach(found);

  /** Values right behind the name of the interval, each with the goal that is named last before the value. */
  function toldIn(sentence: string) {
    const times = quantitiesIn(sentence).filter(({ kind }) => kind === 'time');
    const values = times.map(({ value }) => value);
    return [...sentence.matchAll(named)].flatMap(({ index, 0: name }) => {
      const from = index + name.length;
      const time = times.find(({ start }) => start >= from && start - from <= BETWEEN);
      if (!time || quantitiesIn(sentence.slice(from, time.start)).length > 0) return [];
      const goals = idsIn(sentence.slice(0, time.start)).filter(({ key }) => timed.has(key));
      const key = goals.at(-1)?.key;
      return key === undefined ? [] : [{ key, values, written: time.written, start: time.start }];
    });
  }
}
