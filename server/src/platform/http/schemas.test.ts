import { expect, test } from 'vitest';
import { timestamp } from './schemas.js';

test.each([
  '2026-01-31T09:30:00+00:00',
  '2026-01-31T09:30:00.1+00:00',
  '2026-01-31T09:30:00.12+00:00',
  '2026-01-31T09:30:00.123+00:00',
  '2026-12-31T23:59:59.999999+00:00',
  '0001-01-01T00:00:00+00:00',
  '2026-01-31T09:30:00.5+02:00',
  '2026-01-31T09:30:00Z',
  '2026-01-31 09:30:00+00',
])('the moment %s is written as a calendar would', (text) => {
  expect(timestamp(text)).toBe(new Date(text).toISOString());
  expect(timestamp(new Date(text))).toBe(new Date(text).toISOString());
});

test('what is no moment is no answer', () => {
  expect(() => timestamp('infinity')).toThrow(RangeError);
});
