import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const Survivors = z.array(
  z.strictObject({
    reason: z.string().min(20),
    kinds: z.array(z.string()).min(1),
    mutants: z
      .array(
        z
          .string()
          .min(1)
          .transform((text) => new RegExp(text)),
      )
      .min(1),
  }),
);

/** The mutants that may live, each with its reason. */
export const loadSurvivors = (): z.infer<typeof Survivors> =>
  Survivors.parse(
    parse(
      readFileSync(
        new URL('../../../../src/testing/isolation/stated/survivors.yaml', import.meta.url),
        'utf8',
      ),
    ),
  );
