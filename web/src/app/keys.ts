import { useEffect } from 'react';
import { look } from '../look/look.ts';
import { keyName } from './key-names.ts';

export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    ['TEXTAREA', 'SELECT'].includes(target.tagName) ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)));

const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && ['BUTTON', 'A', 'SUMMARY'].includes(target.tagName);

/** What a field does with them is what is meant there: all of its text is selected, not all of the list. */
const OF_FIELDS: ReadonlySet<string> = new Set(['Mod+a', 'Mod+c', 'Mod+v', 'Mod+x', 'Mod+y', 'Mod+z']);

let beginning: string | undefined;

/**
 * Keys of a screen while it is shown. Single letters never inside fields, and not at all when they are switched off; keys of
 * two letters are told as `g d`. What a focused button does by itself (Enter, Space) is left to it.
 */
export function useKeys(keys: KeyMap): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
      const name = keyName(event);
      if (OF_FIELDS.has(name) && isTyping(event.target)) return;
      const isCommand = name.startsWith('Mod+') || name === 'Escape';
      if (event.altKey || (!isCommand && (isTyping(event.target) || !look().shortcuts))) return;
      if (['Enter', 'Space'].includes(name) && isControl(event.target)) return;
      const action = (beginning && keys[`${beginning} ${name}`]) ?? (beginning ? undefined : keys[name]);
      if (!action) return;
      event.preventDefault();
      action(event);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [keys]);
}

const WAIT_MILLISECONDS = 1200;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The first letter of two: from now on, for a moment, keys are looked for behind it. */
export function beginKeys(letter: string): void {
  clearTimeout(timer);
  // After this event has been seen by everybody.
  queueMicrotask(() => {
    beginning = letter;
  });
  timer = setTimeout(endKeys, WAIT_MILLISECONDS);
  const once = (event: KeyboardEvent): void => {
    if (event.key === letter) return;
    window.removeEventListener('keydown', once);
    queueMicrotask(endKeys);
  };
  window.addEventListener('keydown', once);
}

function endKeys(): void {
  clearTimeout(timer);
  beginning = undefined;
}
