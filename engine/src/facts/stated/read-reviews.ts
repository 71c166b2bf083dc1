import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { splitSentences } from '../../text/sentences.js';
import { anyOf, patternOf } from '../../words/read-words.js';
import { identifierKey } from '../artifacts/identifiers.js';
import { personNamesIn } from '../person-names.js';
import { recordWords } from './record-words.js';
import { kindsOfTitle, type StatedKind } from './stated-columns.js';
import type { StatedItem, StatedValue } from './stated-item.js';

const FIELDS: readonly StatedKind[] = ['person', 'date', 'result', 'version', 'planned_independence'];
const FIELD = /^[\s•*–-]{0,4}(?<label>\p{L}[^:\n]{0,40}?)\s{0,3}:\s{1,3}(?<value>\S[^\n]{0,300})$/u;

/**
 * One review by section, named by its heading: "Review of PW-02 v1.1" over lines "Reviewer: …", "Held on: …", or over sentences ("Reviewed
 * was PW-02 v1.1. The reviewer was Ann Lee."). Linear in the text.
 */
export function statedReviews(corpus: Corpus, document: CorpusDocument): readonly StatedItem[] {
  const { read } = document;
  const isReview = anyOf(recordWords().reviewHeadings);
  return read.sections.flatMap((section): StatedItem[] => {
    const heading = section.heading === undefined ? undefined : read.passages[section.heading];
    if (!heading || !isReview.test(section.title) || corpus.otherItem.has(heading.id)) return [];
    const own = read.passages
      .slice(section.start, section.ownEnd)
      .filter(({ blockIndex }) => !read.document.blocks[blockIndex]!.cells);
    const name = { text: heading.text, start: heading.start, end: heading.end, passage: heading, title: '' };
    const record = {
      ...{ id: section.title, key: identifierKey(section.title), hasId: false, document, passage: heading },
      section: section.title,
    };
    const fields = fieldsIn(own, name);
    if (fields) return [{ ...record, ...fields, how: 'record' }];
    return saidIn(own, name).map((said) => ({ ...record, ...said, how: 'sentence' }));
  });
}

type Stated = Pick<StatedItem, 'values' | 'cells'>;

/** Lines of fields. */
function fieldsIn(passages: readonly Passage[], name: StatedValue): Stated | undefined {
  const values = new Map<StatedKind, StatedValue>();
  const cells: StatedValue[] = [];
  for (const passage of passages) {
    if (passage.text.length > LONGEST) continue;
    const match = FIELD.exec(passage.text);
    if (!match) continue;
    const text = match.groups!.value!.trim();
    const start = passage.start + match[0].lastIndexOf(match.groups!.value!);
    const value = { text, start, end: start + text.length, passage, title: match.groups!.label!.trim() };
    cells.push(value);
    const kind = kindsOfTitle(value.title).find((one) => FIELDS.includes(one));
    if (kind && !values.has(kind)) values.set(kind, value);
  }
  if (!values.has('person') || !(values.has('date') || values.has('result'))) return undefined;
  values.set('work_product', name);
  return { values, cells: [name, ...cells] };
}
/** Longer lines are prose. */
const LONGEST = 400;

/** Sentences that name a reviewer, each as a review of what the heading and the sentences about its object name. */
function saidIn(passages: readonly Passage[], name: StatedValue): readonly Stated[] {
  const { reviewerBefore, reviewerAfter, reviewedWhat } = recordWords();
  const [before, after, what] = [reviewerBefore, reviewerAfter, reviewedWhat].map((one) =>
    patternOf(one, 'u'),
  ) as [RegExp, RegExp, RegExp];
  const sentences = passages.flatMap((passage) =>
    passage.role === 'body'
      ? splitSentences(passage.text).map(({ start, end }) => ({
          ...{ passage, start: passage.start + start, end: passage.start + end, title: '' },
          text: passage.text.slice(start, end),
        }))
      : [],
  );
  const about = sentences.filter(({ text }) => what.test(text));
  return sentences.flatMap((sentence): Stated[] => {
    const person = personNamesIn(sentence.text).find((one) => {
      const at = sentence.text.indexOf(one);
      return before.test(sentence.text.slice(0, at)) || after.test(sentence.text.slice(at + one.length));
    });
    if (person === undefined) return [];
    const start = sentence.start + sentence.text.indexOf(person);
    const value = { ...sentence, text: person, start, end: start + person.length, title: 'Reviewer' };
    return [
      {
        values: new Map<StatedKind, StatedValue>([
          ['work_product', name],
          ['person', value],
        ]),
        cells: [name, value, ...about],
      },
    ];
  });
}
