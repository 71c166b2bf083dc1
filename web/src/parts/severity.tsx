import { type Severity, StateGlyph, type Verdict } from '../look/glyphs.tsx';
import { useCommonWords } from './use-words.ts';

export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

/** Shape and word. */
export function SeverityLabel({ of }: { readonly of: Severity }) {
  const say = useCommonWords();
  return (
    <span className="state-label">
      <StateGlyph of={of} /> {say(`severity_${of}`)}
    </span>
  );
}

/** Shape and word. */
export function VerdictLabel({ of }: { readonly of: Verdict }) {
  const say = useCommonWords();
  return (
    <span className="state-label">
      <StateGlyph of={of} /> {say(`verdict_${of}`)}
    </span>
  );
}
