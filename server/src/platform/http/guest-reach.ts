import type { Database } from '../database/database.js';
import type { Caller } from '../identity/callers.js';
import { guardOf, type Route, type RouteInput } from './route.js';

/**
 * The caller as the guest who may make this request; undefined where they are none, or it is beyond what they are let into.
 * Only reading operations that say so have anything for guests, and nothing is open to them through an API token.
 */
export async function asGuest(
  route: Route,
  {
    caller,
    input,
    database,
  }: {
    readonly caller: Caller;
    readonly input: RouteInput<never, never, never>;
    readonly database: Database;
  },
): Promise<Caller | undefined> {
  const reaches = guardOf(route)?.guest;
  if (!reaches || caller.through || route.method !== 'GET') return undefined;
  for (const access of caller.guestOf) {
    const reach = reaches[access.scope]?.(input, access) ?? false;
    const guest: Caller = { ...caller, guest: access };
    const isWithin = typeof reach === 'boolean' ? reach : (await database.readAs(guest, reach)).length > 0;
    if (isWithin) return guest;
  }
  return undefined;
}
