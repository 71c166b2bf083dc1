import type { Client } from '../test-app.js';
import type { TestDatabase } from '../test-database.js';

/** Everybody that a case can speak as: a member with this role, or the owner of the workspace. */
export const ACTORS = ['viewer', 'engineer', 'manager', 'admin', 'owner'] as const;
export type Actor = (typeof ACTORS)[number];

/** A workspace with a member of every role. */
export interface Place {
  readonly workspaceId: string;
  /** Owner of this workspace. */
  readonly owner: Client;
  readonly members: Readonly<Record<Actor, Client>>;
}

export interface World {
  readonly database: TestDatabase;
  /** An account that belongs to no workspace, new at every call. */
  newPerson(): Promise<{ readonly userId: string; readonly email: string }>;
}

/** What goes into a request. Every id in it belongs to the place. */
export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** For lists over all workspaces of the caller: an id that nobody outside the place may see in the answer. */
  readonly marker?: string;
}

/** One row per operation; an operation without a row fails the test. */
export type IsolationRow = { readonly operation: string } & (
  | {
      /** About a workspace or something in it: own, other's and absent ids are tried with every role. */
      readonly about: 'workspace';
      /** Makes what the request is about, fresh, and says the request. */
      prepare(world: World, place: Place): Promise<RequestParts>;
      /**
       * What is answered where the permission table leaves it to the handler (own objects, conditions), by actor.
       * An entry for a plain `allowed` or `denied` is an error of the row.
       */
      readonly decided?: Partial<Record<Actor, number>>;
      /** Status on success where it differs from that of the route. */
      readonly succeeds?: number;
    }
  | {
      /** A list over everything that the caller may see: other's things are not in it. */
      readonly about: 'visible';
      prepare(world: World, place: Place): Promise<RequestParts & { readonly marker: string }>;
    }
  | {
      /** About the installation or the caller: tried with every role of a profile. */
      readonly about: 'installation';
      prepare(world: World): Promise<RequestParts>;
      /** Status on success where it differs from that of the route. */
      readonly succeeds?: number;
    }
  | {
      /** No token needed. */
      readonly about: 'nobody';
    }
);
