import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

const PAGE = new URL('../../../web/index.html', import.meta.url);

/** The page at `/`. It loads nothing from elsewhere and runs no script. */
export async function webPage(app: FastifyInstance): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  app.get('/', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page),
  );
}
