import type { Readable } from 'node:stream';
import type {} from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { DiskStorage } from './disk-storage.js';

/** Receives files at the addresses that the disk storage signs. No bearer token: the signature is the permission. */
export async function uploadRoute(app: FastifyInstance, storage: DiskStorage): Promise<void> {
  await app.register(async (scope) => {
    // The body goes to disk as it arrives, whatever its type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.put<{ Params: { '*': string }; Querystring: Record<string, string>; Body: Readable | undefined }>(
      '/uploads/*',
      { schema: { hide: true } },
      async (request, reply) => {
        await storage.receive({
          method: request.method,
          key: request.params['*'],
          query: request.query,
          contentType: request.headers['content-type'],
          contentLength: request.headers['content-length'],
          body: request.body ?? request.raw,
        });
        return reply.code(200).send();
      },
    );
  });
}
