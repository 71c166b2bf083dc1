import type { Database } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { Role } from './permissions.js';
import { refused, type VerifiedToken } from './token-verifier.js';

/** The person behind a request. */
export interface Caller {
  readonly userId: string;
  readonly role: Role;
  readonly subscription: { readonly active: boolean; readonly plan: string | null };
  readonly token: VerifiedToken;
}

/** Finds the person behind a verified token. */
export interface Callers {
  /** Throws 401 `revoked_session` when the session has ended or the user is gone. */
  find(token: VerifiedToken): Promise<Caller>;
  /** Forgets what is remembered of a user, so that a change counts from the next request on. */
  forget(userId: string): void;
  close(): Promise<void>;
}

interface StandingRow {
  readonly role: Role;
  readonly subscription_status: string;
  readonly subscription_plan: string | null;
  readonly session_open: boolean;
}

/** Channel on which the database tells that a user's role, subscription or session changed. */
const CHANNEL = 'identity_changed';
const REMEMBER_MILLISECONDS = 5_000;
const MAX_REMEMBERED = 10_000;

/**
 * Remembers a person's standing for a few seconds; every change of role, subscription or session is notified by the
 * database to all processes at once, and this process forgets before it answers the request that made the change.
 */
export async function createCallers(database: Database, clock: () => Date): Promise<Callers> {
  const remembered = new Map<string, { readonly standing: Promise<StandingRow>; readonly until: number }>();
  const keysOf = new Map<string, Set<string>>();

  const forget = (userId: string): void => {
    for (const key of keysOf.get(userId) ?? []) remembered.delete(key);
    keysOf.delete(userId);
  };
  const forgetAll = (): void => {
    remembered.clear();
    keysOf.clear();
  };
  const remember = (token: VerifiedToken): Promise<StandingRow> => {
    if (remembered.size >= MAX_REMEMBERED) forgetAll();
    const key = `${token.subject} ${token.isOwn ? token.session : ''}`;
    const now = clock().getTime();
    const known = remembered.get(key);
    if (known && now < known.until) return known.standing;
    const standing = readStanding(database, token);
    const entry = { standing, until: now + REMEMBER_MILLISECONDS };
    remembered.set(key, entry);
    keysOf.set(token.subject, (keysOf.get(token.subject) ?? new Set()).add(key));
    standing.catch(() => {
      if (remembered.get(key) === entry) remembered.delete(key);
    });
    return standing;
  };
  const listening = await database.listen(CHANNEL, forget, forgetAll);

  return {
    async find(token) {
      const standing = await remember(token);
      if (!standing.session_open) {
        throw refused('revoked_session', 'The session has ended. Sign in again.');
      }
      return {
        userId: token.subject,
        role: standing.role,
        subscription: {
          active: standing.subscription_status === 'active',
          plan: standing.subscription_plan,
        },
        token,
      };
    },
    forget,
    close: () => listening.stop(),
  };
}

async function readStanding(database: Database, token: VerifiedToken): Promise<StandingRow> {
  return database.asSystem('who is calling', async (transaction) => {
    const select = sql`
      select p.role, p.subscription_status, p.subscription_plan,
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
