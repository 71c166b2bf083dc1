import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Configuration } from '../configuration/configuration.js';
import { linksOfScreens, type ScreenFiles } from './screen-files.js';

const WEB = fileURLToPath(new URL('../../../../web/dist/', import.meta.url));
const OPENAPI = new URL('../../../openapi.json', import.meta.url);

/** Nothing is fetched from elsewhere, and nothing elsewhere may frame a page. */
const POLICY = {
  base: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'",
  // Both viewers write style elements at run time; ReDoc searches in a worker made from a blob.
  swagger: "; style-src 'self' 'unsafe-inline'; img-src 'self' data:; script-src 'self'",
  redoc: "; style-src 'self' 'unsafe-inline'; img-src 'self' data:; script-src 'self'; worker-src blob:",
} as const;

/** Addresses of the application (decision 340): each is a screen, which the application finds by itself. */
const SCREENS = ['/sign-in', '/sign-up', '/link', '/me/*', '/admin', '/w/:workspace', '/w/:workspace/*'];

/** Files that have a hash of what they hold in their name. */
const NEVER_CHANGES = 'public, max-age=31536000, immutable';
/** Asked for again each time: an old page would name files that are gone. */
const ASK_AGAIN = 'no-cache';

/**
 * What pages of the application may do: nothing inline, nothing from elsewhere but files that are sent straight to the
 * storage of objects, and no text that becomes a script.
 */
const applicationPolicy = (reached: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "font-src 'self'",
    `connect-src ${reached.join(' ')}`,
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Whether the documents that people try it with lie beside the application (decision 341). */
export const hasSampleDocuments = (): boolean => existsSync(join(WEB, 'samples/index.json'));

/** The application at `/`, the API description and its two viewers, all from our own host. */
export async function registerPages(
  app: FastifyInstance,
  configuration: Pick<Configuration, 'storage'>,
): Promise<void> {
  const description = await readFile(OPENAPI, 'utf8');
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );
  await registerApplication(app, configuration);
  await registerSwaggerUi(app, JSON.parse(description));
  await registerRedoc(app);
}

async function registerApplication(
  app: FastifyInstance,
  { storage }: Pick<Configuration, 'storage'>,
): Promise<void> {
  const policy = applicationPolicy(
    storage.kind === 's3' ? ["'self'", new URL(storage.endpoint).origin] : ["'self'"],
  );
  const linksOf = linksOfScreens(
    JSON.parse(await readFile(join(WEB, 'screens.json'), 'utf8')) as ScreenFiles,
  );
  await app.register(async (scope) => {
    scope.addHook('onSend', async (request, reply) => {
      reply.header('content-security-policy', policy);
      const links = linksOf(request.url.split('?', 1)[0]!);
      if (links) reply.header('link', links);
    });
    await scope.register(fastifyStatic, {
      root: WEB,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.startsWith(`${WEB}assets/`) ? NEVER_CHANGES : ASK_AGAIN);
      },
    });
    for (const path of SCREENS) {
      scope.get(path, { schema: { hide: true } }, (_request, reply) => reply.sendFile('index.html'));
    }
  });
}

async function registerSwaggerUi(app: FastifyInstance, document: object): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(swagger, { mode: 'static', specification: { document: document as never } });
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: POLICY.base + POLICY.swagger,
      // Without the bar on top, which would fetch any address.
      uiConfig: { layout: 'BaseLayout', validatorUrl: null, deepLinking: true },
      theme: { title: 'Normtrace API' },
    });
  });
}

const REDOC_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Normtrace API</title>
    <link rel="icon" href="/icon.svg">
    <link rel="stylesheet" href="/redoc/page.css">
  </head>
  <body>
    <redoc spec-url="/openapi.json"></redoc>
    <script src="/redoc/redoc.standalone.js"></script>
  </body>
</html>
`;

/** The only address outside that the viewer would ask for: a logo. */
const FOREIGN_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const NO_LOGO = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E';

async function registerRedoc(app: FastifyInstance): Promise<void> {
  const send = (reply: FastifyReply, type: string, content: string): FastifyReply =>
    reply
      .header('content-security-policy', POLICY.base + POLICY.redoc)
      .header('cache-control', 'public, max-age=3600')
      .type(`${type}; charset=utf-8`)
      .send(content);
  let script: Promise<string> | undefined;
  const readScript = async (): Promise<string> => {
    const file = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');
    return (await readFile(file, 'utf8')).replaceAll(FOREIGN_LOGO, NO_LOGO);
  };

  app.get('/redoc', { schema: { hide: true } }, async (_request, reply) =>
    send(reply, 'text/html', REDOC_PAGE),
  );
  app.get('/redoc/page.css', { schema: { hide: true } }, async (_request, reply) =>
    send(reply, 'text/css', 'body { margin: 0; }'),
  );
  app.get('/redoc/redoc.standalone.js', { schema: { hide: true } }, async (_request, reply) => {
    script ??= readScript();
    return send(reply, 'text/javascript', await script);
  });
}
