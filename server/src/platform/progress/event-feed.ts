import type { Database } from '../database/database.js';

/** Tells streams that there is something new. One listening connection for a process, however many streams. */
export interface EventFeed {
  /** Calls back after every event of the analysis or workspace with this id. Returns how to end it. */
  subscribe(topic: string, wake: () => void): () => void;
  close(): Promise<void>;
}

/** Where `app.add_event` notifies; the payload is the ids of the workspace and, if any, of the analysis. */
const CHANNEL = 'normtrace_events';

export async function createEventFeed(database: Pick<Database, 'listen'>): Promise<EventFeed> {
  const topics = new Map<string, Set<() => void>>();
  const wakeAll = (topic: string): void => {
    for (const wake of topics.get(topic) ?? []) wake();
  };
  const listening = await database.listen(
    CHANNEL,
    (payload) => {
      for (const topic of payload.split(' ')) wakeAll(topic);
    },
    // What was notified while the connection was down is lost: everybody reads again.
    () => {
      for (const topic of topics.keys()) wakeAll(topic);
    },
  );
  return {
    subscribe(topic, wake) {
      const wakes = topics.get(topic) ?? new Set();
      topics.set(topic, wakes.add(wake));
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0 && topics.get(topic) === wakes) topics.delete(topic);
      };
    },
    close: () => listening.stop(),
  };
}
