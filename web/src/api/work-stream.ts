import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const BACK_OFF = [1000, 2000, 5000, 15_000];
/** What may be another one when something happened in any workspace, by the first part of its key. */
const STALE = ['work', 'workspaces'];

/**
 * Asks again for what waits for a person as soon as something happens in any of their workspaces, for as long as the page is
 * seen: a tab in the background keeps no connection. Answers whether the stream is there.
 */
export function useWorkEvents(): boolean {
  const client = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    let source: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const refresh = (): void => {
      for (const what of STALE) void client.invalidateQueries({ queryKey: [what] });
    };
    const stop = (): void => {
      clearTimeout(again);
      source?.close();
      source = undefined;
      setLive(false);
    };
    const start = (): void => {
      if (source || globalThis.document.hidden) return;
      const stream = new EventSource('/api/v1/me/events');
      source = stream;
      stream.addEventListener('open', () => {
        if (failures > 0) refresh();
        failures = 0;
        setLive(true);
      });
      stream.addEventListener('work_changed', refresh);
      stream.onerror = () => {
        setLive(false);
        failures += 1;
        // The browser itself resumes with `Last-Event-ID`, unless it was refused.
        if (stream.readyState !== EventSource.CLOSED) return;
        source = undefined;
        again = setTimeout(start, BACK_OFF[Math.min(failures - 1, BACK_OFF.length - 1)]);
      };
    };
    const onSight = (): void => {
      if (globalThis.document.hidden) {
        stop();
        return;
      }
      refresh();
      start();
    };
    start();
    globalThis.document.addEventListener('visibilitychange', onSight);
    return () => {
      globalThis.document.removeEventListener('visibilitychange', onSight);
      stop();
    };
  }, [client]);
  return isLive;
}
