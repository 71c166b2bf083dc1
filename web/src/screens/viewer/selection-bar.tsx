import { useEffect, useState } from 'react';
import type { Block } from '../../document/block-view.tsx';
import { type Selected, selectedIn } from '../../document/selection.ts';
import { Button } from '../../parts/button.tsx';
import { useWords } from './use-words.ts';

const WIDTH = 260;
/** As long as the service takes a range. */
const LONGEST = 4000;

/** What is selected in the document that is open, in whichever mode. */
export function useSelected(blocks: readonly Block[]): Selected | undefined {
  const [selected, setSelected] = useState<Selected>();
  useEffect(() => {
    const look = (): void => {
      const text = document.querySelector('.viewer-text, .viewer-pages, .grid-scroller');
      setSelected(text ? selectedIn(text, blocks) : undefined);
    };
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, [blocks]);
  return selected && selected.end - selected.start <= LONGEST ? selected : undefined;
}

/** Beside what somebody selected: comment on it, or use it as evidence. */
export function SelectionBar({
  of,
  mayComment,
  mayJudge,
  onComment,
  onEvidence,
}: {
  readonly of: Selected;
  readonly mayComment: boolean;
  readonly mayJudge: boolean;
  readonly onComment: () => void;
  readonly onEvidence: () => void;
}) {
  const say = useWords();
  const left = Math.max(8, Math.min(of.right, innerWidth - WIDTH));
  const top = Math.min(of.bottom + 6, innerHeight - 48);
  return (
    <div className="selection-bar" role="toolbar" aria-label={say('selected')} style={{ left, top }}>
      {mayComment && (
        <Button onMouseDown={(event) => event.preventDefault()} onClick={onComment}>
          {say('comment_on')}
        </Button>
      )}
      {mayJudge && of.isOnePlace && (
        <Button onMouseDown={(event) => event.preventDefault()} onClick={onEvidence}>
          {say('use_as_evidence')}
        </Button>
      )}
    </div>
  );
}
