import { StateGlyph, type Verdict } from '../../look/glyphs.tsx';
import { useWords } from './use-words.ts';

export const ANSWERS = ['pass', 'fail', 'missing', 'NA'] as const;
export type ItemAnswer = (typeof ANSWERS)[number];

const SHAPES: Readonly<Record<ItemAnswer | 'to_be_reviewed', Verdict>> = {
  pass: 'covered',
  fail: 'partial',
  missing: 'missing',
  NA: 'not_applicable',
  to_be_reviewed: 'needs_review',
};

/** Shape and word of what an item has. */
export function ItemVerdict({ of }: { readonly of: ItemAnswer | 'to_be_reviewed' }) {
  const say = useWords();
  return (
    <span className="state-label">
      <StateGlyph of={SHAPES[of]} /> {say(`verdict_${of}`)}
    </span>
  );
}
