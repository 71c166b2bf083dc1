import { sql } from '../platform/database/sql.js';
import type { Client, TestApp } from './test-app.js';

/**
 * Makes a member the way that people become one: invited by `by`, accepted by themselves. Their address counts as
 * verified from then on, as if an administrator had vouched for it.
 */
export async function joinWorkspace(
  { dependencies }: Pick<TestApp, 'dependencies'>,
  place: {
    readonly by: Client;
    readonly workspace: string;
    readonly member: Client;
    readonly role: string;
  },
): Promise<void> {
  const { by, workspace, member, role } = place;
  await verifyAddressOf({ dependencies }, member);
  const path = `/api/v1/workspaces/${workspace}/members`;
  const invited = await by.request('POST', path, { body: { user_id: member.userId, role } });
  if (invited.status !== 201) throw new Error(`${path} was answered ${invited.status}: ${invited.text}`);
  const { id } = invited.body as { id: string };
  const accepted = await member.request('POST', `/api/v1/auth/me/invitations/${id}/accept`);
  if (accepted.status !== 200) throw new Error(`Accepting was answered ${accepted.status}: ${accepted.text}`);
}

/** As an administrator does it, without one. */
export const verifyAddressOf = (
  { dependencies }: Pick<TestApp, 'dependencies'>,
  { userId }: Pick<Client, 'userId'>,
): Promise<number> =>
  dependencies.database.asSystem('a verified address for a test', (transaction) =>
    transaction.run(sql`update auth.users set email_verified = true where id = ${userId}`),
  );
