import { expect, test } from 'vitest';
import { torture } from './torture.js';

test('what was acknowledged stays, once, while workers, API processes and PostgreSQL are killed', async () => {
  const lines: string[] = [];
  const { wrong, killed, resumption, rounds } = await torture({
    seed: 20_261_122,
    kills: { worker: 4, api: 1, postgres: 1 },
    clients: 1,
    apis: 2,
    workers: 2,
    pause: 1.5,
    minutes: 5,
    tell: (line) => lines.push(line),
  });
  console.info([...lines, JSON.stringify({ resumption, rounds })].join('\n'));
  expect(wrong, lines.join('\n')).toEqual([]);
  expect(killed.counted).toEqual({ worker: 4, api: 1, postgres: 1 });
  expect(rounds).toBeGreaterThan(0);
}, 600_000);
