import { Writable } from 'node:stream';
import fastify from 'fastify';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { TookTooLong, UniqueViolation } from '../database/errors.js';
import { sendError } from './error-envelope.js';

/** Answers a request whose handler throws; gives the answer and everything that was logged. */
async function answerTo(error: unknown) {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = fastify({ loggerInstance: pino(stream) as never });
  app.setErrorHandler(sendError);
  app.get('/', async () => {
    throw error;
  });
  const answer = await app.inject('/');
  await app.close();
  return { status: answer.statusCode, body: answer.json(), log: lines.join('') };
}

it.each([
  ['a statement', new TookTooLong(new Error('waited for a row'))],
  ['an answer of the engine', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
])('%s that was given up after its time is worth another try', async (_what, error) => {
  const { status, body } = await answerTo(error);
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(body.error.message).toContain('took longer than it may');
});

describe('an unexpected error', () => {
  const secret = 'the torque limit is 3 Nm';

  it.each([
    ['with words of a document', new Error(secret)],
    [
      'of the driver, which repeats values',
      Object.assign(new Error(secret), { code: '22001', detail: secret }),
    ],
    [
      'with such a cause',
      new UniqueViolation('some_key', Object.assign(new Error(secret), { detail: secret })),
    ],
    ['that is no error at all', { secret }],
    ['with a number for its code', Object.assign(new Error(secret), { code: 20 })],
  ])('%s is an opaque 500, and its words are not logged', async (_what, error) => {
    const { status, body, log } = await answerTo(error);
    expect([status, body.error.code, body.error.details]).toEqual([500, 'INTERNAL_ERROR', {}]);
    expect(JSON.stringify(body)).not.toContain(secret);
    expect(log).not.toContain(secret);
    expect(log).toContain('unexpected error');
  });

  it('can be found again by where it was thrown', async () => {
    const { log } = await answerTo(new Error('x'));
    expect(log).toContain('error-envelope.test');
  });
});
