import type { Api } from '../api/client.ts';

/** What somebody chose for how the application looks on this machine. */
export type Language = 'en' | 'de';
export type Theme = 'system' | 'light' | 'dark' | 'contrast';
export type Density = 'comfortable' | 'compact';
export interface Look {
  readonly language: Language;
  readonly theme: Theme;
  readonly shortcuts: boolean;
  readonly railIsNarrow: boolean;
  /** How close rows of lists stand. */
  readonly density: Density;
  /** Of moments, as the IANA database calls it; null: that of the browser. */
  readonly timeZone: string | null;
  /** What the application opens with. */
  readonly startPage: Api['Preferences']['start_page'];
}

const NAME = 'normtrace.look';
const watchers = new Set<() => void>();

let current: Look = {
  language: document.documentElement.lang === 'de' ? 'de' : 'en',
  theme: 'system',
  shortcuts: true,
  railIsNarrow: false,
  density: 'comfortable',
  timeZone: null,
  startPage: 'start',
  ...kept(),
};

function kept(): Partial<Look> {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<Look>;
  } catch {
    return {};
  }
}

export const look = (): Look => current;

export function watchLook(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Changes it here and keeps it for the next visit, where the browser lets us. */
export function changeLook(change: Partial<Look>): void {
  current = { ...current, ...change };
  const root = document.documentElement;
  root.lang = current.language;
  if (current.theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = current.theme;
  try {
    localStorage.setItem(NAME, JSON.stringify(current));
  } catch {
    // Forbidden storage: it holds until the page is left.
  }
  for (const watcher of watchers) watcher();
}
