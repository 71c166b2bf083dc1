import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Language } from '../../platform/mail/mail-texts.js';

// Everything here runs as the system.

export interface MailRow {
  readonly id: string;
  readonly kind: 'verify_address' | 'reset_password';
  readonly language: Language;
  readonly email: string;
  readonly user_id: string | null;
}

export const insertMail = async (
  transaction: Transaction,
  mail: {
    readonly kind: MailRow['kind'];
    readonly language: Language;
    readonly email: string;
    readonly userId?: string;
  },
): Promise<string> =>
  (
    await transaction.one<{ id: string }>(sql`
      insert into auth.mails (kind, language, email, user_id)
      values (${mail.kind}, ${mail.language}, ${mail.email}, ${mail.userId ?? null}) returning id`)
  ).id;

export const findUnfinishedMail = (transaction: Transaction, id: string): Promise<MailRow | undefined> =>
  transaction.maybeOne(sql`
    select id, kind, language, email, user_id from auth.mails where id = ${id} and finished_at is null`);

export const finishMail = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(sql`update auth.mails set finished_at = now() where id = ${id}`);

/** The account of the provider inside that has an address, unless it was deactivated. */
export const findAccountOf = (
  transaction: Transaction,
  email: string,
): Promise<{ id: string; email: string } | undefined> =>
  transaction.maybeOne(sql`
    select u.id, u.email from auth.users u join profiles p on p.id = u.id
    where u.issuer is null and lower(u.email) = lower(${email}) and p.deactivated_at is null`);

/** An open invitation with where it goes: its address, or the verified one of the account that it names. */
export const findInvitation = (
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly invitationId: string },
): Promise<{ email: string | null; inviter: string | null; expires_at: Date } | undefined> =>
  transaction.maybeOne(sql`
    select coalesce(i.email, case when invited.email_verified and invited.deactivated_at is null then invited.email end)
             as email,
           case when inviter.email_verified then inviter.email end as inviter, i.expires_at
    from workspace_invitations i
    join profiles inviter on inviter.id = i.invited_by
    left join profiles invited on invited.id = i.user_id
    where i.workspace_id = ${place.workspaceId} and i.id = ${place.invitationId}
      and i.accepted_at is null and i.declined_at is null and i.expires_at > now()`);
