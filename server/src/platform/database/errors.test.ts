import { expect, it } from 'vitest';
import {
  CheckViolation,
  DatabaseUnavailable,
  ForeignKeyViolation,
  isWorthRepeating,
  TookTooLong,
  translateError,
  UniqueViolation,
} from './errors.js';

const failure = (message: string, about: object = {}): Error => Object.assign(new Error(message), about);

it.each([
  failure('write EPIPE', { code: 'EPIPE' }),
  failure('read ECONNRESET', { code: 'ECONNRESET' }),
  failure('connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }),
  failure('connect ENOENT /run/.s.PGSQL.5432', { code: 'ENOENT' }),
  failure('Connection terminated unexpectedly'),
  failure('Connection terminated due to connection timeout'),
  failure('Client has encountered a connection error and is not queryable'),
  failure('Client was closed and is not queryable'),
  failure('timeout exceeded when trying to connect'),
  failure('terminating connection due to administrator command', { code: '57P01' }),
  failure('the database system is starting up', { code: '57P03' }),
  failure('sorry, too many clients already', { code: '53300' }),
  failure('connection failure', { code: '08006' }),
])('no connection: %s', (error) => {
  expect(translateError(error)).toBeInstanceOf(DatabaseUnavailable);
  expect(isWorthRepeating(error)).toBe(false);
});

it.each([
  ['23505', UniqueViolation],
  ['23503', ForeignKeyViolation],
  ['23514', CheckViolation],
] as const)('a broken constraint: %s', (code, kind) => {
  const translated = translateError(failure('…', { code, constraint: 'standards_name' }));
  expect(translated).toBeInstanceOf(kind);
  expect(translated).toMatchObject({ constraint: 'standards_name' });
  expect(translateError(translated)).toBe(translated);
});

it('a statement that was given up after its time, which no job tries again without end', () => {
  const translated = translateError(
    failure('canceling statement due to statement timeout', { code: '57014' }),
  );
  expect(translated).toBeInstanceOf(TookTooLong);
  expect(translated).not.toBeInstanceOf(DatabaseUnavailable);
});

it.each(['40001', '40P01'])('a transaction that may be tried again: %s', (code) => {
  expect(isWorthRepeating(failure('…', { code }))).toBe(true);
});

it.each([
  failure('syntax error', { code: '42601' }),
  failure('not ours'),
  'no error at all',
  undefined,
  null,
])('anything else as it is: %s', (error) => {
  expect(translateError(error)).toBe(error);
  expect(isWorthRepeating(error)).toBe(false);
});
