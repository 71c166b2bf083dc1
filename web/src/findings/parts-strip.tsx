import { Button } from '../parts/button.tsx';
import { number } from '../words/moments.ts';
import { stopInParts, useAskBeforeLeaving, useInParts } from './change-in-parts.ts';
import { usePartsWords } from './use-parts-words.ts';

/** How far a change of very many gaps is, over whatever screen is shown. */
export function PartsStrip() {
  const say = usePartsWords();
  const now = useInParts();
  useAskBeforeLeaving(now !== undefined);
  if (!now) return null;
  const words = say(now.stage, {
    done: number(now.done, say.language),
    total: number(now.total, say.language),
  });
  return (
    <section className="toast parts-strip" aria-label={say('name')}>
      <span>{words}</span>
      <progress value={now.done} max={now.total} aria-label={words} />
      <Button onClick={stopInParts}>{say('stop')}</Button>
    </section>
  );
}
