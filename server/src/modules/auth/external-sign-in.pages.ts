import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Dependencies } from '../../platform/dependencies.js';
import { cookieHash, newCookieSecret, sessionCookie } from '../../platform/identity/session-cookie.js';
import { createExternalSignIn, enterAs, Refused, WAY_MINUTES } from './external-sign-in.js';
import { endSessionOfCookie } from './sessions.repository.js';
import { newBrowserSession } from './sessions.service.js';

type Login = FastifyRequest<{ Querystring: { return_to?: unknown } }>;

/** Back to where somebody came from: a page of ours and no other. */
const wayBack = (to: unknown): string =>
  typeof to === 'string' && /^\/(?![/\\])[!-~]*$/.test(to) ? to : '/';

/**
 * The addresses outside of the API through which a browser signs in at the issuer that is configured: `GET /auth/login` sends it
 * there, `GET /auth/callback` takes it back and sets the cookie of a session, `GET /auth/logout` leads to where the session at
 * the issuer ends. Nothing is there (404) without AUTH_CLIENT_ID.
 */
export function externalSignInPages(app: FastifyInstance, dependencies: Dependencies): void {
  const { configuration, database, clock, log } = dependencies;
  const { auth } = configuration;
  if (auth.kind !== 'jwks' || !auth.client) return;
  const signIn = createExternalSignIn(dependencies, {
    address: auth.issuer,
    client: auth.client,
    emailClaim: auth.emailClaim,
  });
  const remembered = wayCookie(configuration.baseUrl);
  const own = sessionCookie(configuration);
  const options = { schema: { hide: true }, config: { counted: true } } as const;

  app.get('/auth/login', options, (request: Login, reply) =>
    refusing(request, reply, async () => {
      const way = await signIn.begin(wayBack(request.query.return_to));
      reply.header('set-cookie', remembered.set(way.remembered));
      return way.address;
    }),
  );

  app.get('/auth/callback', options, (request, reply) =>
    refusing(request, reply, async () => {
      const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
      const { person, to } = await signIn.finish(query, remembered.read(request.headers.cookie));
      const secret = newCookieSecret();
      const session = newBrowserSession({ dependencies, now: clock(), request }, cookieHash(secret)!);
      await enterAs(dependencies, person, { session, requestId: request.id });
      // The browser forgets the session that it had: nobody could end it any more.
      const before = own.read(request.headers.cookie);
      const hash = before === undefined ? undefined : cookieHash(before);
      if (hash) {
        await database.asSystem('a browser signs in again', (transaction) =>
          endSessionOfCookie(transaction, hash),
        );
      }
      reply.header('set-cookie', [own.set(secret), remembered.clear()]);
      return to;
    }),
  );

  // Ends nothing here: the session here was ended by `POST /auth/sign-out`, which no other site can ask for.
  if (auth.client.signsOut) {
    app.get('/auth/logout', options, (request, reply) =>
      refusing(request, reply, async () => (await signIn.leave('/sign-in')) ?? '/sign-in'),
    );
  }

  async function refusing(
    request: FastifyRequest,
    reply: FastifyReply,
    decide: () => Promise<string>,
  ): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    try {
      return reply.redirect(await decide(), 303);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { cause } = error;
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
      log.warn({ request_id: request.id, reason: error.reason, code }, 'nobody was signed in by the issuer');
      return reply.header('set-cookie', remembered.clear()).redirect(`/sign-in?refused=${error.reason}`, 303);
    }
  }
}

/** The cookie that remembers a sign-in meanwhile: sent when the issuer leads the browser back, unlike that of a session. */
function wayCookie(baseUrl: string) {
  const isSecure = new URL(baseUrl).protocol === 'https:';
  const name = isSecure ? '__Host-normtrace-way' : 'normtrace-way';
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read: (header: string | undefined): string | undefined =>
      header
        ?.split(/; */)
        .find((part) => part.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    set: (value: string): string => `${name}=${value}; Max-Age=${WAY_MINUTES * 60}${attributes}`,
    clear: (): string => `${name}=; Max-Age=0${attributes}`,
  };
}
