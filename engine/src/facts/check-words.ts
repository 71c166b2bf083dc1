import { z } from 'zod';
import { listSchema, readWords } from '../words/read-words.js';

const schema = z.strictObject({
  roleWords: listSchema,
  verdicts: z.strictObject({ positive: listSchema, negative: listSchema }),
  closed: listSchema,
  version: z.string(),
  bareVersion: z.string(),
  versionBehind: z.string(),
  units: z.record(z.string(), z.record(z.string(), z.number().positive())),
  times: z.strictObject({ interval: listSchema, detection: listSchema, reaction: listSchema }),
  metrics: z.strictObject({ spfm: listSchema, lfm: listSchema, pmhf: listSchema }),
  milestones: z.string(),
  independence: z.string(),
  experience: z.string(),
});

/** Words that checks need beside the general lists, from `data/words/checks.yaml`. */
export const checkWords = () => readWords('checks', schema);
