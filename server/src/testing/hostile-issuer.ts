import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

/** What the issuer answers at its token endpoint; whatever is not said is as an honest one does it. */
export interface Lie {
  /** Claims that differ from those of an honest ID token; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** How the ID token is signed: `none` and `secret` (of the client, HS256) are the old tricks. */
  readonly signed?: 'honestly' | 'by another key' | 'none' | 'secret' | 'cut off';
  /** Instead of tokens. */
  readonly answer?: (response: ServerResponse) => void;
  /** Without an ID token. */
  readonly without?: true;
}

export interface HostileIssuer {
  readonly address: string;
  /** Codes that were exchanged. */
  readonly exchanged: readonly URLSearchParams[];
  lie(lie: Lie): void;
  /** What its metadata say beside the truth. */
  pretend(metadata: Readonly<Record<string, unknown>>): void;
  stop(): Promise<void>;
}

/** An issuer that lies as it is told, with real keys and signatures, over HTTP. It asks nobody: the test plays the browser. */
export async function startHostileIssuer(client: {
  readonly id: string;
  readonly secret: string;
}): Promise<HostileIssuer> {
  const own = await generateKeyPair('RS256', { extractable: true });
  const other = await generateKeyPair('RS256', { extractable: true });
  const exchanged: URLSearchParams[] = [];
  let lie: Lie = {};
  let pretended: Readonly<Record<string, unknown>> = {};

  const server = createServer(async (request, response) => {
    const json = (body: unknown): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const { pathname } = new URL(request.url ?? '/', address());
    if (pathname === '/.well-known/openid-configuration') {
      return json({
        issuer: address(),
        authorization_endpoint: `${address()}/authorize`,
        token_endpoint: `${address()}/token`,
        jwks_uri: `${address()}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...pretended,
      });
    }
    if (pathname === '/jwks') {
      return json({ keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] });
    }
    if (pathname !== '/token') return void response.writeHead(404).end();
    let body = '';
    for await (const part of request) body += part;
    const form = new URLSearchParams(body);
    exchanged.push(form);
    if (lie.answer) return lie.answer(response);
    const tokens = { access_token: randomUUID(), token_type: 'bearer', expires_in: 60 };
    return json(lie.without ? tokens : { ...tokens, id_token: await idToken(form.get('code') ?? '') });
  });
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function idToken(code: string): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const honest: JWTPayload = {
      iss: address(),
      aud: client.id,
      sub: 'person-1',
      nonce: code,
      iat: now,
      exp: now + 300,
      email: 'jo@company.example',
      email_verified: true,
      name: 'Jo',
    };
    const claims = Object.fromEntries(
      Object.entries({ ...honest, ...lie.claims }).filter(([, value]) => value !== undefined),
    ) as JWTPayload;
    const header = { alg: 'RS256', kid: 'one' };
    switch (lie.signed) {
      case 'none':
        return new UnsecuredJWT(claims).encode();
      case 'secret':
        return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(client.secret));
      case 'by another key':
        return new SignJWT(claims).setProtectedHeader(header).sign(other.privateKey);
      case 'cut off':
        return (await new SignJWT(claims).setProtectedHeader(header).sign(own.privateKey)).slice(0, -6);
      default:
        return new SignJWT(claims).setProtectedHeader(header).sign(own.privateKey);
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: address(),
    exchanged,
    lie: (next) => {
      lie = next;
    },
    pretend: (metadata) => {
      pretended = metadata;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
