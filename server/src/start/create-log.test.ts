import { expect, test } from 'vitest';
import { createLog } from './create-log.js';

const WORDS = 'The torque limit is 3 Nm';

test.each<[string, (log: ReturnType<typeof createLog>) => void]>([
  ['an error alone', (log) => log.warn(new Error(WORDS))],
  ['an error with its own words as the text', (log) => log.info({ err: new Error(WORDS) }, WORDS)],
  ['an error without a text', (log) => log.error({ err: new Error(WORDS) })],
  ['an error of a child', (log) => log.child({ request_id: 'r1' }).error(new Error(WORDS))],
  ['a request', (log) => log.info({ req: { url: `/?search=${WORDS}` } }, 'incoming request')],
  [
    'what the reader of forms is given',
    (log) => log.trace({ busboyOptions: { headers: { a: WORDS } } }, 'x'),
  ],
])('%s comes into the log without its words', (_, say) => {
  const lines: string[] = [];
  say(createLog('trace', { write: (line) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain(WORDS);
});

test('a text of ours stays, and so does where an error was thrown', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  log.warn({ err: new TypeError(WORDS), check: 'storage' }, 'health check failed');
  log.info({ job: 'a.b' }, 'job done');
  const stack = expect.stringContaining('create-log.test');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: 'health check failed', check: 'storage', err: { type: 'TypeError', stack } },
    { msg: 'job done', job: 'a.b' },
  ]);
});
