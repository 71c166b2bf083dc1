import type { FastifyBaseLogger, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { z } from 'zod';
import type { Statement, Transaction } from '../database/database.js';
import type { Dependencies } from '../dependencies.js';
import type { GuestAccess } from '../identity/callers.js';
import type { Caller, Identity } from '../identity/identity.js';
import type { Grant, PermissionTable } from '../identity/permissions.js';
import type { ApiErrorCode } from './api-error.js';
import type { CursorCodec } from './cursor.js';
import type { Precondition } from './etag.js';
import type { Language } from './language.js';

/**
 * A route is data: a named operation, its schemas, its permission and a handler of some ten lines. The log, the
 * permission check, the rate limit, the audit log and the API description all speak of it by `operation`.
 * Three kinds, by what the handler receives:
 *
 * - `readRoute`: `read(statement)`, one statement as the caller in one round trip. For `GET`.
 * - `writeRoute`: `transaction`, already open as the caller. Permission, `Idempotency-Key` and the handler run in
 *   it, so that what was made, its audit event and its remembered answer commit together or not at all.
 * - `plainRoute`: neither; for what streams, opens its own transactions or needs no token.
 */
export type Route = ReadRoute | WriteRoute | PlainRoute;

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type Schema = z.ZodType;
type Empty = Readonly<Record<string, never>>;
type Parsed<S extends Schema | undefined> = S extends Schema ? z.output<S> : Empty;

/** What a request names, after validation. */
export interface RouteInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/**
 * Where a permission is looked up. `installation`: the role of the profile. `visible`: whatever the caller may see
 * (only for permissions that every role has; row-level security does the rest). A function: the role in that
 * workspace, given as its id or as a statement that selects `workspace_id` of the named resource; undefined when the
 * request names none: then the role of the profile counts, and the handler looks at each workspace.
 */
export type Within<P, Q, B> =
  | 'installation'
  | 'visible'
  | ((input: RouteInput<P, Q, B>, caller: Caller) => string | Statement | undefined);

/**
 * How far an operation is open to guests, by what they are let into: whether what the request names lies within, decided at
 * once or by a statement, as that guest, which answers a row where it does. What is not said is absent for guests.
 */
export type GuestReach<P, Q> = Partial<
  Record<GuestAccess['scope'], (input: RouteInput<P, Q, never>, access: GuestAccess) => boolean | Statement>
>;

interface Common<P extends Schema | undefined, Q extends Schema | undefined, B extends Schema | undefined> {
  /** Name of the operation, `verbNoun`; unique. */
  readonly operation: string;
  /** Path below `/api/v1`, parameters as `:name`. */
  readonly path: string;
  /** Group in the API description: the first path segment as a title. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Strict object schemas: unknown keys are refused. A route without `query` refuses every query parameter. */
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Status of success; 200 unless told. 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Schema of the answer on success; keys that it does not name are not sent. */
  readonly answer?: Schema;
  /** Bodies of other statuses that the handler sets and that are no errors of the catalogue. */
  readonly otherAnswers?: Readonly<Record<number, Schema>>;
  /**
   * What the handler writes through `reply`, by media type: its schema, or that it is text or bytes. For
   * `text/event-stream` the schema of one event: `{id, event, data}`.
   */
  readonly produces?: Readonly<Record<string, Schema | 'text' | 'bytes'>>;
  /** Media type of the body when it is not JSON. */
  readonly consumes?: 'multipart/form-data';
  /** The handler receives the bytes of the body (`request.body` as a Buffer); `body` only describes them. */
  readonly rawBody?: true;
  readonly examples: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string | number>>;
    readonly body?: unknown;
    readonly answer?: unknown;
  };
  /** Errors beyond those that follow from the rest of the definition. */
  readonly errors?: readonly ApiErrorCode[];
  /** The noun in "No such …" for 404; needed when `within` is a function. */
  readonly resource?: string;
  /** `open` leaves the subscription gate (402) out; without it `BILLING=on` asks for an active subscription. */
  readonly gate?: 'open';
  /**
   * For single resources: the answer carries an `ETag`, `GET` honours `If-None-Match`, `PATCH` and `DELETE` honour
   * `If-Match` (the handler calls `precondition.check`).
   */
  readonly etag?: true;
  /**
   * The answer has sentences of ours, such as those of findings and verdicts: the handler writes them in
   * `context.language`, which is what `Accept-Language` prefers.
   */
  readonly worded?: true;
  /** Counted in a bucket of its own: what a page asks for in numbers while somebody scrolls. */
  readonly picture?: true;
  /** The answer may set the cookie of a browser's session, or take it away. */
  readonly cookie?: true;
  /** Not through an API token, whatever the permission says: sessions, passwords, declarations in one's own name. */
  readonly person?: true;
  /** Fields of the answer that are shown once: null in an answer that is repeated for an `Idempotency-Key`. */
  readonly shownOnce?: readonly string[];
  /** Conditions of the permission table that this handler enforces; one that it does not name fails the start. */
  readonly enforces?: readonly string[];
  /** Rarely needed settings of Fastify, such as `{ sse: true }` or `bodyLimit`. */
  readonly fastify?: Readonly<RouteShorthandOptions & Record<string, unknown>>;
}

interface Guarded<P, Q, B> {
  /** Id in `data/roles.yaml`; a route without an entry there fails the start. */
  readonly permission: string;
  readonly within: Within<P, Q, B>;
  /** What of it is open to guests; without this, nothing. Its permission has to be one that guests hold. */
  readonly guest?: GuestReach<P, Q>;
}

/** What every handler receives. */
export interface Context<P = Empty, Q = Empty, B = Empty> extends RouteInput<P, Q, B> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly dependencies: Dependencies;
  readonly identity: Identity;
  readonly cursors: CursorCodec;
  /** What `data/roles.yaml` says. */
  readonly permissions: PermissionTable;
  /** English where the route is not `worded`. */
  readonly language: Language;
  readonly log: FastifyBaseLogger;
  readonly now: Date;
}

export interface GuardedContext<P = Empty, Q = Empty, B = Empty> extends Context<P, Q, B> {
  readonly caller: Caller;
  /** How the permission was granted: fully, for own objects only, or under a condition that the handler checks. */
  readonly grant: Grant;
  readonly operation: string;
}

export interface ReadContext<P = Empty, Q = Empty, B = Empty> extends GuardedContext<P, Q, B> {
  /** One reading statement as the caller, in one round trip. */
  read<Row>(statement: Statement): Promise<Row[]>;
}

export interface WriteContext<P = Empty, Q = Empty, B = Empty> extends GuardedContext<P, Q, B> {
  /** Open as the caller; committed after the handler returned. */
  readonly transaction: Transaction;
  /** The `If-Match` header; `check` it against the locked row before changing it. */
  readonly precondition: Precondition;
  /** Runs after the commit, before the answer is sent: cache invalidation and the like. */
  afterCommit(work: () => void | Promise<void>): void;
}

interface ReadParts<P, Q> extends Guarded<P, Q, Empty> {
  readonly method: 'GET';
}

interface WriteParts<P, Q, B> extends Guarded<P, Q, B> {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Honours `Idempotency-Key`. Every `POST` that creates says so. */
  readonly idempotent?: true;
}

export interface ReadRoute
  extends Common<Schema | undefined, Schema | undefined, undefined>,
    ReadParts<never, never> {
  readonly kind: 'read';
  readonly handle: (context: never) => Promise<unknown>;
}

export interface WriteRoute
  extends Common<Schema | undefined, Schema | undefined, Schema | undefined>,
    WriteParts<never, never, never> {
  readonly kind: 'write';
  readonly handle: (context: never) => Promise<unknown>;
}

export interface PlainRoute extends Common<Schema | undefined, Schema | undefined, Schema | undefined> {
  readonly kind: 'plain';
  readonly method: Method;
  /** Honours `Idempotency-Key` in its own way. */
  readonly idempotent?: true;
  /** `none`: the route is for everybody and says why. Otherwise as for the other kinds. */
  readonly access:
    | { readonly token: 'none'; readonly because: string }
    | ({ readonly token: 'required' } & Guarded<never, never, never>);
  /** Left out of the rate limit and of HTTPS enforcement: probes of load balancers. */
  readonly probe?: true;
  /** Answered without the version prefix as well. */
  readonly alsoAtRoot?: true;
  readonly handle: (context: never) => Promise<unknown>;
}

/** See `Route`. */
export const readRoute = <P extends Schema | undefined = undefined, Q extends Schema | undefined = undefined>(
  route: Common<P, Q, undefined> &
    ReadParts<Parsed<P>, Parsed<Q>> & {
      readonly handle: (context: ReadContext<Parsed<P>, Parsed<Q>>) => Promise<unknown>;
    },
): ReadRoute => ({ ...route, kind: 'read' });

/** See `Route`. */
export const writeRoute = <
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  route: Common<P, Q, B> &
    WriteParts<Parsed<P>, Parsed<Q>, Parsed<B>> & {
      readonly handle: (context: WriteContext<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<unknown>;
    },
): WriteRoute => ({ ...route, kind: 'write' });

interface PlainParts {
  readonly method: Method;
  readonly idempotent?: true;
  readonly probe?: true;
  readonly alsoAtRoot?: true;
}

/** A route for everybody: no token. See `Route`. */
export const openRoute = <
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  route: Common<P, Q, B> &
    PlainParts & {
      /** Why nobody has to show a token. */
      readonly because: string;
      readonly handle: (context: Context<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<unknown>;
    },
): PlainRoute => ({ ...route, kind: 'plain', access: { token: 'none', because: route.because } });

/** A route with a token whose handler opens its own transactions or streams. See `Route`. */
export const plainRoute = <
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  route: Common<P, Q, B> &
    PlainParts &
    Guarded<Parsed<P>, Parsed<Q>, Parsed<B>> & {
      readonly handle: (context: GuardedContext<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<unknown>;
    },
): PlainRoute => ({
  ...route,
  kind: 'plain',
  access: {
    token: 'required',
    permission: route.permission,
    within: route.within,
    ...(route.guest && { guest: route.guest }),
  },
});

/** The permission and its place, or undefined for a route without a token. */
export function guardOf(route: Route): Guarded<never, never, never> | undefined {
  if (route.kind !== 'plain') return route;
  return route.access.token === 'required' ? route.access : undefined;
}
