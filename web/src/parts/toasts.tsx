import { type ReactNode, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { useCommonWords } from './use-words.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: () => void;
}

const SHOWN_MILLISECONDS = 10_000;
let toasts: readonly Toast[] = [];
let next = 1;
const watchers = new Set<() => void>();
const set = (changed: readonly Toast[]): void => {
  toasts = changed;
  for (const watcher of watchers) watcher();
};

const dismiss = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** Says what was done, for ten seconds, with the way back where there is one. */
export function toast(text: string, undo?: () => void): void {
  const id = next++;
  set([...toasts.slice(-2), { id, text, ...(undo && { undo }) }]);
  setTimeout(() => dismiss(id), SHOWN_MILLISECONDS);
}

/** Takes back what was done last, as the key `z`. False when there is nothing. */
export function undoLast(): boolean {
  const last = toasts.findLast(({ undo }) => undo);
  if (!last) return false;
  dismiss(last.id);
  last.undo?.();
  return true;
}

/** What was said last; `children` is what stays as long as it is under way. */
export function Toasts({ children }: { readonly children?: ReactNode }) {
  const say = useCommonWords();
  const shown = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => toasts,
  );
  return (
    <div className="toasts">
      {children}
      <div className="toasts-said" role="status" aria-live="polite">
        {shown.map(({ id, text, undo }) => (
          <div key={id} className="toast">
            <span>{text}</span>
            {undo && (
              <Button
                onClick={() => {
                  dismiss(id);
                  undo();
                }}
              >
                {say('undo')} <kbd>z</kbd>
              </Button>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
