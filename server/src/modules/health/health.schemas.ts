import { z } from 'zod';

const Check = z.enum(['ok', 'down']);

export const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']).meta({
      description:
        '`degraded`: something that only background work needs is missing, or room on the disk runs out. `down` answers 503.',
    }),
    version: z.string(),
    checks: z.object({
      database: Check,
      storage: Check,
      queue: Check,
      disk: z
        .enum(['ok', 'low', 'down'])
        .optional()
        .meta({
          description:
            'Room on the disk of `DATA_DIR`, when database or documents are there. `low`: less than `MIN_FREE_BYTES`, uploads ' +
            'are refused. `down`: nothing can be written.',
        }),
    }),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

export const Alive = z.object({ status: z.literal('ok') }).meta({ id: 'Alive' });
