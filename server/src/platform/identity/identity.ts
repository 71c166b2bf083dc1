import type { Dependencies } from '../dependencies.js';
import { isApiToken } from './api-tokens.js';
import { type Caller, type Connection, createCallers } from './callers.js';
import { OWN_AUDIENCE, OWN_ISSUER, trustedIssuers } from './issuers.js';
import { sessionCookie } from './session-cookie.js';
import { createSigningKeys } from './signing-keys.js';
import { bearerToken, createTokenVerifier } from './token-verifier.js';

export type { Caller } from './callers.js';

/** An access token as the API answers it. */
export interface AccessToken {
  readonly access_token: string;
  readonly token_type: 'bearer';
  /** Seconds. */
  readonly expires_in: number;
}

/** Who the token is for, and until when its session lasts. */
export interface TokenSubject {
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly session: { readonly id: string; readonly startedAt: Date; readonly expiresAt: Date };
}

/** Headers that say who is calling. */
export interface Credentials {
  readonly authorization?: string | undefined;
  readonly cookie?: string | undefined;
}

/** Everything about who is calling. */
export interface Identity {
  /**
   * The person behind the headers of a request: behind `Authorization`, else behind the cookie of a browser's session.
   * A session by cookie goes on longer only where a `connection` is told. Throws 401 with the reason.
   */
  authenticate(headers: Credentials, connection?: Connection): Promise<Caller>;
  /** A new access token of the configured lifetime, never longer than its session. */
  issue(subject: TokenSubject): Promise<AccessToken>;
  /** See `Callers.forget`. */
  forget(userId: string): void;
  /** See `Callers.whenChanged`. */
  whenChanged(callback: (userId: string | undefined) => void): void;
  close(): Promise<void>;
}

export async function createIdentity(dependencies: Dependencies): Promise<Identity> {
  const { configuration, database, clock } = dependencies;
  const ownKeys = createSigningKeys(database, clock);
  const verifier = createTokenVerifier({ issuers: trustedIssuers(configuration, ownKeys), clock });
  const callers = await createCallers(database, clock, configuration);
  const cookie = sessionCookie(configuration);

  return {
    async authenticate({ authorization, cookie: cookies }, connection) {
      const secret = authorization === undefined ? cookie.read(cookies) : undefined;
      if (secret !== undefined) return callers.findByCookie(secret, connection);
      const text = bearerToken(authorization);
      return isApiToken(text)
        ? callers.findByApiToken(text)
        : callers.find(await verifier.verify(text), connection);
    },
    async issue({ userId, email, emailVerified, name, session }) {
      const issuedAt = Math.floor(clock().getTime() / 1000);
      const expiresAt = Math.min(
        issuedAt + configuration.accessTokenExpireMinutes * 60,
        Math.floor(session.expiresAt.getTime() / 1000),
      );
      const claims = {
        iss: OWN_ISSUER,
        aud: OWN_AUDIENCE,
        sub: userId,
        sid: session.id,
        auth_time: Math.floor(session.startedAt.getTime() / 1000),
        email,
        email_verified: emailVerified,
        name,
      };
      return {
        access_token: await ownKeys.sign(claims, { issuedAt, expiresAt }),
        token_type: 'bearer',
        expires_in: expiresAt - issuedAt,
      };
    },
    forget: callers.forget,
    whenChanged: callers.whenChanged,
    close: callers.close,
  };
}
