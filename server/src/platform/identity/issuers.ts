import { createRemoteJWKSet } from 'jose';
import type { Configuration } from '../configuration/configuration.js';
import { OWN_ALGORITHM, type SigningKeys } from './signing-keys.js';
import type { TrustedIssuer } from './token-verifier.js';

/**
 * Issuer and audience of the tokens that this service signs. Not its address: all processes of an installation
 * accept one another's tokens, also when they are reached under different addresses.
 */
export const OWN_ISSUER = 'urn:normtrace';
export const OWN_AUDIENCE = 'normtrace';

/** Asymmetric only: a public key must never be usable as a secret. */
const PUBLIC_KEY_ALGORITHMS = [
  'EdDSA',
  'Ed25519',
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
];

/**
 * The issuers that are trusted: always the service itself (it signs what `/auth/refresh` answers), and the
 * external one that is configured. A key that is not known makes the external key set be read again, at most once
 * per `cooldownMilliseconds`.
 */
export function trustedIssuers(
  configuration: Pick<Configuration, 'auth'>,
  ownKeys: SigningKeys,
  cooldownMilliseconds = 10_000,
): readonly TrustedIssuer[] {
  const own: TrustedIssuer = {
    issuer: OWN_ISSUER,
    audience: OWN_AUDIENCE,
    algorithms: [OWN_ALGORITHM],
    key: ownKeys.key,
    isOwn: true,
  };
  const { auth } = configuration;
  if (auth.kind === 'embedded') return [own];
  if (auth.kind === 'jwks') {
    const keySet = createRemoteJWKSet(new URL(auth.jwksUrl), {
      cooldownDuration: cooldownMilliseconds,
      timeoutDuration: 3_000,
    });
    return [
      own,
      {
        issuer: auth.issuer,
        audience: auth.audience,
        algorithms: PUBLIC_KEY_ALGORITHMS,
        key: keySet,
        isOwn: false,
        ...(auth.emailClaim === undefined ? {} : { emailClaim: auth.emailClaim }),
      },
    ];
  }
  const secret = new TextEncoder().encode(auth.secret);
  return [
    own,
    {
      issuer: auth.issuer,
      audience: auth.audience,
      algorithms: ['HS256'],
      key: async () => secret,
      isOwn: false,
      ...(auth.emailClaim === undefined ? {} : { emailClaim: auth.emailClaim }),
    },
  ];
}
