import { EncryptJWT, jwtDecrypt } from 'jose';
import * as openid from 'openid-client';
import { z } from 'zod';
import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import type { ExternalClient } from '../../platform/configuration/configuration.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import {
  type ExternalPerson,
  insertExternalUser,
  noteAddress,
  saysAnotherAddress,
} from '../../platform/identity/external-users.js';
import { serviceSecret } from '../../platform/identity/service-secret.js';
import { personClaims } from '../../platform/identity/token-verifier.js';
import { touchLastLogin } from './auth.repository.js';
import { insertSession } from './sessions.repository.js';
import type { NewSession } from './sessions.service.js';

// Signing in at an OpenID Connect issuer from a page of ours: authorization code with PKCE, done by the service (OpenID
// Connect Core 1.0, RFC 7636). The browser never sees a token of the issuer, only the cookie of a session here.

/** Why somebody was not signed in; the sign-in page says it in the reader's language. */
export type Refusal = 'cancelled' | 'expired' | 'issuer' | 'deactivated';
export class Refused extends Error {
  readonly reason: Refusal;
  constructor(reason: Refusal, cause?: unknown) {
    super(`Signing in at the issuer was refused: ${reason}.`, { cause });
    this.reason = reason;
  }
}

/** How long somebody may take at the issuer. */
export const WAY_MINUTES = 10;
const TIMEOUT_SECONDS = 5;

const WaySchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), to: z.string() });
/** What is remembered of a sign-in while somebody is at the issuer. */
type Way = z.output<typeof WaySchema>;

export interface ExternalSignIn {
  /** Where the browser goes, and what its cookie remembers until it comes back. Throws `Refused`. */
  begin(to: string): Promise<{ readonly address: string; readonly remembered: string }>;
  /**
   * Whoever came back, as the issuer vouches for them, and where they wanted to go. `query`: of the address that the issuer
   * sent them to. Throws `Refused`.
   */
  finish(
    query: string,
    remembered: string | undefined,
  ): Promise<{ readonly person: ExternalPerson; readonly to: string }>;
  /**
   * Where the browser goes to end the session at the issuer, which leads it back to `to`, a page of ours; undefined where the
   * issuer has no such address. No token of the issuer is kept, so it may ask whether the person means it. Throws `Refused`.
   */
  leave(to: string): Promise<string | undefined>;
}

export function createExternalSignIn(
  { database, configuration }: Pick<Dependencies, 'database' | 'configuration'>,
  issuer: {
    readonly address: string;
    readonly client: ExternalClient;
    readonly emailClaim?: string | undefined;
  },
): ExternalSignIn {
  const secret = serviceSecret(database, 'external sign-in');
  const callback = new URL('/auth/callback', configuration.baseUrl).href;
  const discover = once(() => discovered(issuer.address, issuer.client));
  return {
    async begin(to) {
      const known = await discover();
      const way: Way = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
        to,
      };
      const address = openid.buildAuthorizationUrl(known, {
        redirect_uri: callback,
        scope: issuer.client.scope,
        state: way.state,
        nonce: way.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(way.verifier),
        code_challenge_method: 'S256',
      });
      const remembered = await new EncryptJWT(way)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(`${WAY_MINUTES}m`)
        .encrypt(await secret());
      return { address: address.href, remembered };
    },
    async finish(query, remembered) {
      const way = await wayOf(remembered, await secret());
      if (new URLSearchParams(query).get('error') === 'access_denied') throw new Refused('cancelled');
      const tokens = await openid
        .authorizationCodeGrant(await discover(), new URL(`${callback}${query}`), {
          pkceCodeVerifier: way.verifier,
          expectedState: way.state,
          expectedNonce: way.nonce,
          idTokenExpected: true,
        })
        .catch((error: unknown) => {
          throw new Refused('issuer', error);
        });
      const claims = tokens.claims();
      const person = claims && personClaims(claims, issuer.emailClaim);
      // A subject of nothing would be one account for everybody.
      if (!claims || !person || claims.sub.trim() === '') throw new Refused('issuer');
      // A subject that is a UUID is written in small letters, as that of access tokens is.
      const subject = z.guid().safeParse(claims.sub).success ? claims.sub.toLowerCase() : claims.sub;
      return { person: { issuer: issuer.address, subject, ...person }, to: way.to };
    },
    async leave(to) {
      const known = await discover();
      if (known.serverMetadata().end_session_endpoint === undefined) return undefined;
      return openid.buildEndSessionUrl(known, {
        post_logout_redirect_uri: new URL(to, configuration.baseUrl).href,
      }).href;
    },
  };
}

/** The session of a person whom the issuer vouches for, made a user when seen for the first time. Throws `Refused`. */
export async function enterAs(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  person: ExternalPerson,
  { session, requestId }: { readonly session: NewSession; readonly requestId: string },
): Promise<void> {
  await database.asSystem('external sign-in', async (transaction) => {
    const find = () =>
      transaction.maybeOne<{ id: string; email: string; email_verified: boolean; deactivated: boolean }>(sql`
        select u.id, u.email, u.email_verified, p.deactivated_at is not null as deactivated
        from auth.users u join profiles p on p.id = u.id
        where u.issuer = ${person.issuer} and u.subject = ${person.subject}`);
    let known = await find();
    if (!known) {
      await insertExternalUser(transaction, person);
      known = await find();
    } else if (saysAnotherAddress({ ...person }, known)) {
      await noteAddress(transaction, known.id, person);
    }
    if (!known) throw new Error('The user of an external sign-in could not be made.');
    if (known.deactivated) throw new Refused('deactivated');
    await touchLastLogin(transaction, known.id, clock());
    await insertSession(transaction, { ...session, userId: known.id });
    await recordAudit(transaction, {
      workspaceId: INSTALLATION,
      actorId: known.id,
      action: 'user.signed_in',
      targetType: 'user',
      targetId: known.id,
      after: { address: session.address, issuer: person.issuer },
      requestId,
    });
  });
}

/** What the issuer says of itself, with its keys; its answers are checked by their signature as well. */
async function discovered(address: string, { id, secret }: ExternalClient): Promise<openid.Configuration> {
  const known = await openid
    .discovery(new URL(address), id, secret, secret === undefined ? openid.None() : undefined, {
      timeout: TIMEOUT_SECONDS,
      // Without TLS only where the settings let it: on this machine or in a closed network.
      execute: [
        openid.enableNonRepudiationChecks,
        ...(new URL(address).protocol === 'http:' ? [openid.allowInsecureRequests] : []),
      ],
    })
    .catch((error: unknown) => {
      throw new Refused('issuer', error);
    });
  return known;
}

async function wayOf(remembered: string | undefined, secret: Buffer): Promise<Way> {
  if (remembered === undefined) throw new Refused('expired');
  const opened = await jwtDecrypt(remembered, secret, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  }).catch((error: unknown) => {
    throw new Refused('expired', error);
  });
  return WaySchema.parse(opened.payload);
}

/** Made when it is first asked for; asked again where that failed. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
