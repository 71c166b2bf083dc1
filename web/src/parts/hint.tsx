import { useEffect } from 'react';
import { changeLook, look } from '../look/look.ts';
import { useLook } from '../look/use-look.ts';
import { Button } from './button.tsx';
import { useCommonWords } from './use-words.ts';
import './parts.css';

/** In the order in which they are met. */
export type HintName = 'search' | 'peek' | 'place' | 'status' | 'compare';

const WITH_KEYS = ['search', 'peek', 'status'] as const;
const isWithKeys = (name: HintName): name is (typeof WITH_KEYS)[number] =>
  (WITH_KEYS as readonly HintName[]).includes(name);

/** So long it stood there when it counts as seen without having been put away. */
const SEEN_MILLISECONDS = 8000;

function putAway(name: HintName): void {
  const { hintsSeen } = look();
  if (hintsSeen && !hintsSeen.includes(name)) changeLook({ hintsSeen: [...hintsSeen, name] });
}

/** What can be done here, said once: until it is put away, or left after it could be read. */
export function Hint({
  name,
  after,
}: {
  readonly name: HintName;
  /** Said before this one: two at once are too many. */
  readonly after?: HintName;
}) {
  const { hintsSeen } = useLook();
  const isDue = hintsSeen !== undefined && !hintsSeen.includes(name) && (!after || hintsSeen.includes(after));
  return isDue ? <Shown name={name} /> : null;
}

function Shown({ name }: { readonly name: HintName }) {
  const say = useCommonWords();
  const { shortcuts } = useLook();
  useEffect(() => {
    const since = Date.now();
    return () => {
      if (Date.now() - since >= SEEN_MILLISECONDS) putAway(name);
    };
  }, [name]);
  return (
    <div className="notice hint-once" role="note">
      <span className="notice-text">
        {say(`hint_${name}`)}{' '}
        {shortcuts && isWithKeys(name) && <span className="hint-keys">{say(`hint_${name}_keys`)}</span>}
      </span>
      <Button kind="quiet" onClick={() => putAway(name)}>
        {say('hint_seen')}
      </Button>
    </div>
  );
}
