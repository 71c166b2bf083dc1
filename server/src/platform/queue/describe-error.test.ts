import { expect, test } from 'vitest';
import { describeError } from './describe-error.js';

const CONTENT = 'The torque limit is 3 Nm';

function thrown(make: () => Error): Error {
  try {
    throw make();
  } catch (error) {
    return error as Error;
  }
}

test.each<[string, () => Error]>([
  ['a message', () => new Error(CONTENT)],
  ['a message of several lines', () => new Error(`first\n    at ${CONTENT}\nlast`)],
  ['details of the database', () => Object.assign(new Error('failed'), { detail: CONTENT, where: CONTENT })],
  ['a cause', () => new Error('outer', { cause: new Error(CONTENT) })],
  ['a code that is a sentence', () => Object.assign(new Error('failed'), { code: CONTENT })],
  ['a name that is a sentence', () => Object.assign(new Error('failed'), { name: CONTENT })],
])('%s does not reach the log', (_, make) => {
  expect(JSON.stringify(describeError(thrown(make)))).not.toContain(CONTENT);
});

test('says type, code and place, of the cause too', () => {
  const cause = Object.assign(new TypeError(CONTENT), { code: '22P02' });
  const description = describeError(thrown(() => new RangeError(CONTENT, { cause })));
  expect(description).toMatchObject({ type: 'RangeError', cause: { type: 'TypeError', code: '22P02' } });
  expect(description.stack).toContain('describe-error.test');
  expect(description.cause?.stack).toContain('describe-error.test');
});

test('ends for causes that go in a circle', () => {
  const error = new Error('one');
  error.cause = error;
  expect(JSON.stringify(describeError(error)).match(/"type"/g)).toHaveLength(6);
});

test('says only the kind of what is not an error', () => {
  expect(describeError(CONTENT)).toEqual({ type: 'string', stack: '' });
});
