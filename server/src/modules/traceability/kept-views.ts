import { bytesOf, type PackedRows } from './packed-rows.js';
import type { StoredExtraction } from './trace.repository.js';

/** What is kept of a view: its rows, and little beside them. */
export interface TraceView {
  readonly rows: PackedRows;
  /** Of the trace that it was made of. */
  readonly extraction: StoredExtraction | null;
  /** What it takes beside its rows. */
  readonly bytes?: number;
}

/** Of a trace; 0 where nothing was ever extracted or added. */
export const revisionOf = (extraction: StoredExtraction | null): number => extraction?.revision ?? 0;

/** Which view it is: of one state of the trace of a workspace. */
export interface ViewKey {
  readonly workspaceId: string;
  readonly revision: number;
  /** Kind and options. */
  readonly what: unknown;
}

/**
 * Views of traces that were computed, for the next page. Whoever asks has read the revision of the trace in a scope of
 * their own before: nothing is answered from here to who does not see the workspace.
 */
export interface KeptViews {
  /**
   * The view as it was kept, or made now, maybe of a later revision; who asks for the same at the same time waits for the
   * same.
   */
  get<View extends TraceView>(key: ViewKey, make: () => Promise<View>): Promise<View>;
  close(): void;
}

/** Compressed: some twenty matrices of 40 000 rows. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Nobody leafs any more. */
const IDLE_MILLISECONDS = 10 * 60_000;

interface Entry {
  readonly view: TraceView;
  readonly bytes: number;
  readonly workspaceId: string;
  readonly revision: number;
  readonly timer: NodeJS.Timeout;
}

export function keepViews(mostBytes = MOST_BYTES): KeptViews {
  /** The least recently used first. */
  const entries = new Map<string, Entry>();
  const coming = new Map<string, Promise<TraceView>>();
  let taken = 0;

  const drop = (name: string): void => {
    const entry = entries.get(name);
    if (!entry) return;
    clearTimeout(entry.timer);
    entries.delete(name);
    taken -= entry.bytes;
  };
  const keep = ({ workspaceId, revision, what }: ViewKey, view: TraceView): void => {
    const name = nameOf({ workspaceId, revision, what });
    drop(name);
    for (const [other, entry] of entries) {
      if (entry.workspaceId === workspaceId && entry.revision < revision) drop(other);
    }
    const bytes = bytesOf(view.rows) + (view.bytes ?? 0);
    if (bytes > mostBytes) return;
    for (const [oldest] of entries) {
      if (taken + bytes <= mostBytes) break;
      drop(oldest);
    }
    const timer = setTimeout(() => drop(name), IDLE_MILLISECONDS).unref();
    entries.set(name, { view, bytes, workspaceId, revision, timer });
    taken += bytes;
  };

  return {
    async get<View extends TraceView>(key: ViewKey, make: () => Promise<View>): Promise<View> {
      const name = nameOf(key);
      const entry = entries.get(name);
      if (entry) {
        entries.delete(name);
        entries.set(name, entry);
        entry.timer.refresh();
        return entry.view as View;
      }
      const known = coming.get(name);
      if (known) return (await known) as View;
      const made = make().then((view) => {
        keep({ ...key, revision: revisionOf(view.extraction) }, view);
        return view;
      });
      coming.set(name, made);
      try {
        return await made;
      } finally {
        coming.delete(name);
      }
    },
    close: () => {
      for (const name of [...entries.keys()]) drop(name);
    },
  };
}

const nameOf = ({ workspaceId, revision, what }: ViewKey): string =>
  JSON.stringify([workspaceId, revision, what]);
