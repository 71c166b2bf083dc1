import { Readable } from 'node:stream';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { taggedAs } from './etag.js';
import { varyBy } from './vary.js';

const SMALLEST_BYTES = 4 * 1024;
/** Some of what the highest level saves, for a small part of its time. */
const LEVEL = 4;
const TEXT = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|image\/svg)/;

/**
 * Compresses answers of more than 4 KB for those who accept it. Not what is compressed already, and nothing that carries
 * a secret: the length of a compressed answer tells of its content to whoever can put words of their own into it (BREACH).
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!TEXT.test(String(reply.getHeader('content-type') ?? '')) || carriesSecret(request)) {
      done(null, payload);
      return;
    }
    varyBy(reply, 'Accept-Encoding');
    if (!isWanted(request, reply, payload)) {
      done(null, payload);
      return;
    }
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    const tag = reply.getHeader('etag');
    if (typeof tag === 'string') reply.header('etag', taggedAs(tag, 'gzip'));
    if (payload instanceof Readable) {
      const zip = createGzip({ level: LEVEL });
      payload.once('error', (error) => zip.destroy(error));
      zip.once('close', () => payload.destroy());
      done(null, payload.pipe(zip));
    } else gzip(payload as string | Buffer, { level: LEVEL }, done);
  });
}

function isWanted(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (request.method === 'HEAD' || reply.hasHeader('content-encoding') || reply.hasHeader('content-range'))
    return false;
  // A file is what its hash says, byte for byte, and tells its length.
  if (reply.hasHeader('content-disposition')) return false;
  return isLarge(reply, payload) && acceptsGzip(request.headers['accept-encoding']);
}

function isLarge(reply: FastifyReply, payload: unknown): boolean {
  if (payload instanceof Readable) {
    const length = reply.getHeader('content-length');
    return length === undefined || Number(length) > SMALLEST_BYTES;
  }
  if (typeof payload === 'string') return Buffer.byteLength(payload) > SMALLEST_BYTES;
  return Buffer.isBuffer(payload) && payload.length > SMALLEST_BYTES;
}

/** Tokens and passwords are answered below `/auth`, and where something is shown once. */
function carriesSecret(request: FastifyRequest): boolean {
  const { route } = request.routeOptions.config;
  return route !== undefined && (route.path.startsWith('/auth/') || route.shownOnce !== undefined);
}

/** RFC 9110, 12.5.3: named or `*`, and not refused with `q=0`. */
function acceptsGzip(header: string | string[] | undefined): boolean {
  const codings = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()));
  const chosen = codings.find(([name]) => name === 'gzip') ?? codings.find(([name]) => name === '*');
  return chosen !== undefined && !chosen.slice(1).some((part) => /^q=0(\.0*)?$/.test(part));
}
