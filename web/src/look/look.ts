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
  /** Widths that panels were drawn to, in pixels; the others are as wide as their style says. */
  readonly panels: Readonly<Record<string, number>>;
  /** Hints that were seen or put away; undefined until the account tells. */
  readonly hintsSeen?: readonly string[] | undefined;
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
  panels: {},
  ...kept(),
  hintsSeen: undefined,
};
for (const [panel, width] of Object.entries(current.panels)) showPanel(panel, width);

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
  for (const panel of Object.keys(current.panels)) showPanel(panel, undefined);
  current = { ...current, ...change };
  for (const [panel, width] of Object.entries(current.panels)) showPanel(panel, width);
  const root = document.documentElement;
  root.lang = current.language;
  if (current.theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = current.theme;
  root.dataset.density = current.density;
  try {
    // What another tab chose meanwhile stays.
    localStorage.setItem(NAME, JSON.stringify({ ...kept(), ...change }));
  } catch {
    // Forbidden storage: it holds until the page is left.
  }
  for (const watcher of watchers) watcher();
}

/** Draws a panel as wide as this, in pixels, without keeping it; undefined: as its style says. */
export function showPanel(panel: string, width: number | undefined): void {
  const { style } = document.documentElement;
  const name = `--panel-${panel.replaceAll('.', '-')}`;
  if (width === undefined) style.removeProperty(name);
  else style.setProperty(name, `${width}px`);
}
