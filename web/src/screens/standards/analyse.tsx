import { useState } from 'react';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { NewRun } from '../runs/new-run.tsx';
import { useWords } from './use-words.ts';

/** Asks what only a person knows, and starts a gap analysis over all documents that have been read. */
export function Analyse({ workspace, standard }: { readonly workspace: string; readonly standard: string }) {
  const say = useWords();
  const [isAsked, ask] = useState(false);
  return (
    <>
      <Button onClick={() => ask(true)}>
        <Icon name="runs" /> {say('analyse')}
      </Button>
      {isAsked && <NewRun workspace={workspace} standard={standard} onClose={() => ask(false)} />}
    </>
  );
}
