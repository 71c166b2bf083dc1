import type { Database, Transaction } from '../database/database.js';
import { sql } from '../database/sql.js';
import { type ApiToken, apiTokenKey, findApiToken } from './api-tokens.js';
import {
  externalSessionId,
  insertExternalUser,
  issuerOf,
  noteAddress,
  saysAnotherAddress,
} from './external-users.js';
import { OWN_ISSUER } from './issuers.js';
import type { Role } from './permissions.js';
import { cookieHash } from './session-cookie.js';
import { refused, type VerifiedToken } from './token-verifier.js';

/** The person behind a request. */
export interface Caller {
  readonly userId: string;
  readonly role: Role;
  readonly subscription: { readonly active: boolean; readonly plan: string | null };
  /** The address as it stands now; empty when nobody has named one. */
  readonly email: string;
  readonly emailVerified: boolean;
  /** The row of the session; of an API token, its id. */
  readonly sessionId: string;
  /** What the access token says; for an API token, the same said of it. */
  readonly token: VerifiedToken;
  /** Set when an API token is calling in the user's place. */
  readonly through?: ApiToken;
  /** Set when a browser is calling with the cookie of its session. */
  readonly byCookie?: true;
  /** What the person is let into as a guest. None through an API token. */
  readonly guestOf: readonly GuestAccess[];
  /** Set while an operation reads as this guest. */
  readonly guest?: GuestAccess;
}

/** What a person from outside may read, until when. */
export interface GuestAccess {
  readonly id: string;
  readonly workspaceId: string;
  readonly scope: 'workspace' | 'analysis' | 'report';
  /** The analysis or report; null: the whole workspace. */
  readonly targetId: string | null;
  readonly until: Date;
}

/** Where a request comes from, for the list of sessions. */
export interface Connection {
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Finds the person behind a verified token. */
export interface Callers {
  /** Throws 401 `revoked_session` when the session has ended or the user is gone. */
  find(token: VerifiedToken, connection?: Connection): Promise<Caller>;
  /**
   * The person behind the secret of a cookie. With a `connection` this is a use of the session, which goes on for
   * `SESSION_IDLE_MINUTES` from then, to `SESSION_MAX_HOURS` from its start. Throws 401 `revoked_session`.
   */
  findByCookie(secret: string, connection?: Connection): Promise<Caller>;
  /** The person behind an API token, with its limits. Throws 401 with the reason. */
  findByApiToken(text: string): Promise<Caller>;
  /** Forgets what is remembered of a user, so that a change counts from the next request on. */
  forget(userId: string): void;
  /** Calls back when the database tells that the standing of a user changed; undefined: of anybody, perhaps. */
  whenChanged(callback: (userId: string | undefined) => void): void;
  close(): Promise<void>;
}

interface StandingRow {
  readonly user_id: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly role: Role;
  readonly subscription_status: string;
  readonly subscription_plan: string | null;
  readonly session_open: boolean;
  readonly deactivated: boolean;
  /** The account was made to be a guest. */
  readonly is_guest: boolean;
  readonly guest_of: readonly {
    readonly id: string;
    readonly workspace_id: string;
    readonly scope: GuestAccess['scope'];
    readonly target_id: string | null;
    readonly until: number;
  }[];
}

interface SessionLimits {
  readonly sessionMaxHours: number;
  readonly sessionIdleMinutes: number;
}

interface TokenStanding extends StandingRow {
  readonly name: string;
  readonly apiToken: Awaited<ReturnType<typeof findApiToken>>;
}

/** Channel on which the database tells that a user's role, subscription or session changed. */
const CHANNEL = 'identity_changed';
const REMEMBER_MILLISECONDS = 5_000;
const MAX_REMEMBERED = 10_000;

/**
 * Remembers a person's standing for a few seconds; every change of role, subscription, session or API token is
 * notified by the database to all processes at once, and this process forgets before it answers the request that
 * made the change.
 */
export async function createCallers(
  database: Database,
  clock: () => Date,
  { sessionMaxHours, sessionIdleMinutes }: SessionLimits,
): Promise<Callers> {
  const remembered = new Map<string, { readonly standing: Promise<StandingRow>; readonly until: number }>();
  const keysOf = new Map<string, Set<string>>();
  /** Rises with everything that is forgotten: what was asked before that may be out of date. */
  let forgotten = 0;

  const forget = (userId: string): void => {
    forgotten++;
    for (const key of keysOf.get(userId) ?? []) remembered.delete(key);
    keysOf.delete(userId);
  };
  const forgetAll = (): void => {
    forgotten++;
    remembered.clear();
    keysOf.clear();
  };
  const noteKey = (userId: string, key: string): void => {
    keysOf.set(userId, (keysOf.get(userId) ?? new Set()).add(key));
  };
  const remember = <Row extends StandingRow>(key: string, read: () => Promise<Row>): Promise<Row> => {
    if (remembered.size >= MAX_REMEMBERED) forgetAll();
    const now = clock().getTime();
    const known = remembered.get(key);
    // The kind of standing follows from the key.
    if (known && now < known.until) return known.standing as Promise<Row>;
    const standing = read();
    const entry = { standing, until: now + REMEMBER_MILLISECONDS };
    remembered.set(key, entry);
    standing.catch(() => {
      if (remembered.get(key) === entry) remembered.delete(key);
    });
    return standing;
  };
  /** Whose it is, is not known when it is asked: what was forgotten meanwhile may have been this. */
  const rememberOf = async <Row extends StandingRow>(key: string, read: () => Promise<Row>): Promise<Row> => {
    const before = forgotten;
    const standing = await remember(key, read);
    if (forgotten === before) noteKey(standing.user_id, key);
    else remembered.delete(key);
    return standing;
  };
  const watchers = new Set<(userId: string | undefined) => void>();
  const tell = (userId: string | undefined): void => {
    for (const callback of watchers) callback(userId);
  };
  const listening = await database.listen(
    CHANNEL,
    (userId) => {
      forget(userId);
      tell(userId);
    },
    () => {
      forgetAll();
      tell(undefined);
    },
  );

  return {
    async find(token, connection) {
      const sessionId = token.isOwn ? token.session : externalSessionId(token);
      // What the issuer says of the address is noted at once, also when it says it in the same session.
      const said = token.isOwn ? OWN_ISSUER : [issuerOf(token), token.email, token.emailVerified];
      const key = JSON.stringify([said, token.subject, sessionId]);
      const seen: Seen = { token, sessionId, connection, sessionMaxHours };
      const standing = await rememberOf(key, () =>
        database.asSystem('who is calling', (transaction) =>
          token.isOwn ? readOwn(transaction, seen) : readExternal(transaction, seen),
        ),
      );
      if (standing.deactivated) throw deactivated();
      if (!standing.session_open) throw sessionEnded();
      return { ...personOf(standing, clock()), sessionId, token: endingWithGuest(token, standing, clock()) };
    },
    async findByCookie(secret, connection) {
      const hash = cookieHash(secret);
      if (!hash) throw refused('malformed_token', 'The cookie of the session was cut off or changed.');
      const key = `${connection ? 'used' : 'seen'} cookie ${hash.toString('base64url')}`;
      const limits = { sessionMaxHours, sessionIdleMinutes };
      const standing = await rememberOf(key, () =>
        database.asSystem('whose cookie it is', (transaction) =>
          readCookieStanding(transaction, hash, { connection, limits }),
        ),
      );
      if (standing.deactivated) throw deactivated();
      if (!standing.session_open || standing.expires_at <= clock()) throw sessionEnded();
      return {
        ...personOf(standing, clock()),
        sessionId: standing.session_id,
        token: endingWithGuest(
          {
            issuer: OWN_ISSUER,
            isOwn: true,
            subject: standing.user_id,
            email: standing.email,
            emailVerified: standing.email_verified,
            name: standing.name,
            session: standing.session_id,
            sessionStartedAt: Math.floor(standing.started_at.getTime() / 1000),
            expiresAt: Math.floor(standing.expires_at.getTime() / 1000),
          },
          standing,
          clock(),
        ),
        byCookie: true,
      };
    },
    async findByApiToken(text) {
      const standing = await rememberOf(apiTokenKey(text), () =>
        database.asSystem('whose API token it is', (transaction) => readTokenStanding(transaction, text)),
      );
      const { apiToken, email, name } = standing;
      if (standing.deactivated) throw deactivated();
      if (apiToken.expiresAt <= clock()) throw refused('expired_token', 'This API token has expired.');
      const expiresAt = Math.floor(apiToken.expiresAt.getTime() / 1000);
      return {
        ...personOf(standing, clock()),
        guestOf: [],
        sessionId: apiToken.id,
        token: endingWithGuest(
          {
            issuer: OWN_ISSUER,
            isOwn: true,
            subject: apiToken.userId,
            email,
            emailVerified: false,
            name,
            session: apiToken.id,
            sessionStartedAt: Math.floor(clock().getTime() / 1000),
            expiresAt,
          },
          standing,
          clock(),
        ),
        through: apiToken,
      };
    },
    forget,
    whenChanged: (callback) => {
      watchers.add(callback);
    },
    close: () => listening.stop(),
  };
}

/** Throws 401 for the account of a guest who is let into nothing any more. */
const personOf = (standing: StandingRow, now: Date) => {
  const guestOf = accessesOf(standing, now);
  if (standing.is_guest && guestOf.length === 0) {
    throw refused('revoked_session', 'Your time as a guest has ended.');
  }
  return {
    userId: standing.user_id,
    email: standing.email,
    emailVerified: standing.email_verified,
    role: standing.is_guest ? ('viewer' as const) : standing.role,
    subscription: {
      // What a guest reads is paid for by whoever invited them.
      active: standing.is_guest || standing.subscription_status === 'active',
      plan: standing.subscription_plan,
    },
    guestOf,
  };
};

const accessesOf = ({ guest_of }: StandingRow, now: Date): readonly GuestAccess[] =>
  guest_of
    .filter(({ until }) => until * 1000 > now.getTime())
    .map(({ id, workspace_id, scope, target_id, until }) => ({
      id,
      workspaceId: workspace_id,
      scope,
      targetId: target_id,
      until: new Date(until * 1000),
    }));

/** What streams and sessions go by: the account of a guest ends with the last thing that they may see. */
function endingWithGuest(token: VerifiedToken, standing: StandingRow, now: Date): VerifiedToken {
  if (!standing.is_guest) return token;
  const last = Math.max(...accessesOf(standing, now).map(({ until }) => until.getTime() / 1000));
  return { ...token, expiresAt: Math.min(token.expiresAt, Math.floor(last)) };
}

const sessionEnded = (): Error => refused('revoked_session', 'The session has ended. Sign in again.');

const deactivated = (): Error => refused('revoked_session', 'This account was deactivated.');

const standingColumns = sql`
  p.id as user_id, p.email, p.email_verified, p.role, p.subscription_status, p.subscription_plan,
  p.deactivated_at is not null as deactivated, p.is_guest,
  (select coalesce(json_agg(json_build_object('id', g.id, 'workspace_id', g.workspace_id, 'scope', g.scope,
            'target_id', g.target_id, 'until', extract(epoch from g.expires_at)) order by g.created_at, g.id), '[]')
   from guests g where g.user_id = p.id and g.ended_at is null and g.expires_at > now()) as guest_of`;

async function readTokenStanding(transaction: Transaction, text: string): Promise<TokenStanding> {
  const apiToken = await findApiToken(transaction, text);
  const standing = await transaction.one<Omit<TokenStanding, 'apiToken'>>(sql`
    select ${standingColumns}, p.name, true as session_open from profiles p where p.id = ${apiToken.userId}`);
  return { ...standing, apiToken };
}

interface CookieStanding extends StandingRow {
  readonly name: string;
  readonly session_id: string;
  readonly started_at: Date;
  readonly expires_at: Date;
  readonly is_stale: boolean;
}

async function readCookieStanding(
  transaction: Transaction,
  hash: Buffer,
  { connection, limits }: { readonly connection: Connection | undefined; readonly limits: SessionLimits },
): Promise<CookieStanding> {
  const standing = await transaction.maybeOne<CookieStanding>(sql`
    select ${standingColumns}, p.name, s.id as session_id, s.started_at, s.expires_at,
           s.ended_at is null and s.expires_at > now() as session_open, ${isStale}
    from auth.sessions s join profiles p on p.id = s.user_id
    where s.cookie_hash = ${hash}`);
  if (!standing) throw sessionEnded();
  if (!connection || !standing.session_open || !standing.is_stale) return standing;
  const used = await transaction.one<Pick<CookieStanding, 'expires_at'>>(sql`
    update auth.sessions
    set last_used_at = now(), address = ${connection.address}, user_agent = ${shortened(connection.userAgent)},
        expires_at = greatest(expires_at, least(
          started_at + make_interval(hours => ${limits.sessionMaxHours}),
          now() + make_interval(mins => ${limits.sessionIdleMinutes})))
    where id = ${standing.session_id}
    returning expires_at`);
  return { ...standing, ...used };
}

/** A token as it was shown. */
interface Seen {
  readonly token: VerifiedToken;
  readonly sessionId: string;
  readonly connection: Connection | undefined;
  readonly sessionMaxHours: number;
}

/** A session is told its last use to the minute. */
const isStale = sql`s.last_used_at < now() - interval '1 minute' as is_stale`;

async function readOwn(transaction: Transaction, seen: Seen): Promise<StandingRow> {
  const known = await transaction.maybeOne<StandingRow & { readonly is_stale: boolean | null }>(sql`
    select ${standingColumns}, s.ended_at is null and s.expires_at > now() as session_open, ${isStale}
    from profiles p left join auth.sessions s on s.id::text = ${seen.sessionId} and s.user_id = p.id
    where p.id = ${seen.token.subject}`);
  if (!known) throw refused('revoked_session', 'The account of this session no longer exists.');
  if (known.session_open && known.is_stale) await noteUse(transaction, seen);
  return known;
}

interface ExternalStanding extends StandingRow {
  readonly session_known: boolean;
  readonly is_stale: boolean | null;
}

/** Makes the user and the row of the session when they are seen for the first time. */
async function readExternal(transaction: Transaction, seen: Seen): Promise<StandingRow> {
  const { token } = seen;
  const select = sql`
    select ${standingColumns}, s.ended_at is null as session_open, s.id is not null as session_known,
           ${isStale}
    from auth.users u join profiles p on p.id = u.id
      left join auth.sessions s on s.id = ${seen.sessionId} and s.user_id = u.id
    where u.issuer = ${issuerOf(token)} and u.subject = ${token.subject}`;
  const read = () => transaction.maybeOne<ExternalStanding>(select);
  let known = await read();
  if (!known) {
    await insertExternalUser(transaction, token);
    known = await read();
  } else if (saysAnotherAddress(token, known)) {
    await noteAddress(transaction, known.user_id, token);
    known = await read();
  }
  if (!known) throw new Error('The user of an external token could not be made.');
  if (!known.session_known) {
    await insertSession(transaction, known.user_id, seen);
    return (await read()) ?? known;
  }
  if (known.session_open && known.is_stale) await noteUse(transaction, seen);
  return known;
}

/** A session of an external issuer, seen for the first time; over, when the person has ended all from before. */
const insertSession = (transaction: Transaction, userId: string, seen: Seen): Promise<number> => {
  const startedAt = new Date(seen.token.sessionStartedAt * 1000);
  const expiresAt = new Date(startedAt.getTime() + seen.sessionMaxHours * 3_600_000);
  return transaction.run(sql`
    insert into auth.sessions (id, user_id, started_at, expires_at, token_expires_at, address, user_agent, ended_at)
    select ${seen.sessionId}::uuid, u.id, ${startedAt}::timestamptz, ${expiresAt}::timestamptz,
           ${new Date(seen.token.expiresAt * 1000)}::timestamptz,
           ${seen.connection?.address ?? null}::text, ${shortened(seen.connection?.userAgent)}::text,
           case when u.sessions_ended_at >= ${startedAt}::timestamptz then now() end
    from auth.users u where u.id = ${userId}
    on conflict (id) do nothing`);
};

const noteUse = (transaction: Transaction, { sessionId, connection, token }: Seen): Promise<number> =>
  transaction.run(sql`
    update auth.sessions
    set last_used_at = now(),
        address = coalesce(${connection?.address ?? null}::text, address),
        user_agent = coalesce(${shortened(connection?.userAgent)}::text, user_agent),
        token_expires_at = ${token.isOwn ? sql`token_expires_at` : sql`greatest(token_expires_at, ${new Date(token.expiresAt * 1000)})`}
    where id = ${sessionId}`);

const USER_AGENT_CHARACTERS = 200;

/** What a browser says of itself, as far as it helps to recognise it. */
export const shortened = (userAgent: string | undefined): string | null =>
  userAgent?.replaceAll(/[^ -~]/g, '').slice(0, USER_AGENT_CHARACTERS) || null;
