import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import { ApiError } from '../http/api-error.js';
import { isStorable } from '../http/storable-text.js';

/** Why a token was refused (contract §1). */
export type RefusalReason =
  | 'missing_token'
  | 'malformed_token'
  | 'expired_token'
  | 'token_not_yet_valid'
  | 'invalid_signature'
  | 'unknown_issuer'
  | 'wrong_audience'
  | 'revoked_session';

/** What an accepted token says. */
export interface VerifiedToken {
  /** Address of the issuer; undefined only for a shared secret without a configured issuer. */
  readonly issuer: string | undefined;
  /** True for tokens that this service signed itself. */
  readonly isOwn: boolean;
  /** The user's id. */
  readonly subject: string;
  readonly email: string;
  /** The issuer vouches for the address. Absent in the token means no. */
  readonly emailVerified: boolean;
  readonly name: string;
  /** Session that the token belongs to, as the issuer names it. */
  readonly session: string;
  /** Start of the session as far as the token tells: `auth_time`, else `iat`; seconds since 1970. */
  readonly sessionStartedAt: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** An issuer whose tokens are accepted, with everything pinned: address, audience, algorithms, keys. */
export interface TrustedIssuer {
  /** Undefined: whatever the token says, for a shared secret without a configured issuer. */
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  readonly algorithms: readonly string[];
  readonly key: JWTVerifyGetKey;
  readonly isOwn: boolean;
  /** Claim with the address; the issuer vouches for it when the claim `<name>_verified` is true. `email` unless told. */
  readonly emailClaim?: string;
}

export interface TokenVerifier {
  /** Throws 401 `AUTHENTICATION_ERROR` with `details.reason`; 503 when the issuer's keys cannot be had. */
  verify(token: string): Promise<VerifiedToken>;
}

export interface TokenVerifierParts {
  readonly issuers: readonly TrustedIssuer[];
  readonly clock: () => Date;
  /** How long a verified token is believed without looking at its signature again. */
  readonly cacheMilliseconds?: number;
}

const MAX_TOKEN_LENGTH = 8192;
const MAX_CACHED = 5_000;
const CLOCK_TOLERANCE_SECONDS = 5;
/** A token made later than this is not believed: clocks of servers differ by seconds. */
const FUTURE_TOLERANCE_SECONDS = 60;
const PART = /^[A-Za-z0-9_-]*$/;

/** What an issuer says of a person, from the claims of a token. */
export interface PersonClaims {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
}

/** Undefined: the claim with the address cannot be used. What else is missing is empty. */
export function personClaims(
  payload: Readonly<Record<string, unknown>>,
  emailClaim = 'email',
): PersonClaims | undefined {
  const address = AddressSchema.safeParse(payload[emailClaim]);
  if (!address.success) return undefined;
  return {
    email: address.data,
    emailVerified: payload[`${emailClaim}_verified`] === true,
    name: NameSchema.parse(payload.name),
  };
}

const NameSchema = z.string().max(200).refine(isStorable).catch('');
const AddressSchema = z.string().trim().max(320).refine(isStorable).default('');

const ClaimsSchema = z.object({
  sub: z.guid(),
  exp: z.number(),
  iat: z.number().optional(),
  auth_time: z.number().optional(),
  sid: z.string().max(200).optional(),
  session_id: z.string().max(200).optional(),
  jti: z.string().max(200).optional(),
});

/** The answer to every token that is not accepted. */
export const refused = (reason: RefusalReason, message: string): ApiError =>
  new ApiError('AUTHENTICATION_ERROR', message, { reason });

/**
 * Verifies access tokens. The issuer is chosen by the token's `iss`, and only that issuer's keys and algorithms are
 * tried, so a public key of one can never pass as the secret of another.
 */
export function createTokenVerifier(parts: TokenVerifierParts): TokenVerifier {
  const { issuers, clock, cacheMilliseconds = 60_000 } = parts;
  const cache = new Map<string, { readonly token: VerifiedToken; readonly until: number }>();

  return {
    async verify(text) {
      const now = clock().getTime();
      const cached = cache.get(text);
      if (cached && now < cached.until) return cached.token;
      cache.delete(text);
      const token = await verifySignature(text, issuers, clock());
      if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value ?? '');
      cache.set(text, { token, until: Math.min(now + cacheMilliseconds, token.expiresAt * 1000) });
      return token;
    },
  };
}

/** The token of an `Authorization` header. */
export function bearerToken(header: string | undefined): string {
  if (!header) throw refused('missing_token', 'Send the header "Authorization: Bearer <access token>".');
  const [scheme, token, ...rest] = header.split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) {
    throw refused('malformed_token', 'The header must be "Authorization: Bearer <access token>".');
  }
  return token;
}

async function verifySignature(
  text: string,
  issuers: readonly TrustedIssuer[],
  now: Date,
): Promise<VerifiedToken> {
  const trusted = chooseIssuer(text, issuers);
  const { payload } = await jwtVerify(text, trusted.key, {
    algorithms: [...trusted.algorithms],
    ...(trusted.issuer === undefined ? {} : { issuer: trusted.issuer }),
    ...(trusted.audience === undefined ? {} : { audience: trusted.audience }),
    requiredClaims: ['sub', 'exp'],
    currentDate: now,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }).catch((error: unknown) => {
    throw translate(error);
  });
  return readClaims(payload, trusted, now);
}

function chooseIssuer(text: string, issuers: readonly TrustedIssuer[]): TrustedIssuer {
  if (text.length > MAX_TOKEN_LENGTH) throw refused('malformed_token', 'The access token is too long.');
  if (!isCanonical(text)) {
    throw refused(
      'malformed_token',
      'The access token is not a JWT in the one form that it can be written in.',
    );
  }
  let named: string | undefined;
  try {
    decodeProtectedHeader(text);
    named = decodeJwt(text).iss;
  } catch {
    throw refused('malformed_token', 'The access token is not a signed JWT.');
  }
  const found =
    issuers.find(({ issuer }) => issuer !== undefined && issuer === named) ??
    issuers.find(({ issuer }) => issuer === undefined);
  if (!found)
    throw refused('unknown_issuer', 'The access token comes from an issuer that is not trusted here.');
  return found;
}

/** Base64url has several spellings of the same bytes (padding, unused bits, other alphabets): one of them is accepted. */
const isCanonical = (text: string): boolean =>
  text
    .split('.')
    .every((part) => PART.test(part) && Buffer.from(part, 'base64url').toString('base64url') === part);

function readClaims(payload: JWTPayload, trusted: TrustedIssuer, now: Date): VerifiedToken {
  const { emailClaim = 'email' } = trusted;
  const claims = ClaimsSchema.safeParse(payload);
  const person = personClaims(payload, emailClaim);
  if (!claims.success || !person) {
    const issues = [
      ...(claims.error?.issues.map(({ path }) => path.join('.')) ?? []),
      ...(person ? [] : [emailClaim]),
    ];
    throw refused(
      'malformed_token',
      `The access token has claims that cannot be used: ${issues.join(', ')}.`,
    );
  }
  const { sub, exp, iat, auth_time, sid, session_id, jti } = claims.data;
  for (const [claim, time] of Object.entries({ iat, auth_time })) {
    if (time === undefined || time <= now.getTime() / 1000 + FUTURE_TOLERANCE_SECONDS) continue;
    throw refused(
      'token_not_yet_valid',
      `The access token was made in the future, says its claim "${claim}".`,
    );
  }
  const startedAt = auth_time ?? iat ?? exp;
  return {
    issuer: trusted.issuer,
    isOwn: trusted.isOwn,
    subject: sub.toLowerCase(),
    ...person,
    session: sid ?? session_id ?? jti ?? String(startedAt),
    sessionStartedAt: startedAt,
    expiresAt: exp,
  };
}

function translate(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof errors.JWTExpired) return refused('expired_token', 'The access token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud')
      return refused('wrong_audience', 'The access token is meant for another service.');
    if (error.claim === 'iss')
      return refused('unknown_issuer', 'The access token comes from an unknown issuer.');
    if (error.claim === 'nbf' && error.reason === 'check_failed') {
      return refused(
        'token_not_yet_valid',
        'The access token is not valid yet: its "nbf" lies in the future.',
      );
    }
    if (error.reason === 'missing') {
      return refused('malformed_token', `The access token has no claim "${error.claim}", which is needed.`);
    }
    return refused('malformed_token', `The access token's claim "${error.claim}" cannot be accepted.`);
  }
  if (
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  ) {
    return refused('invalid_signature', 'The signature of the access token is not valid.');
  }
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) {
    return refused('malformed_token', 'The access token is not a signed JWT.');
  }
  if (
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error instanceof errors.JOSEError
  ) {
    return new ApiError(
      'SERVICE_UNAVAILABLE',
      'The keys of the identity provider cannot be read at the moment.',
    );
  }
  if (error instanceof TypeError) {
    return new ApiError('SERVICE_UNAVAILABLE', 'The identity provider cannot be reached at the moment.');
  }
  return error;
}
