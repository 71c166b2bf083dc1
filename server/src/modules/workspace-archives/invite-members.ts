import type { Transaction } from '../../platform/database/database.js';
import { insertInvitation } from '../workspaces/invitations.repository.js';
import type { ArchiveManifest } from './manifest.js';
import { ArchiveRefused } from './read-archive.js';

/** A workspace with more is not moved by one person on their own. */
const MAX_INVITED = 500;
const OPEN_DAYS = 30;

/**
 * Invites who was a member where the archive comes from: nobody becomes one without having accepted, and whether somebody
 * has an account here plays no part and is not told. Whose address is verified finds the invitation; whoever manages members
 * sends the others. Returns the addresses.
 */
export async function inviteMembers(
  transaction: Transaction,
  {
    workspaceId,
    invitedBy,
    people,
    now,
  }: {
    readonly workspaceId: string;
    readonly invitedBy: { readonly userId: string; readonly email: string };
    readonly people: ArchiveManifest['people'];
    readonly now: Date;
  },
): Promise<readonly string[]> {
  const own = invitedBy.email.toLowerCase();
  const members = new Map(
    people.flatMap(({ email, role }) =>
      email === null || role === null || email.toLowerCase() === own
        ? []
        : [[email.toLowerCase(), role] as const],
    ),
  );
  if (members.size > MAX_INVITED) {
    throw new ArchiveRefused(
      `The manifest names more than ${MAX_INVITED} members. Invite them here instead.`,
    );
  }
  for (const [email, role] of members) {
    await insertInvitation(transaction, {
      workspaceId,
      invited: { email },
      role,
      invitedBy: invitedBy.userId,
      expiresAt: new Date(now.getTime() + OPEN_DAYS * 86_400_000),
    });
  }
  return [...members.keys()];
}
