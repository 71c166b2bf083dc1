import pg from 'pg';
import { type Ground, idOf, literal } from './sample-rows.js';

/** A small try at the database, as one of its roles. Fails when the answer is not as stated. */
export interface Probe {
  /** The table or function it is about. */
  readonly about: string;
  readonly name: string;
  run(ground: Ground): Promise<void>;
}

export type DatabaseRole = 'app' | 'system' | 'owner';

export interface Scope {
  readonly user?: string;
  readonly workspace?: string;
  readonly guest?: string;
}

/** The scope of the one who asks. */
export const OWN: Scope = { user: idOf('auth.users', 'own') };

export const scoped = ({ user = '', workspace = '', guest = '' }: Scope): string =>
  `select set_config('app.user_id', ${literal(user)}, true), set_config('app.workspace_id', ${literal(workspace)}, true),
     set_config('app.guest_id', ${literal(guest)}, true)`;

/**
 * What the database answers to a statement of a role: `3 rows`, or `refused by` the grant, a policy, a trigger or the
 * name of a constraint. Leaves no trace. `before` is done by the superuser.
 */
export async function answer(
  { client }: Ground,
  {
    role,
    scope = OWN,
    before,
  }: { readonly role?: DatabaseRole; readonly scope?: Scope; readonly before?: string },
  statement: string,
): Promise<string> {
  const steps = ['savepoint attempt'];
  if (before) steps.push(before);
  steps.push(scoped(scope));
  if (role) steps.push(`set local role normtrace_${role}`);
  try {
    await client.query(steps.join('; '));
    const { rowCount } = await client.query(statement);
    return `${rowCount} rows`;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return refusal(error);
  } finally {
    await client.query('rollback to savepoint attempt');
  }
}

function refusal({ code, message, constraint }: pg.DatabaseError): string {
  if (constraint) return `refused by ${constraint}`;
  if (code !== '42501') return `refused with ${code}: ${message}`;
  if (message.startsWith('permission denied')) return 'refused by the grant';
  return message.includes('row-level security policy') ? 'refused by a policy' : 'refused by a trigger';
}

export function expectAnswer(got: string, wanted: string): void {
  if (got !== wanted) throw new Error(`Answered "${got}", not "${wanted}".`);
}

/** Runs probes in a transaction of the caller, each without a trace; the names of those that fail. */
export async function failing(
  ground: Ground,
  probes: readonly Probe[],
  { first = false }: { readonly first?: boolean } = {},
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const probe of probes) {
    await ground.client.query('savepoint probe');
    try {
      await probe.run(ground);
    } catch (error) {
      failed.push(`${probe.about}: ${probe.name}: ${(error as Error).message}`);
    } finally {
      await ground.client.query('rollback to savepoint probe');
    }
    if (first && failed.length > 0) break;
  }
  return failed;
}
