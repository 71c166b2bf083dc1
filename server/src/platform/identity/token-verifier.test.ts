import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trustedIssuers } from './issuers.js';
import type { SigningKeys } from './signing-keys.js';
import { bearerToken, createTokenVerifier, type TokenVerifier } from './token-verifier.js';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'normtrace-test';
const SUBJECT = '6b0f5e0e-3f7e-4d0a-8a3f-0a8f2f0c1d11';
const SECRET = 'a shared secret of at least thirty-two bytes';

interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

/** A key set on a real HTTP server, counting how often it is read. */
let jwks: { server: Server; url: string; keys: JWK[]; reads: number };
let first: Key;
let second: Key;
let stranger: Key;

const makeKey = async (kid: string, alg: string): Promise<Key> => {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, ...pair, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' } };
};

beforeAll(async () => {
  [first, second, stranger] = await Promise.all([
    makeKey('first', 'RS256'),
    makeKey('second', 'ES256'),
    makeKey('first', 'RS256'),
  ]);
  const state = { server: createServer(), url: '', keys: [first.jwk], reads: 0 };
  state.server.on('request', (_request, response) => {
    state.reads++;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: state.keys }));
  });
  await new Promise<void>((resolve) => state.server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(state.server.address() as AddressInfo).port}/jwks`;
  jwks = state;
});
afterAll(() => jwks?.server.close());

/** The service's own keys are not asked for in these tests. */
const noOwnKeys: SigningKeys = {
  key: () => Promise.reject(new Error('not asked for here')),
  sign: () => Promise.reject(new Error('not asked for here')),
};

const verifierOf = (auth: Parameters<typeof trustedIssuers>[0]['auth'], cooldown = 0): TokenVerifier =>
  createTokenVerifier({
    issuers: trustedIssuers({ auth }, noOwnKeys, cooldown),
    clock: () => new Date(),
  });
const external = (cooldown?: number) =>
  verifierOf({ kind: 'jwks', issuer: ISSUER, audience: AUDIENCE, jwksUrl: jwks.url }, cooldown);

interface Claims {
  readonly [name: string]: unknown;
}
const now = () => Math.floor(Date.now() / 1000);
const claims = (changes: Claims = {}): Claims => ({
  iss: ISSUER,
  aud: AUDIENCE,
  sub: SUBJECT,
  email: 'jo@example.org',
  email_verified: true,
  name: 'Jo',
  iat: now(),
  exp: now() + 60,
  ...changes,
});
const sign = (key: Key, changes: Claims = {}, header: Claims = {}): Promise<string> =>
  new SignJWT(claims(changes))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.privateKey);
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const hmac = (header: Claims, payload: Claims, secret: string): string => {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(header.alg === 'HS512' ? 'sha512' : 'sha256', secret)
    .update(signed)
    .digest('base64url')}`;
};
/** A character that differs in the last bit only. */
const nextCharacter = (character: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(character) ^ 1] ?? '';
};
const reasonOf = (verifier: TokenVerifier, token: string): Promise<unknown> =>
  verifier.verify(token).then(
    () => 'accepted',
    (error) => error.details?.reason ?? error,
  );

describe('tokens of an issuer with public keys', () => {
  it('are accepted with what they say', async () => {
    expect(await external().verify(await sign(first, { sid: 'session-1' }))).toEqual({
      issuer: ISSUER,
      isOwn: false,
      subject: SUBJECT,
      email: 'jo@example.org',
      emailVerified: true,
      name: 'Jo',
      session: 'session-1',
      sessionStartedAt: expect.any(Number),
      expiresAt: expect.any(Number),
    });
  });

  it.each<[string, string, () => Promise<string> | string]>([
    ['expired', 'expired_token', () => sign(first, { exp: now() - 60 })],
    ['for another service', 'wrong_audience', () => sign(first, { aud: 'somebody-else' })],
    ['without an audience', 'wrong_audience', () => sign(first, { aud: undefined })],
    ['of another issuer', 'unknown_issuer', () => sign(first, { iss: 'https://evil.example' })],
    ['without an issuer', 'unknown_issuer', () => sign(first, { iss: undefined })],
    ['not valid yet', 'token_not_yet_valid', () => sign(first, { nbf: now() + 600 })],
    ['made in the future', 'token_not_yet_valid', () => sign(first, { iat: now() + 600 })],
    ['of a session of the future', 'token_not_yet_valid', () => sign(first, { auth_time: now() + 600 })],
    ['with a beginning that is no time', 'malformed_token', () => sign(first, { nbf: 'soon' })],
    ['without an end', 'malformed_token', () => sign(first, { exp: undefined })],
    ['without a subject', 'malformed_token', () => sign(first, { sub: undefined })],
    ['with a subject that is no UUID', 'malformed_token', () => sign(first, { sub: 'auth0|123' })],
    ['signed by a stranger under a known name', 'invalid_signature', () => sign(stranger)],
    ['with an unknown key id', 'invalid_signature', () => sign({ ...stranger, kid: 'unheard-of' })],
    [
      'unsigned (alg none)',
      'invalid_signature',
      () => `${encode({ alg: 'none', kid: 'first' })}.${encode(claims())}.`,
    ],
    [
      'signed with the public key as a secret',
      'invalid_signature',
      async () => hmac({ alg: 'HS256', kid: 'first' }, claims(), await exportSPKI(first.publicKey)),
    ],
    [
      'signed with the public JWK as a secret',
      'invalid_signature',
      () => hmac({ alg: 'HS256', kid: 'first' }, claims(), JSON.stringify(first.jwk)),
    ],
    [
      'with a changed payload',
      'invalid_signature',
      async () => {
        const [header, , signature] = (await sign(first)).split('.');
        return `${header}.${encode(claims({ sub: '00000000-0000-4000-8000-000000000000' }))}.${signature}`;
      },
    ],
    [
      'with a key that the token brings along',
      'invalid_signature',
      () => sign(stranger, {}, { jwk: stranger.jwk, kid: 'x' }),
    ],
    [
      'with a critical header that nobody knows',
      'invalid_signature',
      async () =>
        `${encode({ alg: 'RS256', kid: 'first', crit: ['exotic'], exotic: 1 })}.${encode(claims())}.AAAA`,
    ],
    ['that are not JWTs', 'malformed_token', () => 'not-a-token'],
    ['of three empty parts', 'malformed_token', () => '..'],
    ['with a payload that is no JSON', 'malformed_token', () => `${encode({ alg: 'RS256' })}.AAAA.AAAA`],
    ['that are huge', 'malformed_token', () => 'a'.repeat(100_000)],
  ])('%s are refused', async (_what, reason, token) => {
    expect(await reasonOf(external(), await token())).toBe(reason);
  });

  it.each<[string, (token: string) => string]>([
    ['padding', (token) => `${token}==`],
    ['padding inside', (token) => token.replace('.', '=.')],
    ['another character of unused bits', (token) => token.slice(0, -1) + nextCharacter(token.at(-1) ?? '')],
    ['the other alphabet', (token) => token.replaceAll('-', '+').replaceAll('_', '/')],
    ['a line break', (token) => `${token.slice(0, 40)}\n${token.slice(40)}`],
    ['a blank in front', (token) => ` ${token}`],
    ['a tab behind', (token) => `${token}\t`],
    ['a fourth part', (token) => `${token}.`],
  ])('are refused when the same bytes are written with %s', async (_what, changed) => {
    // One whose parts have characters of either alphabet.
    let token = await sign(first);
    for (let n = 0; !/[-_]/.test(token); n++) token = await sign(first, { jti: String(n) });
    const [header, payload, signature] = token.split('.');
    expect(Buffer.from(signature ?? '', 'base64url').length % 3, 'unused bits').not.toBe(0);
    expect([header, payload].every(Boolean)).toBe(true);
    expect(await reasonOf(external(), token)).toBe('accepted');
    expect(changed(token)).not.toBe(token);
    expect(await reasonOf(external(), changed(token))).toBe('malformed_token');
  });

  it('say the address in the claim of the settings, which has a proof of its own', async () => {
    const verifier = verifierOf({
      kind: 'jwks',
      issuer: ISSUER,
      audience: AUDIENCE,
      jwksUrl: jwks.url,
      emailClaim: 'upn',
    });
    const told = await verifier.verify(await sign(first, { upn: 'kim@example.org' }));
    expect(told).toMatchObject({ email: 'kim@example.org', emailVerified: false });
    const proven = await verifier.verify(await sign(first, { upn: 'kim@example.org', upn_verified: true }));
    expect(proven).toMatchObject({ email: 'kim@example.org', emailVerified: true });
  });

  it('are accepted after the issuer changed its key, without asking for every unknown key', async () => {
    const verifier = external(300);
    expect(await reasonOf(verifier, await sign(first))).toBe('accepted');
    const reads = jwks.reads;
    jwks.keys = [second.jwk];
    const flood = Array.from({ length: 20 }, () => sign({ ...stranger, kid: 'unheard-of' }));
    for (const token of flood) expect(await reasonOf(verifier, await token)).toBe('invalid_signature');
    expect(jwks.reads - reads).toBeLessThanOrEqual(1);
    const token = await sign(second);
    await expect.poll(() => reasonOf(verifier, token), { timeout: 5_000 }).toBe('accepted');
    const fresh = await sign(first, { jti: 'not seen before' });
    expect(await reasonOf(verifier, fresh)).toBe('invalid_signature');
    jwks.keys = [first.jwk];
  });

  it('are answered as unavailable while the keys cannot be read', async () => {
    const verifier = verifierOf({
      kind: 'jwks',
      issuer: ISSUER,
      audience: AUDIENCE,
      jwksUrl: 'http://127.0.0.1:9/jwks',
    });
    await expect(verifier.verify(await sign(first))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('are believed from memory only until they expire', async () => {
    let time = Date.now();
    const verifier = createTokenVerifier({
      issuers: trustedIssuers(
        {
          auth: { kind: 'jwks', issuer: ISSUER, audience: AUDIENCE, jwksUrl: jwks.url },
        },
        noOwnKeys,
      ),
      clock: () => new Date(time),
    });
    const token = await sign(first);
    expect(await reasonOf(verifier, token)).toBe('accepted');
    time += 30_000;
    expect(await reasonOf(verifier, token)).toBe('accepted');
    time += 40_000;
    expect(await reasonOf(verifier, token)).toBe('expired_token');
  });
});

describe('tokens of an issuer with a secret', () => {
  const shared = () => verifierOf({ kind: 'secret', issuer: ISSUER, audience: AUDIENCE, secret: SECRET });

  it('are accepted', async () => {
    expect(await reasonOf(shared(), hmac({ alg: 'HS256' }, claims(), SECRET))).toBe('accepted');
  });

  it('need no issuer and audience when none is configured', async () => {
    const verifier = verifierOf({ kind: 'secret', secret: SECRET });
    expect(
      await reasonOf(verifier, hmac({ alg: 'HS256' }, claims({ iss: undefined, aud: undefined }), SECRET)),
    ).toBe('accepted');
  });

  it.each<[string, string, () => Promise<string> | string]>([
    [
      'signed with another secret',
      'invalid_signature',
      () => hmac({ alg: 'HS256' }, claims(), 'x'.repeat(40)),
    ],
    ['signed with a public key', 'invalid_signature', () => sign(first)],
    ['unsigned', 'invalid_signature', () => `${encode({ alg: 'none' })}.${encode(claims())}.`],
    [
      'with another algorithm of the same kind',
      'invalid_signature',
      () => hmac({ alg: 'HS512' }, claims(), SECRET),
    ],
    ['of another issuer', 'unknown_issuer', () => hmac({ alg: 'HS256' }, claims({ iss: 'x' }), SECRET)],
    ['for another service', 'wrong_audience', () => hmac({ alg: 'HS256' }, claims({ aud: 'x' }), SECRET)],
    ['expired', 'expired_token', () => hmac({ alg: 'HS256' }, claims({ exp: now() - 60 }), SECRET)],
  ])('%s are refused', async (_what, reason, token) => {
    expect(await reasonOf(shared(), await token())).toBe(reason);
  });

  it('are not verified by an address that only says so', async () => {
    const token = hmac(
      { alg: 'HS256' },
      claims({ email_verified: 'yes', user_metadata: { email_verified: true } }),
      SECRET,
    );
    expect((await shared().verify(token)).emailVerified).toBe(false);
  });
});

describe('the authorization header', () => {
  it.each([
    [undefined, 'missing_token'],
    ['', 'missing_token'],
    ['Bearer', 'malformed_token'],
    ['Basic abc', 'malformed_token'],
    ['Bearer a b', 'malformed_token'],
  ])('%j is refused', (header, reason) => {
    expect(() => bearerToken(header)).toThrow(expect.objectContaining({ details: { reason } }));
  });

  it('may name the scheme in any case', () => {
    expect(bearerToken('bearer abc')).toBe('abc');
  });
});
