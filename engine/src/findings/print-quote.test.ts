import { expect, it } from 'vitest';
import { printQuote } from './print-quote.js';

it('leaves a short quote whole', () => {
  expect(printQuote('The door is latched.', 20)).toBe('“The door is latched.”');
});

it('cuts at a word and marks the cut outside the quotation marks', () => {
  expect(printQuote('The door is latched by the actuator.', 22)).toBe('“The door is latched by” […]');
});

it('cuts a single long word where it has to', () => {
  expect(printQuote('x'.repeat(50), 10)).toBe(`“${'x'.repeat(10)}” […]`);
});
