import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';

/** Kinds of events of a workspace; `resumed` is ours: a stream was silent for a while, anything may have changed. */
const KINDS = [
  'progress',
  'finding',
  'completed',
  'failed',
  'cancelled',
  'document',
  'traceability',
  'gaps_changed',
  'comments_changed',
  'report',
  'report_progress',
  'checklist_answer',
  'link',
  'member',
  'export',
  'standard',
  'resumed',
] as const;
type Kind = (typeof KINDS)[number];

export interface WorkspaceEvent {
  readonly kind: Kind;
  readonly data: Readonly<Record<string, unknown>>;
}

type Listener = (event: WorkspaceEvent) => void;

const listeners = new Set<Listener>();
const BACK_OFF = [1000, 2000, 5000, 15_000];

let connected = true;
const watchers = new Set<() => void>();
const setConnected = (next: boolean): void => {
  if (next === connected) return;
  connected = next;
  for (const watcher of watchers) watcher();
};

/** Whether what happens elsewhere arrives here. */
export const useConnected = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => connected,
  );

/** Calls `listener` for every event of the workspace that is open. */
export function useWorkspaceEvents(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listener]);
}

/**
 * One stream for all tabs: a browser opens six connections to a host, and every stream keeps one. The tab that holds the lock
 * listens and tells the others.
 */
export function useWorkspaceStream(workspace: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(`normtrace.events.${workspace}`);
    const stopping = new AbortController();
    const receive = (event: WorkspaceEvent): void => {
      refresh(client, workspace, event);
      for (const listener of listeners) listener(event);
    };
    channel.addEventListener('message', ({ data }) => receive(data as WorkspaceEvent));
    const lead = (): Promise<void> =>
      listen(workspace, stopping.signal, (event) => {
        receive(event);
        channel.postMessage(event);
      });
    // Without locks (plain HTTP under a host name) every tab listens for itself.
    const led = navigator.locks
      ? navigator.locks.request(`normtrace.events.${workspace}`, { signal: stopping.signal }, lead)
      : lead();
    led.catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
    return () => {
      stopping.abort();
      channel.close();
    };
  }, [client, workspace]);
}

/** Until the signal: connects again after an error, later each time, and asks for everything once after a silence. */
async function listen(workspace: string, signal: AbortSignal, receive: Listener): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const source = new EventSource(`/api/v1/workspaces/${workspace}/events`);
    const closed = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      source.addEventListener('open', () => {
        if (failures > 0) receive({ kind: 'resumed', data: {} });
        failures = 0;
        setConnected(true);
      });
      source.onerror = () => {
        // The browser itself resumes with `Last-Event-ID`, unless it was refused.
        setConnected(false);
        failures += 1;
        if (source.readyState === EventSource.CLOSED) resolve();
      };
    });
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => {
        if (event instanceof MessageEvent && typeof event.data === 'string') {
          receive({ kind, data: JSON.parse(event.data) as Record<string, unknown> });
        }
      });
    }
    await closed;
    source.close();
    if (signal.aborted) return;
    const wait = BACK_OFF[Math.min(failures - 1, BACK_OFF.length - 1)]! * (0.75 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** What was read and may be another one now, by the first part of its key; the second is the workspace. */
const STALE: Readonly<Record<Kind, readonly string[]>> = {
  progress: [],
  finding: [],
  completed: ['runs', 'overview', 'gaps', 'documents', 'marks', 'standards', 'trace', 'checklists'],
  failed: ['runs'],
  cancelled: ['runs'],
  document: ['documents', 'overview', 'standards'],
  traceability: ['trace'],
  gaps_changed: ['gaps', 'gap', 'overview', 'marks'],
  comments_changed: ['comments', 'gap', 'gaps'],
  report: ['reports'],
  report_progress: [],
  checklist_answer: ['checklists', 'gaps', 'gap', 'overview'],
  link: ['trace'],
  member: ['members', 'invitations', 'permissions'],
  export: ['archives'],
  standard: ['standards', 'overview'],
  resumed: [
    'comments',
    'runs',
    'overview',
    'gaps',
    'gap',
    'documents',
    'marks',
    'standards',
    'trace',
    'checklists',
    'reports',
    'members',
    'invitations',
    'permissions',
    'archives',
  ],
};
const GATHER_MILLISECONDS = 400;
const waiting = new Set<string>();

/** Many events come at once: what they are about is asked for once. */
function refresh(client: QueryClient, workspace: string, { kind }: WorkspaceEvent): void {
  const isFirst = waiting.size === 0;
  for (const what of STALE[kind]) waiting.add(what);
  if (!isFirst || waiting.size === 0) return;
  setTimeout(() => {
    for (const what of waiting) void client.invalidateQueries({ queryKey: [what, workspace] });
    waiting.clear();
  }, GATHER_MILLISECONDS);
}
