import { describe, expect, it } from 'vitest';
import { hasPassed } from './processor-time.js';

describe('the second of processor time at which a task ends', () => {
  it.each([
    [0, 5, false],
    [15, 14, false],
    [15, 16, true],
  ])('%d at second %d: %s', (end, now, expected) => {
    expect(hasPassed(Float64Array.of(end), () => now)).toBe(expected);
  });

  it('has not passed for a task that is done while the time is asked for', () => {
    const endsAt = Float64Array.of(15);
    const seconds = () => {
      endsAt[0] = 0;
      return 1;
    };
    expect(hasPassed(endsAt, seconds)).toBe(false);
  });
});
