import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { torture } from './torture.js';

// `npm run torture -- --workers 1000 --apis 200 --postgres 50`: how often each is killed at work; everything has a default.
const number = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    seed: number,
    workers: number,
    apis: number,
    postgres: number,
    clients: number,
    pause: number,
    minutes: number,
  },
});
const asNumber = (name: keyof typeof values, otherwise: number): number => {
  const given = values[name] === undefined ? otherwise : Number(values[name]);
  if (Number.isFinite(given) && given >= 0) return given;
  throw new Error(`--${name} takes a number.`);
};
const seed = asNumber('seed', randomInt(2 ** 31));
const tell = (line: string): void => console.info(`${new Date().toISOString().slice(11, 19)} ${line}`);
tell(`seed ${seed}`);
const outcome = await torture({
  seed,
  kills: { worker: asNumber('workers', 100), api: asNumber('apis', 20), postgres: asNumber('postgres', 5) },
  clients: asNumber('clients', 4),
  apis: 2,
  workers: 4,
  pause: asNumber('pause', 1),
  minutes: asNumber('minutes', 120),
  tell,
});
const { wrong, ...figures } = outcome;
tell(JSON.stringify(figures));
for (const one of wrong) tell(`WRONG ${one}`);
tell(
  wrong.length === 0
    ? 'nothing lost, nothing doubled, all results as without kills'
    : `${wrong.length} things are wrong`,
);
process.exit(wrong.length === 0 ? 0 : 1);
