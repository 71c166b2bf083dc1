import { z } from 'zod';

const Check = z.enum(['ok', 'down']);

export const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']).meta({
      description: '`degraded`: something that only background work needs is missing. `down` answers 503.',
    }),
    version: z.string(),
    checks: z.object({ database: Check, storage: Check, queue: Check }),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

export const Alive = z.object({ status: z.literal('ok') }).meta({ id: 'Alive' });
