import { quote } from '../../corpus/evidence.js';
import type { Evidence } from '../../findings/finding.js';
import type { NumberPlace } from './number-places.js';

/** What a number is told of: the item as it is written, else the name of the document. */
export const subjectOf = ({ item, own, keys, passage, document }: NumberPlace): string => {
  if (item?.hasId && own.size > 0) return item.id;
  const [named] = [...keys].filter((key) => passage.text.toUpperCase().startsWith(key));
  return named ?? `"${document.name}"`;
};

/** The sentence or cell with the number, as evidence. */
export function placeShown({ document, passage, clause, quantity }: NumberPlace, note: string): Evidence {
  const before = clause.indexOf('…');
  const start = passage.start + quantity.start - before;
  return quote(
    document.read.document,
    passage,
    { start, end: start + clause.length - 1 + quantity.written.length },
    {
      role: 'counter',
      note,
      focus: { start: passage.start + quantity.start, end: passage.start + quantity.end },
    },
  );
}
