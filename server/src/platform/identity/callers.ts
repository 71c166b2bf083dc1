import type { Database, Transaction } from '../database/database.js';
import { sql } from '../database/sql.js';
import { type ApiToken, apiTokenKey, findApiToken } from './api-tokens.js';
import { OWN_ISSUER } from './issuers.js';
import type { Role } from './permissions.js';
import { refused, type VerifiedToken } from './token-verifier.js';

/** The person behind a request. */
export interface Caller {
  readonly userId: string;
  readonly role: Role;
  readonly subscription: { readonly active: boolean; readonly plan: string | null };
  /** What the access token says; for an API token, the same said of it. */
  readonly token: VerifiedToken;
  /** Set when an API token is calling in the user's place. */
  readonly through?: ApiToken;
}

/** Finds the person behind a verified token. */
export interface Callers {
  /** Throws 401 `revoked_session` when the session has ended or the user is gone. */
  find(token: VerifiedToken): Promise<Caller>;
  /** The person behind an API token, with its limits. Throws 401 with the reason. */
  findByApiToken(text: string): Promise<Caller>;
  /** Forgets what is remembered of a user, so that a change counts from the next request on. */
  forget(userId: string): void;
  /** Calls back when the database tells that the standing of a user changed; undefined: of anybody, perhaps. */
  whenChanged(callback: (userId: string | undefined) => void): void;
  close(): Promise<void>;
}

interface StandingRow {
  readonly role: Role;
  readonly subscription_status: string;
  readonly subscription_plan: string | null;
  readonly session_open: boolean;
  readonly deactivated: boolean;
}

interface TokenStanding extends StandingRow {
  readonly email: string;
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
export async function createCallers(database: Database, clock: () => Date): Promise<Callers> {
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
    async find(token) {
      const key = `${token.subject} ${token.isOwn ? token.session : ''}`;
      noteKey(token.subject, key);
      const standing = await remember(key, () => readStanding(database, token));
      if (standing.deactivated) throw deactivated();
      if (!standing.session_open) {
        throw refused('revoked_session', 'The session has ended. Sign in again.');
      }
      return { ...personOf(token.subject, standing), token };
    },
    async findByApiToken(text) {
      const key = apiTokenKey(text);
      const before = forgotten;
      const standing = await remember(key, () =>
        database.asSystem('whose API token it is', (transaction) => readTokenStanding(transaction, text)),
      );
      const { apiToken, email, name } = standing;
      // Whose it is was not known when it was asked: what was forgotten meanwhile may have been this.
      if (forgotten === before) noteKey(apiToken.userId, key);
      else remembered.delete(key);
      if (standing.deactivated) throw deactivated();
      if (apiToken.expiresAt <= clock()) throw refused('expired_token', 'This API token has expired.');
      const expiresAt = Math.floor(apiToken.expiresAt.getTime() / 1000);
      return {
        ...personOf(apiToken.userId, standing),
        token: {
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

const personOf = (userId: string, standing: StandingRow) => ({
  userId,
  role: standing.role,
  subscription: {
    active: standing.subscription_status === 'active',
    plan: standing.subscription_plan,
  },
});

const deactivated = (): Error => refused('revoked_session', 'This account was deactivated.');

const standingColumns = sql`
  p.role, p.subscription_status, p.subscription_plan, p.deactivated_at is not null as deactivated`;

async function readTokenStanding(transaction: Transaction, text: string): Promise<TokenStanding> {
  const apiToken = await findApiToken(transaction, text);
  const standing = await transaction.one<Omit<TokenStanding, 'apiToken'>>(sql`
    select ${standingColumns}, p.email, p.name, true as session_open from profiles p where p.id = ${apiToken.userId}`);
  return { ...standing, apiToken };
}

async function readStanding(database: Database, token: VerifiedToken): Promise<StandingRow> {
  return database.asSystem('who is calling', async (transaction) => {
    const select = sql`
      select ${standingColumns},
             ${!token.isOwn} or exists (
               select from auth.sessions s
               where s.id::text = ${token.session} and s.user_id = p.id
                 and s.ended_at is null and s.expires_at > now()
             ) as session_open
      from profiles p where p.id = ${token.subject}`;
    const known = await transaction.maybeOne<StandingRow>(select);
    if (known) return known;
    if (token.isOwn) throw refused('revoked_session', 'The account of this session no longer exists.');
    await transaction.run(sql`
      insert into auth.users (id, email, email_verified, name, issuer)
      values (${token.subject}, ${token.email}, ${token.emailVerified}, ${token.name}, ${token.issuer ?? 'external'})
      on conflict (id) do nothing`);
    return transaction.one<StandingRow>(select);
  });
}
