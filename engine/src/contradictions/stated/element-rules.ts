import type { Corpus } from '../../corpus/corpus.js';
import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem } from '../../facts/stated/stated-item.js';
import type { Evidence } from '../../findings/finding.js';
import { splitSentences } from '../../text/sentences.js';
import { compactTitle } from '../../words/column-titles.js';
import { anyOf } from '../../words/read-words.js';
import { elementsOf } from './allocation-rules.js';
import { sidedElements } from './boundary-elements.js';
import {
  firstOfEach,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

/** Names in a list: without what stands in brackets or behind "with", and without articles. */
function namesIn(list: string): readonly string[] {
  return elementsOf(list.replaceAll(/\([^)]*\)/gu, '')).map((one) =>
    one
      .replace(/^(?:the|a|an|der|die|das|den|dem|ein|eine|and|und)\s+/iu, '')
      .replace(/\s+(?:with|mit)\s.*$/u, '')
      .replace(/[.:]+$/u, '')
      .trim(),
  );
}

interface Outside {
  readonly evidence: Evidence;
  /** Words of its row. */
  readonly about: string;
}

/** What lies outside of the item by a list of the documents, each with its place. */
function outsideOf(corpus: Corpus, items: readonly StatedItem[]): ReadonlyMap<string, Outside> {
  const { boundary } = stateWords();
  const lists = boundary.outsideLists.map((one) => new RegExp(one, 'iu'));
  const isHeading = new RegExp(boundary.outsideHeading, 'iu');
  const outside = new Map<string, Outside>();
  for (const { read } of usableDocuments(corpus)) {
    for (const passage of read.passages) {
      const block = read.document.blocks[passage.blockIndex]!;
      if (block.cells || passage.role !== 'body' || corpus.otherItem.has(passage.id)) continue;
      const put = (list: string, place: { readonly start: number; readonly end: number }) => {
        for (const name of namesIn(list)) {
          const key = compactTitle(name);
          if (key.length < SHORTEST || name.split(/\s+/u).length > LONGEST || outside.has(key)) continue;
          outside.set(key, {
            evidence: quote(read.document, passage, place, { role: 'counter', note: name }),
            about: '',
          });
        }
      };
      if (block.kind === 'list_item' && isHeading.test(block.location.section?.at(-1) ?? '')) {
        put(passage.text.split(/:|\s[–-]\s/u)[0]!, passage);
        continue;
      }
      for (const { start, end } of splitSentences(passage.text)) {
        const sentence = passage.text.slice(start, end);
        const list = lists.map((one) => one.exec(sentence)?.groups?.list).find((one) => one !== undefined);
        if (list !== undefined) put(list, { start: passage.start + start, end: passage.start + end });
      }
    }
  }
  for (const { item, value, name, side } of sidedElements(items)) {
    if (side !== 'outside') continue;
    const [evidence] = shown(item, value, name);
    // "Buzzer with driver" is the buzzer.
    for (const key of new Set([compactTitle(name), ...namesIn(name).slice(0, 1).map(compactTitle)]))
      if (!outside.has(key))
        outside.set(key, { evidence: evidence!, about: item.cells.map(({ text }) => text).join(' ') });
  }
  return outside;
}
const SHORTEST = 4;
/** Longer parts of a list are sentences. */
const LONGEST = 5;

/** A requirement is allocated to what a list puts outside of the item. */
export function allocatedOutside({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const outside = outsideOf(corpus, facts.items);
  if (outside.size === 0) return [];
  const isOthers = new RegExp(stateWords().boundary.others, 'iu');
  return firstOfEach(
    facts.items.flatMap((item): StatedContradiction[] => {
      const allocation = item.values.get('allocation');
      // A row of an element names it and demands nothing.
      if (!allocation || !item.hasId || item.type === 'design' || !item.values.has('text')) return [];
      if (isOthers.test(allocation.text) || isOthers.test(textOf(item, 'text'))) return [];
      const element = namesIn(allocation.text).find((name) => outside.has(compactTitle(name)));
      if (element === undefined) return [];
      const { evidence, about } = outside.get(compactTitle(element))!;
      // "Body Controller (Meridian)": the allocation says itself whose it is.
      const party = /\(([^()]{3,})\)/u.exec(allocation.text)?.[1];
      if (party !== undefined && about.includes(party)) return [];
      return [
        {
          rule: 'allocated-outside',
          item: item.key,
          asil: levelOf(item),
          confidence: 'medium',
          words: { item: item.id, element },
          affected: [item.id],
          evidence: [...shown(item, allocation, item.id), evidence],
        },
      ];
    }),
  );
}

/** Fewest allocations that show that elements are described. */
const FEWEST = 8;

/** A requirement is allocated to an element that stands nowhere else, where the others' elements do. */
export function elementNowhere({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const layers = stemsOf(stateWords().boundary.layers.join(' '));
  // "Supply supervisor hardware" is the one of the supply supervisor.
  const stemsOfElement = (name: string) => {
    const stems = [...stemsOf(name)];
    const telling = stems.filter((stem) => !layers.has(stem));
    return telling.length > 0 ? telling : stems;
  };
  const allocated = facts.items.flatMap((item) => {
    const value = item.values.get('allocation');
    return value && item.hasId && !anyOf([stateWords().boundary.others]).test(value.text)
      ? namesIn(value.text).map((name) => ({ item, value, name, stems: stemsOfElement(name) }))
      : [];
  });
  const named = allocated.filter(({ stems }) => stems.length > 0);
  if (named.length < FEWEST) return [];
  const uses = new Map<string, number>();
  for (const { name } of named) uses.set(compactTitle(name), (uses.get(compactTitle(name)) ?? 0) + 1);
  const once = named.filter(({ name }) => uses.get(compactTitle(name)) === 1);
  if (once.length === 0) return [];
  const passages = usableDocuments(corpus).flatMap(({ read }) =>
    read.passages
      .filter(({ role }) => role !== 'toc' && role !== 'header_footer')
      .map((passage) => ({ passage, stems: stemsOf(passage.text), text: compactTitle(passage.text) })),
  );
  const alone = once.filter(
    ({ value, name, stems }) =>
      !passages.some(
        ({ passage, stems: said, text }) =>
          passage !== value.passage &&
          (stems.every((stem) => said.has(stem)) || text.includes(compactTitle(name))),
      ),
  );
  // Several of them: parts that nobody describes.
  if (alone.length !== 1) return [];
  return firstOfEach(
    alone.map(
      ({ item, value, name }): StatedContradiction => ({
        rule: 'element-nowhere',
        item: item.key,
        asil: levelOf(item),
        confidence: 'medium',
        words: { item: item.id, element: name },
        affected: [item.id],
        evidence: shown(item, value, item.id),
      }),
    ),
  );
}
