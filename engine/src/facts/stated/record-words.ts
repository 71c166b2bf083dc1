import { z } from 'zod';
import { listSchema, readWords } from '../../words/read-words.js';

const schema = z.strictObject({
  frontMatter: z.strictObject({
    document_id: listSchema,
    version: listSchema,
    date: listSchema,
    author: listSchema,
  }),
  approvedOn: listSchema,
  versionOfDay: z.string(),
  versionAfter: z.string(),
  versionAfterName: z.string(),
  notYet: listSchema,
  open: listSchema,
  allClosed: listSchema,
  followUp: listSchema,
  reviewHeadings: listSchema,
  reviewers: listSchema,
  assessments: listSchema,
  authored: listSchema,
  assessors: listSchema,
  roleBefore: z.string(),
  roleAfter: z.string(),
  roleListed: z.string(),
  tailoredOut: listSchema,
  notUsed: z.string(),
  partWork: z.record(z.string(), listSchema),
  begins: listSchema,
  ends: listSchema,
  noReason: z.string(),
  genericWords: listSchema,
  activities: z.string(),
  deniedAfter: z.string(),
  deniedBefore: z.string(),
  nothing: z.string(),
  reasoned: z.string(),
  holds: z.string(),
});

/** The word list `stated-records`. */
export const recordWords = () => readWords('stated-records', schema);
