import { createDocumentReader, type DocumentReader } from '@normtrace/engine';
import type { FastifyInstance } from 'fastify';
import { createEngine, type Engine } from './modules/engine/engine.js';
import { startRetention } from './modules/retention/sweep.js';
import { startSweepingObjects } from './modules/retention/sweep-objects.js';
import { type KeptViews, keepViews } from './modules/traceability/kept-views.js';
import type { Dependencies } from './platform/dependencies.js';
import { createCursorCodec } from './platform/http/cursor.js';
import { startHousekeeping } from './platform/http/housekeeping.js';
import { registerPages } from './platform/http/pages.js';
import { createRateLimiter } from './platform/http/rate-limit.js';
import { registerRoutes } from './platform/http/register-routes.js';
import { createServer } from './platform/http/server.js';
import { createIdentity } from './platform/identity/identity.js';
import { loadPermissionTable } from './platform/identity/permissions.js';
import { serviceSecret } from './platform/identity/service-secret.js';
import { localCheckoutPages } from './platform/payments/local-checkout-routes.js';
import { acceptEventStreams, endStreams } from './platform/progress/event-streams.js';
import { routes } from './routes.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** For answers that take long to compute; jobs have an engine of their own. */
    readonly engine: Engine;
    /** Draws pages, in processes of its own: who turns pages waits for no computed answer. */
    readonly pageDrawer: DocumentReader;
    readonly traceViews: KeptViews;
  }
}

/** Answers computed at the same time; more wait. */
const ENGINE_THREADS = 2;
/** Pages drawn at the same time; more wait. */
const DRAWING_PROCESSES = 2;

/**
 * The HTTP application, ready to listen or to be injected into. The same in production and in tests.
 *
 * How a module adds an operation:
 *  1. `modules/<resource>/<resource>.routes.ts` exports an array of routes made with `readRoute`, `writeRoute`,
 *     `plainRoute` or `openRoute` (see `platform/http/route.ts`). A route is data: operation, path, zod schemas,
 *     permission, examples, and a handler of some ten lines that calls the module's service or repository.
 *  2. `routes.ts` names that array. That is all: authentication, rate limit, permission, subscription gate,
 *     idempotency, ETag, validation, error envelope, log and API description follow from the data.
 *  3. `data/roles.yaml` has the permission; a route without one does not start.
 *  4. `testing/isolation/` has a row for it; a route without one fails the tests.
 *  5. `npm run check` says when `openapi.json` is stale; `npm run generate` writes it.
 */
export async function buildApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { configuration, database, log, metrics, traces } = dependencies;
  const identity = await createIdentity(dependencies);
  const limiter = createRateLimiter(database, {
    capacity: configuration.rateLimitBurst,
    perMinute: configuration.rateLimitPerMinute,
  });
  const browserLimiter = createRateLimiter(database, {
    capacity: configuration.rateLimitBrowserBurst,
    perMinute: configuration.rateLimitBrowserPerMinute,
  });
  const app = await createServer({ dependencies, identity, limiter, browserLimiter });
  const engine = createEngine({
    size: ENGINE_THREADS,
    pool: 'answers',
    metrics,
    traces,
  });
  app.decorate('engine', engine);
  const pageDrawer = createDocumentReader({ concurrency: DRAWING_PROCESSES });
  app.decorate('pageDrawer', pageDrawer);
  const traceViews = keepViews();
  app.decorate('traceViews', traceViews);
  const housekeeping = startHousekeeping(database, log);
  const retention = startRetention(dependencies);
  const objects = startSweepingObjects(dependencies);
  app.addHook('onClose', async () => {
    housekeeping.stop();
    retention.stop();
    objects.stop();
    await Promise.all([engine.close(), pageDrawer.close()]);
    traceViews.close();
    await identity.close();
  });
  await registerPages(app, configuration);
  await localCheckoutPages(app, dependencies);
  if (configuration.auth.kind === 'jwks' && configuration.auth.client) {
    const { externalSignInPages } = await import('./modules/auth/external-sign-in.pages.js');
    externalSignInPages(app, dependencies);
  }
  await acceptEventStreams(app, database, metrics);
  identity.whenChanged((userId) => endStreams(app, userId));
  registerRoutes(app, routes, {
    dependencies,
    identity,
    cursors: createCursorCodec(serviceSecret(database, 'cursors')),
    permissions: loadPermissionTable(),
  });
  return app;
}
