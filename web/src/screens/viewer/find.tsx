import { useMemo, useState } from 'react';
import type { Block } from '../../document/block-view.tsx';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { useWords } from './use-words.ts';

const MOST = 1000;

/** Looks through the whole document, also what is not in sight and what the browser's own search cannot see. */
export function Find({
  blocks,
  onPlace,
  onClose,
}: {
  readonly blocks: readonly Block[];
  readonly onPlace: (start: number, end: number) => void;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const places = useMemo(() => placesOf(blocks, words), [blocks, words]);
  const show = (next: number, among: readonly number[], looked: string): void => {
    const place = among[next];
    setAt(next);
    if (place !== undefined) onPlace(place, place + looked.length);
  };
  const step = (by: number): void => {
    if (places.length > 0) show((at + by + places.length) % places.length, places, words);
  };
  return (
    <search className="viewer-find">
      <input
        className="input"
        type="search"
        aria-label={say('find')}
        placeholder={say('find')}
        // biome-ignore lint/a11y/noAutofocus: it was asked for by its key
        autoFocus
        value={words}
        onChange={({ target }) => {
          setWords(target.value);
          show(0, placesOf(blocks, target.value), target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape') onClose();
        }}
      />
      <span role="status">
        {words.length > 1 &&
          (places.length === 0 ? say('found_none') : say('found', { at: at + 1, total: places.length }))}
      </span>
      <Button kind="quiet" iconOnly aria-label={common('close')} onClick={onClose}>
        <Icon name="close" />
      </Button>
    </search>
  );
}

/** Where words begin, case ignored; the first thousand. */
function placesOf(blocks: readonly Block[], words: string): readonly number[] {
  const wanted = words.toLowerCase();
  if (wanted.length < 2) return [];
  const found: number[] = [];
  for (const { text, start } of blocks) {
    const lower = text.toLowerCase();
    // Letters that are longer in lower case would shift the places behind them: none is better than a wrong one.
    if (lower.length !== text.length) continue;
    for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length)) {
      found.push(start + at);
      if (found.length === MOST) return found;
    }
  }
  return found;
}
