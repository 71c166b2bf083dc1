/** Whether somebody is signed in, in every tab of this browser. */
export type Session = 'unknown' | 'open' | 'none' | 'ended';

let state: Session = 'unknown';
const watchers = new Set<() => void>();
const otherTabs = new BroadcastChannel('normtrace.session');

export const session = (): Session => state;

export function watchSession(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function setSession(next: Session): void {
  if (state === next) return;
  state = next;
  for (const watcher of watchers) watcher();
}

/** Somebody worked and is signed in no more: the page stays, and asks. */
export const sessionEnded = (): void => setSession(state === 'open' || state === 'ended' ? 'ended' : 'none');

export const tellOtherTabs = (what: 'signed-in' | 'signed-out'): void => otherTabs.postMessage(what);

/** Texts that somebody is writing, kept in the tab until they are sent: by this and what they are about. */
export const DRAFTS = 'normtrace.draft.';

/** Nothing that somebody wrote stays after they signed out. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFTS)) sessionStorage.removeItem(key);
}

// Nothing of a person stays on a screen after they signed out, whichever tab they did it in.
otherTabs.addEventListener('message', ({ data }) => {
  if (data === 'signed-out') forgetDrafts();
  location.reload();
});
// A page out of the back/forward cache may be one of somebody who left.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
