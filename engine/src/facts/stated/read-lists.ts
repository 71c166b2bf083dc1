import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { idAtStart } from '../artifacts/id-forms.js';
import { identifierKey } from '../artifacts/identifiers.js';
import { personNamesIn } from '../person-names.js';
import { quantitiesIn } from '../quantities.js';
import { leadingId } from './read-prose.js';
import { kindsOfTitle, type StatedKind } from './stated-columns.js';
import type { StatedItem, StatedValue } from './stated-item.js';

/** `Safety manager: L. Haas`, `T_MAX = 300 ms`: bounded on the left, a sentence with a colon is none. */
const PAIR =
  /^[\s•*–-]{0,4}(?<label>\p{L}[^:=\n]{0,48}?)\s{0,3}(?::(?=\s)|=)\s{0,3}(?<value>\S[^\n]{0,300})$/u;
const FEWEST_PAIRS = 2;
const SHARE = 0.6;

/**
 * Lists of pairs outside of artifacts, as tables of two columns: people by role, parameters by name. Items of one list have one
 * `table`, a number below zero. Linear in the text.
 */
export function statedLists(corpus: Corpus, document: CorpusDocument): readonly StatedItem[] {
  const { read } = document;
  const lists: Passage[][] = [];
  let before = -2;
  for (const passage of read.passages) {
    const { kind, cells } = read.document.blocks[passage.blockIndex]!;
    if (cells || passage.role !== 'body' || corpus.otherItem.has(passage.id)) continue;
    if (kind !== 'list_item' && !(kind === 'paragraph' && namesPerson(passage.text))) continue;
    if (passage.blockIndex === before + 1) lists.at(-1)!.push(passage);
    else lists.push([passage]);
    before = passage.blockIndex;
  }
  return lists.flatMap((list, at) => {
    const title = read.sections[read.sectionOf[list[0]!.blockIndex]!]?.title ?? '';
    // Fields of what the heading, or the paragraph right above, names.
    const above = read.document.blocks[list[0]!.blockIndex - 1];
    const isOfParagraph = above?.kind === 'paragraph' && leadingId(above.text) !== undefined;
    if (isOfParagraph || leadingId(title.replace(/^[\d.\s]+/u, '')) || idAtStart(title)) return [];
    const pairs = list.flatMap((passage) => {
      const match = PAIR.exec(passage.text);
      return match ? [pairOf(document, { passage, match, title, table: -1 - at })] : [];
    });
    return pairs.length >= FEWEST_PAIRS && pairs.length >= list.length * SHARE ? pairs : [];
  });
}

/** "Assessor: Dr. Ann Lee": a line of a list of people that is no list item. */
function namesPerson(text: string): boolean {
  const groups = text.length <= LONGEST_LINE ? PAIR.exec(text)?.groups : undefined;
  return groups !== undefined && personNamesIn(groups.value!).length > 0;
}
const LONGEST_LINE = 120;

function pairOf(
  document: CorpusDocument,
  one: {
    readonly passage: Passage;
    readonly match: RegExpExecArray;
    readonly title: string;
    readonly table: number;
  },
): StatedItem {
  const { passage, match, title, table } = one;
  const [label, value] = (['label', 'value'] as const).map((name): StatedValue => {
    const text = match.groups![name]!.trim();
    const start = passage.start + (name === 'label' ? match[0].indexOf(text) : match[0].lastIndexOf(text));
    return { text, start, end: start + text.length, passage, title: '' };
  }) as [StatedValue, StatedValue];
  const values = new Map<StatedKind, StatedValue>();
  // "FTTI: 600 ms" is what the thing above states, and no parameter.
  const isField = kindsOfTitle(label.text).length > 0;
  if (!isField && /^\S+$/u.test(label.text) && quantitiesIn(value.text).length === 1) {
    values.set('parameter', label);
    values.set('value', value);
  }
  return {
    id: label.text,
    key: identifierKey(label.text),
    hasId: false,
    document,
    passage,
    section: title,
    table,
    values,
    cells: [label, value],
    how: 'table',
  };
}
