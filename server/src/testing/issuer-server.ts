import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** An OpenID Connect issuer that truly is one, on a free port, with its own forms to sign in and to agree. */
export interface IssuerServer {
  readonly address: string;
  /** From now on it knows this client. */
  know(client: { readonly id: string; readonly secret: string; readonly callback: string }): void;
  stop(): Promise<void>;
}

/** Everybody who names an address is believed; it counts as verified unless it begins with `unverified`. */
export async function startIssuer(): Promise<IssuerServer> {
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    if (!provider) {
      response.writeHead(503).end();
      return;
    }
    void provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    know({ id, secret, callback }) {
      provider = new Provider(address, {
        clients: [
          {
            client_id: id,
            client_secret: secret,
            redirect_uris: [callback],
            post_logout_redirect_uris: [new URL('/sign-in', callback).href],
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        // As most issuers do: what is asked for stands in the ID token.
        conformIdTokenClaims: false,
        pkce: { required: () => true },
        cookies: { keys: ['a key of a test'] },
        findAccount: (_: unknown, email: string) => ({
          accountId: email,
          claims: () => ({
            sub: `person-${email}`,
            email,
            email_verified: !email.startsWith('unverified'),
            name: 'Jo Outside',
          }),
        }),
      });
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A browser as far as redirects, cookies and forms go. */
export function wanderer() {
  const jars = new Map<string, Map<string, string>>();
  const go = async (address: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const { host } = new URL(address);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    const answer = await fetch(address, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(';');
      const at = pair.indexOf('=');
      const isGone = rest.some((one) => /^ *(max-age=0|expires=thu, 01 jan 1970)/i.test(one));
      if (isGone) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  };
  return {
    go,
    cookies: (address: string): ReadonlyMap<string, string> => jars.get(new URL(address).host) ?? new Map(),
    /** Follows redirects until a page comes, or the address that `stop` wants. */
    async follow(
      address: string,
      stop: (address: string) => boolean = () => false,
    ): Promise<{ address: string; answer: Response }> {
      let here = address;
      for (let step = 0; step < 20; step++) {
        const answer = await go(here);
        const next = answer.headers.get('location');
        if (answer.status < 300 || answer.status >= 400 || next === null) return { address: here, answer };
        here = new URL(next, here).href;
        if (stop(here)) return { address: here, answer };
      }
      throw new Error(`It goes on and on, now at ${here}.`);
    },
  };
}
