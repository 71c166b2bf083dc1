import { useRoute } from 'wouter';
import { Button } from '../parts/button.tsx';
import { useFailureWords } from '../parts/states.tsx';
import { number } from '../words/moments.ts';
import { isOver, type ManyChange, putAway, useManyChange, useSteerChange } from './many-changes.ts';
import { usePartsWords } from './use-parts-words.ts';

/** How far a change of very many gaps is, and what came of it, over whatever screen of its workspace is shown. */
export function PartsStrip() {
  const [, inWorkspace] = useRoute('/w/:ws/*?');
  return inWorkspace?.ws ? <Strip workspace={inWorkspace.ws} /> : null;
}

function Strip({ workspace }: { readonly workspace: string }) {
  const say = usePartsWords();
  const failure = useFailureWords();
  const change = useManyChange(workspace);
  const steer = useSteerChange(workspace);
  if (!change) return null;
  const words = isOver(change) ? outcome(say, change) : progress(say, change);
  return (
    <section className="toast parts-strip" aria-label={say('name')}>
      <span role="status">
        {words}
        {steer.error && ` · ${failure(steer.error)}`}
      </span>
      {isOver(change) ? (
        <>
          {change.undoes === null && change.undone_by === null && change.changed > 0 && (
            <Button disabled={steer.isPending} onClick={() => steer.mutate({ id: change.id, act: 'undo' })}>
              {say('undo')}
            </Button>
          )}
          <Button kind="quiet" onClick={() => putAway(change.id)}>
            {say('close')}
          </Button>
        </>
      ) : (
        <>
          <progress value={change.done} max={change.total} aria-label={say('name')} />
          <Button disabled={steer.isPending} onClick={() => steer.mutate({ id: change.id, act: 'stop' })}>
            {say('stop')}
          </Button>
        </>
      )}
    </section>
  );
}

type Say = ReturnType<typeof usePartsWords>;

const progress = (say: Say, { undoes, done, total }: ManyChange): string =>
  say(undoes === null ? 'changing' : 'undoing', {
    done: number(done, say.language),
    total: number(total, say.language),
  });

const outcome = (
  say: Say,
  { status, error, undoes, changed, proposed, refused, refusal }: ManyChange,
): string =>
  [
    ...(status === 'stopped' ? [say('stopped')] : []),
    ...(status === 'failed' ? [say('failed')] : []),
    say.count(undoes === null ? 'done' : 'undone', changed),
    ...(proposed > 0 ? [say.count('proposed', proposed)] : []),
    ...(refused > 0 ? [say.count('not', refused, { why: refusal ?? '' })] : []),
    ...(error !== null ? [error] : []),
  ].join(' · ');
