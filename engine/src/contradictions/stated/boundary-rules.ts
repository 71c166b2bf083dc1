import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { stateWords } from '../../facts/stated/state-words.js';
import { elementsOf } from './allocation-rules.js';
import { clausesOf, elementKey, type SidedElement, sidedElements, told } from './boundary-elements.js';
import { differsInLists } from './boundary-lists.js';
import { firstOfEach, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** An element lies inside the item in one place and outside in another. */
export function boundaryDiffers(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach([...differsInRows(context), ...differsInLists(context)]);
}

/** An element whose row says on which side it lies, and another row or a sentence that says the opposite. */
function differsInRows({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const { boundary } = stateWords();
  const elements = sidedElements(facts.items);
  if (elements.length === 0) return [];
  const sentences = [
    { side: 'inside', pattern: new RegExp(boundary.insideSentence, 'iu') },
    { side: 'outside', pattern: new RegExp(boundary.outsideSentence, 'iu') },
  ] as const;
  const named = new Map<string, SidedElement[]>();
  const firstOn = new Map<string, SidedElement>();
  for (const one of elements) {
    const key = elementKey(one.name);
    const same = named.get(key);
    if (same) same.push(one);
    else named.set(key, [one]);
    if (!firstOn.has(`${one.side} ${key}`)) firstOn.set(`${one.side} ${key}`, one);
  }
  const inTables = elements.flatMap((one) => {
    const side = one.side === 'inside' ? 'outside' : 'inside';
    const other = firstOn.get(`${side} ${elementKey(one.name)}`);
    return other ? [told(one, { ...other, evidence: shown(other.item, other.value, other.name) })] : [];
  });
  const inText = usableDocuments(corpus).flatMap(({ read }) =>
    read.passages.flatMap((passage) => {
      if (read.document.blocks[passage.blockIndex]!.cells || passage.role === 'heading') return [];
      return clausesOf(passage.text).flatMap(({ start, end }) => {
        const sentence = passage.text.slice(start, end);
        return sentences.flatMap(({ side, pattern }) => {
          if (!pattern.test(sentence)) return [];
          const place = { start: passage.start + start, end: passage.start + end };
          return subjectsOf(sentence)
            .flatMap((key) => named.get(key) ?? [])
            .filter((one) => one.side !== side)
            .map((one) =>
              told(one, {
                side,
                evidence: [quote(read.document, passage, place, { role: 'counter', note: one.name })],
              }),
            );
        });
      });
    }),
  );
  return firstOfEach([...inTables, ...inText]);
}

/** Keys of what stands before the verb: one thing, or a list of them. */
function subjectsOf(sentence: string): readonly string[] {
  const before = sentence.split(
    /(?<!\p{L})(?:is|are|lies?|stays?|remains?|sits?|ist|sind|belongs?|liegt|liegen|bleibt|bleiben|gehört|gehören)(?!\p{L})/iu,
  )[0]!;
  return [...new Set(elementsOf(before).map(elementKey))];
}
