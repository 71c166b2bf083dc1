import { z } from 'zod';
import { listSchema, readWords } from '../../words/read-words.js';

const kinds = ['more', 'less', 'early', 'late', 'lost', 'as meant'] as const;
const schema = z.strictObject({
  hazards: z.strictObject({
    circumstances: z.array(z.array(listSchema)),
    reasons: z.strictObject({ severity: listSchema, exposure: listSchema }),
    onlyRefers: z.string(),
    deferred: z.string(),
    decided: listSchema,
    takenFrom: listSchema,
    besideTaken: listSchema,
    classWords: listSchema,
    misuse: listSchema,
    failure: listSchema,
    guideWords: z.array(
      z.strictObject({
        kind: z.string(),
        guide: listSchema,
        says: listSchema,
        not: z.array(z.enum(kinds)),
      }),
    ),
    instead: z.record(z.enum(kinds), listSchema),
    solutions: listSchema,
    operated: listSchema,
    undecidable: listSchema,
    town: listSchema,
    uncontrolled: listSchema,
    persons: listSchema,
  }),
  requirements: z.strictObject({
    measureZero: listSchema,
    passive: listSchema,
    leftToPerson: z.string(),
    unchanged: listSchema,
    lessened: listSchema,
    onlyTells: listSchema,
    driverActs: z.string(),
    driverTitle: z.string(),
    limited: z.array(listSchema),
    switched: z.array(listSchema.length(2)),
    looks: listSchema,
    measures: listSchema,
    seen: listSchema,
    acting: listSchema,
    reached: listSchema,
    limitName: z.string(),
    limitCommanded: z.string(),
    notStated: listSchema,
    undecided: listSchema,
    leftOpen: listSchema,
    design: listSchema,
    manual: listSchema,
    assumed: listSchema,
    independence: listSchema,
    shown: listSchema,
    managing: listSchema,
    nobody: listSchema,
    responsibleTitle: listSchema,
    rivals: z.array(listSchema.min(2)),
    subjectEnds: z.string(),
    functionWords: z.string(),
  }),
});

/** The word list `stated-content`. */
export const contentWords = () => readWords('stated-content', schema);

const compiled = new WeakMap<readonly string[], RegExp>();

/** One of the patterns, from the beginning of a word to wherever it ends. */
export function beginning(patterns: readonly string[]): RegExp {
  return known(patterns, '');
}

/** One of the patterns as a whole word; a list is asked in one of the two ways only. */
export function wholeWord(patterns: readonly string[]): RegExp {
  return known(patterns, '(?![\\p{L}\\p{N}_])');
}

function known(patterns: readonly string[], end: string): RegExp {
  let pattern = compiled.get(patterns);
  if (!pattern) {
    // One look at the letters around for all of them: compiling one takes longer than most texts take to be read.
    pattern = new RegExp(
      `(?<![\\p{L}\\p{N}_])(?:${patterns.map((one) => `(?:${one})`).join('|')})${end}`,
      'iu',
    );
    compiled.set(patterns, pattern);
  }
  return pattern;
}
