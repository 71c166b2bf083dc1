import { dayOf } from '../../facts/day-of.js';
import { statedDocuments } from '../../facts/stated/stated-documents.js';
import { type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** What is worked out from what, in this order. */
const DERIVED: readonly (readonly string[])[] = [
  ['item_definition'],
  ['hara'],
  ['functional_safety_concept'],
  ['technical_safety_concept'],
  ['software_requirements_spec', 'system_requirements_spec'],
];

/** A document was changed after everything that is derived from it was last worked on. */
export function sourceChangedLater({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const dated = statedDocuments(corpus, facts).flatMap(({ document, dateOf }) => {
    const rank = DERIVED.findIndex((types) =>
      document.parts.some(({ typeId, whole }) => whole && types.includes(typeId)),
    );
    const days = [...dateOf.values()].sort();
    return rank < 0 || days.length === 0
      ? []
      : [{ document, rank, last: days.at(-1)!, versions: dateOf.size }];
  });
  const rowOf = ({ document, last }: (typeof dated)[number]) =>
    facts.items
      .filter(
        (item) =>
          item.document === document &&
          item.passage.role === 'history' &&
          dayOf(item.values.get('date')?.text ?? '', document, corpus) === last,
      )
      .at(-1);
  return dated.flatMap((source): StatedContradiction[] => {
    const next = dated
      .filter(({ rank, last }) => rank > source.rank && last < source.last)
      .sort((a, b) => a.rank - b.rank)[0];
    // The first version of a source may be written down late; only a later one changes what others used.
    if (!next || source.versions < 2 || next.rank !== source.rank + 1) return [];
    const [row, derived] = [rowOf(source), rowOf(next)];
    if (!row || !derived) return [];
    return [
      {
        rule: 'source-changed-later',
        item: `${source.document.id} ${next.document.id}`,
        confidence: 'medium',
        words: {
          source: source.document.name,
          changed: source.last,
          document: next.document.name,
          last: next.last,
        },
        affected: [],
        evidence: [
          ...shown(derived, derived.values.get('date'), `"${next.document.name}", last entry`),
          ...shown(row, row.values.get('date'), `"${source.document.name}", last entry`),
        ],
      },
    ];
  });
}
