import { parseAsil, printAsil } from '../../asil/asil.js';
import { checkDecomposition } from '../../asil/decomposition.js';
import { isStating, usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { stateWords } from '../../facts/stated/state-words.js';
import { idsIn } from '../../facts/stated/stated-item.js';
import { patternOf } from '../../words/read-words.js';
import { firstOfEach, type StatedContext, type StatedContradiction } from './stated-rule.js';

/** "B(D)", "ASIL B (D)". */
const BRACKETED = /(?<![\p{L}\p{N}])(?:ASIL\s?)?(?:QM|[A-D])\s?\([A-D]\)/gu;
/** Longer stretches between two levels hold more than a list of parts. */
const BETWEEN = 60;

/**
 * A sentence or row about a split names its parts with their levels, and these are no permitted combination: "split: FR-1 with A(D) and
 * FR-2 with B(D)". ISO 26262-9:2018, 5.4.9 and 5.4.10.
 */
export function splitToldNotPermitted({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const isSplit = patternOf(stateWords().split);
  return firstOfEach(
    usableDocuments(corpus).flatMap(({ read, name }) =>
      read.passages.flatMap((passage): StatedContradiction[] => {
        if (!isStating(passage) || !passage.text.includes('(') || !isSplit.test(passage.text)) return [];
        const levels = [...passage.text.matchAll(BRACKETED)].flatMap(({ 0: written, index }) => {
          const asil = parseAsil(written);
          return asil?.original === undefined ? [] : [{ asil, start: index, end: index + written.length }];
        });
        const [one, two, more] = levels;
        if (!one || !two || more || one.asil.original !== two.asil.original) return [];
        const between = passage.text.slice(one.end, two.start);
        if (between.length > BETWEEN || /[.;\n]/u.test(between)) return [];
        const ids = idsIn(passage.text).filter(({ key }) => facts.byKey.has(key));
        const level = { own: one.asil.original! };
        if (ids.length < 2 || !checkDecomposition(level, [one.asil, two.asil]).includes('AI-03')) return [];
        return [
          {
            rule: 'decomposition-not-permitted',
            item: `${ids.map(({ key }) => key).join(' ')} told`,
            asil: level.own,
            confidence: 'high',
            words: {
              parent: ids[0]!.id,
              level: printAsil(level),
              parts: `${printAsil(one.asil)}, ${printAsil(two.asil)}`,
            },
            affected: [...new Set(ids.map(({ id }) => id))],
            evidence: [
              quote(
                read.document,
                passage,
                { start: passage.start + one.start, end: passage.start + two.end },
                {
                  role: 'counter',
                  note: name,
                },
              ),
            ],
          },
        ];
      }),
    ),
  );
}
