import { expect, it } from 'vitest';
import { withoutConditions } from './without-conditions.js';

const flat = (texts: readonly string[]) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());

it('drops each side of an `and`, also within parentheses', () => {
  expect(flat(withoutConditions("((a = ' and ') OR ((b) AND (c IS NULL)))"))).toEqual([
    "((a = ' and ') OR ( true AND (c IS NULL)))",
    "((a = ' and ') OR ((b) AND true ))",
  ]);
});

it('drops a lone condition of a `where`, and nothing of what has none', () => {
  expect(flat(withoutConditions('select 1 from t where a = 1 returning b; -- where x and y'))).toEqual([
    'select 1 from t where true returning b; -- where x and y',
  ]);
  expect(withoutConditions('(a = 1)')).toEqual([]);
});
