import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing } from '../../platform/http/pagination.js';
import type { Role } from '../../platform/identity/permissions.js';
import type { Plan } from '../payments/plans.js';

export interface ProfileRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly organization: string;
  readonly role: Role;
  readonly subscription_status: 'active' | 'inactive';
  readonly subscription_plan: Plan | null;
  readonly created_at: string;
  readonly last_login: string | null;
  readonly email_verified: boolean;
}

export interface UserRow extends ProfileRow {
  readonly deactivated_at: string | null;
  readonly updated_at: string;
}

const profileColumns = sql`
  p.id, p.email, p.email_verified, p.name, p.organization, p.role, p.subscription_status, p.subscription_plan, p.created_at, p.last_login`;
const users = sql`
  select ${profileColumns}, p.deactivated_at, greatest(p.updated_at, u.updated_at) as updated_at
  from profiles p join auth.users u on u.id = p.id`;

export const selectProfile = (id: string): Statement =>
  sql`select ${profileColumns} from profiles p where p.id = ${id}`;

export const lockProfile = (transaction: Transaction, id: string): Promise<ProfileRow> =>
  transaction.one(sql`${selectProfile(id)} for update`);

export const updateProfile = (
  transaction: Transaction,
  profile: { readonly id: string; readonly name: string; readonly organization: string },
): Promise<ProfileRow> =>
  transaction.one(sql`
    update profiles p set name = ${profile.name}, organization = ${profile.organization}
    where p.id = ${profile.id} returning ${profileColumns}`);

// Below: as the system, because nobody may change an own role or subscription, and users are nobody's.

export const selectUsers = (filters: {
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly active?: boolean | undefined;
}): Statement => {
  const pattern = filters.search ? containing(filters.search) : null;
  return sql`${users}
    where (${pattern}::text is null or p.email ilike ${pattern} or p.name ilike ${pattern})
      and (${filters.role ?? null}::text is null or p.role = ${filters.role ?? null})
      and (${filters.active ?? null}::boolean is null or (p.deactivated_at is null) = ${filters.active ?? null}::boolean)`;
};

export const findUser = (transaction: Transaction, id: string): Promise<UserRow | undefined> =>
  transaction.maybeOne(sql`${users} where p.id = ${id}`);

/** Locks the user, and every administrator, so that two changes cannot remove the last two at once. */
export async function lockUser(transaction: Transaction, id: string): Promise<UserRow | undefined> {
  await transaction.many(sql`
    select id from profiles where role = 'admin' or id = ${id} order by id for update`);
  return findUser(transaction, id);
}

export const hasOtherAdmin = async (transaction: Transaction, id: string): Promise<boolean> =>
  (
    await transaction.one<{ found: boolean }>(
      sql`select exists (select from profiles where role = 'admin' and deactivated_at is null and id <> ${id}) as found`,
    )
  ).found;

export async function updateUser(
  transaction: Transaction,
  user: {
    readonly id: string;
    readonly role: Role;
    readonly emailVerified: boolean;
    readonly deactivatedAt: Date | string | null;
  },
): Promise<void> {
  await transaction.run(sql`
    update profiles set role = ${user.role}, deactivated_at = ${user.deactivatedAt}
    where id = ${user.id} and (role, deactivated_at) is distinct from (${user.role}, ${user.deactivatedAt}::timestamptz)`);
  await transaction.run(sql`
    update auth.users set email_verified = ${user.emailVerified}
    where id = ${user.id} and email_verified <> ${user.emailVerified}`);
}

/** The credentials behind an address of the embedded provider. */
export const findCredentials = (
  transaction: Transaction,
  email: string,
): Promise<
  | {
      user_id: string;
      email: string;
      email_verified: boolean;
      name: string;
      deactivated: boolean;
      password_hash: string;
    }
  | undefined
> =>
  transaction.maybeOne(sql`
    select u.id as user_id, u.email, u.email_verified, p.name, p.deactivated_at is not null as deactivated, c.password_hash
    from auth.users u join auth.credentials c on c.user_id = u.id join profiles p on p.id = u.id
    where u.issuer is null and lower(u.email) = lower(${email})`);

export const findPasswordHash = (
  transaction: Transaction,
  userId: string,
): Promise<{ password_hash: string } | undefined> =>
  transaction.maybeOne(sql`select password_hash from auth.credentials where user_id = ${userId}`);

/** Whether nobody has an account yet; whoever else asks waits, as the trigger that makes profiles does. */
export async function isFirstUser(transaction: Transaction): Promise<boolean> {
  await transaction.run(sql`select pg_advisory_xact_lock(hashtext('normtrace first profile'))`);
  const { found } = await transaction.one<{ found: boolean }>(
    sql`select exists (select from profiles) as found`,
  );
  return !found;
}

/** Notes that the address is the user's; one that differs becomes theirs. Answers whether that is new. */
export const verifyAddress = async (
  transaction: Transaction,
  user: { readonly id: string; readonly email: string },
): Promise<boolean> =>
  (await transaction.run(sql`
    update auth.users
    set email = case when lower(email) = lower(${user.email}) then email else ${user.email} end, email_verified = true
    where id = ${user.id} and not (email_verified and lower(email) = lower(${user.email}))`)) > 0;

/** The user with what only the system knows of them. */
export const findAccount = (
  transaction: Transaction,
  id: string,
): Promise<{ email: string; email_verified: boolean; issuer: string | null; name: string } | undefined> =>
  transaction.maybeOne(sql`select email, email_verified, issuer, name from auth.users where id = ${id}`);

/** The profile follows by the trigger of the table. */
export async function insertUser(
  transaction: Transaction,
  user: {
    readonly email: string;
    readonly emailVerified: boolean;
    readonly name: string;
    readonly organization: string;
    readonly passwordHash: string;
  },
): Promise<string> {
  const { id } = await transaction.one<{ id: string }>(sql`
    insert into auth.users (email, email_verified, name, organization)
    values (${user.email}, ${user.emailVerified}, ${user.name}, ${user.organization})
    returning id`);
  await transaction.run(sql`
    insert into auth.credentials (user_id, password_hash) values (${id}, ${user.passwordHash})`);
  return id;
}

export const updatePasswordHash = (
  transaction: Transaction,
  userId: string,
  passwordHash: string,
): Promise<number> =>
  transaction.run(sql`update auth.credentials set password_hash = ${passwordHash} where user_id = ${userId}`);

export const touchLastLogin = (transaction: Transaction, userId: string, now: Date): Promise<number> =>
  transaction.run(sql`update profiles set last_login = ${now} where id = ${userId}`);

export const activate = (transaction: Transaction, userId: string, plan: Plan): Promise<number> =>
  transaction.run(sql`
    update profiles set subscription_status = 'active', subscription_plan = ${plan} where id = ${userId}`);

/** Whether an account was made to be a guest who is let into nothing any more. */
export const isPastGuest = async (transaction: Transaction, userId: string, now: Date): Promise<boolean> =>
  (
    await transaction.one<{ past: boolean }>(sql`
      select is_guest and not exists (
        select from guests g where g.user_id = p.id and g.ended_at is null and g.expires_at > ${now}) as past
      from profiles p where p.id = ${userId}`)
  ).past;
