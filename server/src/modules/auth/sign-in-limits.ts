import { createHash } from 'node:crypto';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { giveTokenBack, networkOf, takeTokens, tooMany } from '../../platform/http/rate-limit.js';

/** Wrong passwords for one account from one network: what somebody who mistypes needs. */
const ATTEMPTS_PER_ACCOUNT_AND_NETWORK = { capacity: 10, perMinute: 2 } as const;
/** From one network for whatever accounts. */
const ATTEMPTS_PER_NETWORK = { capacity: 40, perMinute: 10 } as const;
/** For one account from all networks that it was never signed in to from: slower, because many can take part. */
const ATTEMPTS_PER_ACCOUNT = { capacity: 100, perMinute: 1 } as const;

/** An attempt to show a password. */
export interface Attempt {
  /** Address as it was typed in; one that nobody has is limited in the same way. */
  readonly email: string;
  /** Client address. */
  readonly from: string;
  /** It is the account's person for another reason than the password: strangers elsewhere do not count. */
  readonly isKnown?: boolean;
}

/**
 * Runs an attempt that a guesser could repeat (docs/decisions/0090). Undefined is a failure and costs a token of each
 * bucket; throws 429 when one has none left. Guesses of strangers never use up what the person has at networks
 * that the account was signed in to from before.
 */
export async function limited<T>(
  { database }: Pick<Dependencies, 'database'>,
  { email, from, isKnown = false }: Attempt,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const account = createHash('sha256').update(email.toLowerCase()).digest('base64url');
  const network = networkOf(from);
  const isStranger = !isKnown && !(await isKnownNetwork(database, email, network));
  const buckets = [
    { key: `sign-in account ${account} at ${network}`, size: ATTEMPTS_PER_ACCOUNT_AND_NETWORK },
    { key: `sign-in address ${network}`, size: ATTEMPTS_PER_NETWORK },
    ...(isStranger ? [{ key: `sign-in account ${account}`, size: ATTEMPTS_PER_ACCOUNT }] : []),
  ];
  for (const { key, size } of buckets) {
    const { granted, tokens } = await takeTokens(database, { key, size, share: size.capacity });
    if (granted === 0) throw tooMany('attempts', ((1 - tokens) * 60) / size.perMinute);
  }
  const result = await attempt();
  if (result !== undefined) for (const { key, size } of buckets) await giveTokenBack(database, key, size);
  return result;
}

/** Notes that the person of the account was at this network. */
export const noteNetwork = (
  { database }: Pick<Dependencies, 'database'>,
  userId: string,
  from: string,
): Promise<number> =>
  database.asSystem('network of a sign-in', (transaction) =>
    transaction.run(sql`
      insert into auth.known_networks as known (user_id, network) values (${userId}, ${networkOf(from)})
      on conflict (user_id, network) do update set last_seen_at = now()
      where known.last_seen_at < now() - interval '1 hour'`),
  );

const isKnownNetwork = (
  database: Dependencies['database'],
  email: string,
  network: string,
): Promise<boolean> =>
  database.asSystem('network of a sign-in', async (transaction) =>
    Boolean(
      await transaction.maybeOne(sql`
        select known.user_id from auth.known_networks known join auth.users u on u.id = known.user_id
        where u.issuer is null and lower(u.email) = lower(${email}) and known.network = ${network}`),
    ),
  );
