import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPieces } from './json-pieces.js';

describe('JSON in pieces', () => {
  it('is what JSON.stringify gives', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('leaves out what is undefined, and writes null for it in lists', () => {
    const value = { a: undefined, b: [undefined, 1], c: { d: undefined }, e: new Date(0), f: [] };
    expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value, null, 2));
  });

  it('makes no piece of a whole list', () => {
    const value = { artifacts: Array.from({ length: 1000 }, (_, id) => ({ id, text: 'x'.repeat(100) })) };
    const longest = Math.max(...[...jsonPieces(value)].map((piece) => piece.length));
    expect(longest).toBeLessThan(200);
  });
});
