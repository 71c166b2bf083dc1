import { expect, test } from 'vitest';
import { proposeLinks } from './propose-links.js';

const PARENTS = [
  'The brake shall hold the parked vehicle on every slope.',
  'The seat shall be heated by a mat.',
  'The lamp shall warn the driver.',
];
const LIKE_THE_FIRST = Array.from(
  { length: 9 },
  (_, at) => `The brake shall hold the parked vehicle on a slope of ${at + 3} percent.`,
);

test('children of one parent do not take it from each other', async () => {
  // Others are much nearer to the first parent; it is its parent nevertheless.
  const children = [...LIKE_THE_FIRST, 'The vehicle shall stay parked while the seat is empty.'];
  const proposed = await proposeLinks(children, PARENTS, { limit: 1 });
  expect(proposed.map(([first]) => first!.text)).toEqual(children.map(() => 0));
});

test('more than a thousand texts are ranked by their words, in blocks that no page knows', async () => {
  const queries = Array.from({ length: 1001 }, (_, at) => LIKE_THE_FIRST[at % LIKE_THE_FIRST.length]!);
  const model = {
    id: 'none',
    dimensions: 1,
    embed: () => Promise.reject(new Error('asked for an embedding')),
  };
  const proposed = await proposeLinks(queries, PARENTS, { model, limit: 1 });
  expect(proposed.map((own) => own[0]!.text)).toEqual(queries.map(() => 0));
  await expect(proposeLinks(LIKE_THE_FIRST, PARENTS, { model, limit: 1 })).rejects.toThrow(
    'asked for an embedding',
  );
});
