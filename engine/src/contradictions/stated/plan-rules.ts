import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { dayOf } from '../../facts/day-of.js';
import { beginning, contentWords, wholeWord } from '../../facts/stated/content-words.js';
import { recordWords } from '../../facts/stated/record-words.js';
import { say } from '../../sentences/sentence.js';
import { splitSentences } from '../../text/sentences.js';
import { compactTitle } from '../../words/column-titles.js';
import { firstOfEach, type StatedContext, type StatedContradiction, shown, textOf } from './stated-rule.js';

/** A task of one person is everybody's. */
export function taskOfEverybody({ facts }: StatedContext): readonly StatedContradiction[] {
  const { managing, nobody, responsibleTitle } = contentWords().requirements;
  const everybody = new RegExp(`^(?:${nobody.join('|')})\\.?$`, 'iu');
  const found = facts.items.flatMap((item) => {
    const [task] = item.cells;
    const person = item.cells.find(
      ({ title, text }) => beginning(responsibleTitle).test(title) && everybody.test(text.trim()),
    );
    return task && person && task !== person && wholeWord(managing).test(task.text)
      ? [{ item, task, person }]
      : [];
  });
  if (found.length === 0) return [];
  return [
    {
      rule: 'task-of-everybody',
      item: 'tasks',
      confidence: 'medium',
      words: { task: found[0]!.task.text.slice(0, 100), person: found[0]!.person.text, count: found.length },
      affected: found.map(({ task }) => task.text.slice(0, 60)),
      evidence: found
        .slice(0, 3)
        .flatMap(({ item, task, person }) => [
          ...shown(item, person, person.title),
          ...shown(item, task, task.title),
        ]),
    },
  ];
}

/** An activity is planned to end before it begins. */
export function endsBeforeItBegins({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const [begins, ends] = [recordWords().begins, recordWords().ends].map(
    (titles) => new Set(titles.map(compactTitle)),
  );
  const inRows = facts.items.flatMap((row): StatedContradiction[] => {
    if (row.table === undefined) return [];
    const dated = (titles: ReadonlySet<string>) =>
      row.cells.flatMap((value) => {
        const day = titles.has(compactTitle(value.title))
          ? dayOf(value.text, row.document, corpus)
          : undefined;
        return day === undefined ? [] : [{ value, day }];
      });
    const [first, last] = [dated(begins!)[0], dated(ends!)[0]];
    if (!first || !last || last.day >= first.day) return [];
    const activity = textOf(row, 'activity') || row.id;
    return [
      {
        rule: 'ends-before-it-begins',
        item: `${row.key} ${row.document.id}`,
        confidence: 'high',
        words: { activity, begins: first.value.text, ends: last.value.text },
        affected: [activity],
        evidence: [
          ...shown(row, last.value, last.value.title),
          ...shown(row, first.value, first.value.title),
        ],
      },
    ];
  });
  return [...inRows, ...rangesInText(corpus)];
}

/** "2026-02-16 to 2026-01-30: technical safety concept" */
const RANGE =
  /(?<![\p{L}\p{N}.-])(?<from>\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4})\s{0,2}(?:to|until|till|bis|[–—-])\s{0,2}(?<to>\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4})(?![\p{L}\p{N}-])(?:\s{0,2}[:,;–-]?\s{0,2}(?<what>\p{L}[^\n|;]{2,80}))?/gu;

function rangesInText(corpus: StatedContext['corpus']): readonly StatedContradiction[] {
  return usableDocuments(corpus).flatMap((document) =>
    document.read.passages.flatMap((passage) => {
      const { read, id } = document;
      if (read.document.blocks[passage.blockIndex]!.cells || passage.role !== 'body') return [];
      return [...passage.text.matchAll(RANGE)].flatMap(
        ({ 0: whole, index, groups }): StatedContradiction[] => {
          const [first, last] = [
            dayOf(groups!.from!, document, corpus),
            dayOf(groups!.to!, document, corpus),
          ];
          if (first === undefined || last === undefined || last >= first) return [];
          const activity = groups!.what?.trim() ?? whole;
          const place = { start: passage.start + index, end: passage.start + index + whole.trimEnd().length };
          return [
            {
              rule: 'ends-before-it-begins',
              item: `${activity} ${id}`,
              confidence: 'high',
              words: { activity, begins: groups!.from!, ends: groups!.to! },
              affected: [activity],
              evidence: [quote(read.document, passage, place, { role: 'counter', note: activity })],
            },
          ];
        },
      );
    }),
  );
}

/** Independence of elements or functions is assumed, and nothing beside it says why it holds. */
export function independenceAssumed({ corpus }: StatedContext): readonly StatedContradiction[] {
  const { assumed, independence, shown: reasons } = contentWords().requirements;
  return firstOfEach(
    usableDocuments(corpus).flatMap(({ read, id }) =>
      read.passages.flatMap((passage) => {
        const { cells } = read.document.blocks[passage.blockIndex]!;
        if (cells || passage.role !== 'body' || corpus.otherItem.has(passage.id)) return [];
        if (!wholeWord(independence).test(passage.text)) return [];
        return splitSentences(passage.text).flatMap(({ start, end }): StatedContradiction[] => {
          const sentence = passage.text.slice(start, end);
          const isAssumed = wholeWord(assumed).test(sentence) && wholeWord(independence).test(sentence);
          if (!isAssumed || wholeWord(reasons).test(sentence)) return [];
          return [
            {
              rule: 'independence-assumed',
              item: `${id} ${sentence.trim().slice(0, 60)}`,
              confidence: 'medium',
              words: { sentence: sentence.trim().slice(0, 200) },
              affected: [],
              evidence: [
                quote(
                  read.document,
                  passage,
                  { start: passage.start + start, end: passage.start + end },
                  { role: 'counter', note: say('findings.note-assumed') },
                ),
              ],
            },
          ];
        });
      }),
    ),
  );
}
