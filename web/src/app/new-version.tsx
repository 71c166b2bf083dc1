import { useCallback, useState } from 'react';
import { useWorkspaceEvents, type WorkspaceEvent } from '../api/stream.ts';
import { Button } from '../parts/button.tsx';
import { useAppWords } from './use-words.ts';

/** A part of the application could not be fetched: another version has taken its place, or the service is gone. */
export class NotLoaded extends Error {}

/** Fetches a part of the application; throws `NotLoaded` where it is not there. */
export async function part<Part>(fetched: Promise<Part>): Promise<Part> {
  return fetched.catch((cause: unknown) => {
    throw new NotLoaded('A part of the application could not be fetched.', { cause });
  });
}

/** Whether the service hands out another application than the one that is open here. */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector('script[type="module"]')?.getAttribute('src');
  const answer = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } });
  if (!answer.ok || !own) return false;
  return !(await answer.text()).includes(`"${own}"`);
}

/** Tells, when the service was away for a while, that there is a new version now. It is loaded when it suits. */
export function NewVersion() {
  const say = useAppWords();
  const [is, set] = useState(false);
  useWorkspaceEvents(
    useCallback(({ kind }: WorkspaceEvent) => {
      // A service that went away again says so by itself.
      if (kind === 'resumed') isOutdated().then(set, () => undefined);
    }, []),
  );
  if (!is) return null;
  return (
    <span className="not-connected" role="status">
      <Button title={say('new_version_text')} onClick={() => location.reload()}>
        {say('new_version')}
      </Button>
    </span>
  );
}
