import { useEffect, useSyncExternalStore } from 'react';
import { changeLook } from '../look/look.ts';
import { useLook } from '../look/use-look.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import type { Screen } from './screen.ts';
import { useAppWords } from './use-words.ts';

type KeyWords = readonly (readonly [keys: string, words: string])[];
let ofScreen: { readonly title: string; readonly keys: KeyWords } | undefined;
const watchers = new Set<() => void>();

/** What the keys of the screen that is shown do, for the sheet. `keys` stays the same from one rendering to the next. */
export function useTellKeys(title: string, keys: KeyWords): void {
  useEffect(() => {
    const tell = (told: typeof ofScreen): void => {
      ofScreen = told;
      for (const watcher of watchers) watcher();
    };
    tell({ title, keys });
    return () => tell(undefined);
  }, [title, keys]);
}

/** All keys that work here. */
export function KeySheet({
  screens,
  onClose,
}: {
  readonly screens: readonly Screen[];
  readonly onClose: () => void;
}) {
  const say = useAppWords();
  const { language } = useLook();
  const here = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => ofScreen,
  );
  return (
    <Dialog title={say('keys')} onClose={onClose}>
      {here && <KeyTable title={here.title} keys={here.keys} />}
      <KeyTable
        title={say('keys_global')}
        keys={[
          ['Ctrl K', say('key_palette')],
          ['?', say('key_sheet')],
          ['[', say('key_rail')],
          ['Esc', say('key_escape')],
          ...screens.map((screen) => [`g ${screen.rail!.key}`, screen.title[language]] as const),
        ]}
      />
      <Button
        onClick={() => {
          changeLook({ hintsSeen: [] });
          onClose();
        }}
      >
        {say('hints_again')}
      </Button>
    </Dialog>
  );
}

const KeyTable = ({ title, keys }: { readonly title: string; readonly keys: KeyWords }) => (
  <section>
    <h3>{title}</h3>
    <dl className="key-table">
      {keys.map(([key, words]) => (
        <div key={key}>
          <dt>
            {key.split(' ').map((one) => (
              <kbd key={one}>{one}</kbd>
            ))}
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  </section>
);
