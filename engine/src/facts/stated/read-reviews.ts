import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import { anyOf } from '../../words/read-words.js';
import { identifierKey } from '../artifacts/identifiers.js';
import { recordWords } from './record-words.js';
import { kindsOfTitle, type StatedKind } from './stated-columns.js';
import type { StatedItem, StatedValue } from './stated-item.js';

const FIELDS: readonly StatedKind[] = ['person', 'date', 'result', 'version', 'planned_independence'];
const FIELD = /^[\s•*–-]{0,4}(?<label>\p{L}[^:\n]{0,40}?)\s{0,3}:\s{1,3}(?<value>\S[^\n]{0,300})$/u;

/** "Review of PW-02 v1.1" over lines "Reviewer: …", "Held on: …": one review, named by its heading. Linear in the text. */
export function statedReviews(corpus: Corpus, document: CorpusDocument): readonly StatedItem[] {
  const { read } = document;
  const isReview = anyOf(recordWords().reviewHeadings);
  return read.sections.flatMap((section): StatedItem[] => {
    const heading = section.heading === undefined ? undefined : read.passages[section.heading];
    if (!heading || !isReview.test(section.title) || corpus.otherItem.has(heading.id)) return [];
    const values = new Map<StatedKind, StatedValue>();
    const cells: StatedValue[] = [];
    for (let index = section.start; index < section.ownEnd; index++) {
      const passage = read.passages[index]!;
      if (read.document.blocks[index]!.cells || passage.text.length > LONGEST) continue;
      const match = FIELD.exec(passage.text);
      if (!match) continue;
      const text = match.groups!.value!.trim();
      const start = passage.start + match[0].lastIndexOf(match.groups!.value!);
      const value = { text, start, end: start + text.length, passage, title: match.groups!.label!.trim() };
      cells.push(value);
      const kind = kindsOfTitle(value.title).find((one) => FIELDS.includes(one));
      if (kind && !values.has(kind)) values.set(kind, value);
    }
    if (!values.has('person') || !(values.has('date') || values.has('result'))) return [];
    const { start, end } = heading;
    const name = { text: heading.text, start, end, passage: heading, title: '' };
    values.set('work_product', name);
    return [
      {
        ...{ id: section.title, key: identifierKey(section.title), hasId: false, document, passage: heading },
        ...{ section: section.title, values, cells: [name, ...cells], how: 'record' },
      },
    ];
  });
}
/** Longer lines are prose. */
const LONGEST = 400;
