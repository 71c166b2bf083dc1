import { errorMonitor } from 'node:events';
import { Readable } from 'node:stream';
import { ApiError } from '../http/api-error.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Storage } from './storage.js';

/** The same storage, counting what fails. What a caller did wrong (`ApiError`) is no failure of the storage. */
export function countStorageErrors<Kind extends Storage>(storage: Kind, metrics: Metrics): Kind {
  const { within, ...others } = storage;
  return {
    ...counting(others, metrics),
    within: (workspaceId: string) => counting(within(workspaceId), metrics),
  } as Kind;
}

function counting<Actions extends object>(actions: Actions, metrics: Metrics): Actions {
  const one = ([action, work]: [string, (...given: unknown[]) => Promise<unknown>]) => {
    const count = (error: unknown): void => {
      if (!(error instanceof ApiError)) metrics.count('storageErrors', { action });
    };
    const counted = async (...given: unknown[]): Promise<unknown> => {
      try {
        const result = await work(...given);
        // Seen in passing: whoever reads has to deal with it all the same.
        return result instanceof Readable ? result.on(errorMonitor, count) : result;
      } catch (error) {
        count(error);
        throw error;
      }
    };
    return [action, counted];
  };
  return Object.fromEntries(Object.entries(actions).map(one)) as Actions;
}
