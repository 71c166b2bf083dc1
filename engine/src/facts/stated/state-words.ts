import { z } from 'zod';
import { anyOf, listSchema, patternOf, readWords } from '../../words/read-words.js';

const ratingSchema = z.array(z.strictObject({ class: z.int().min(0).max(4), words: listSchema }));
const shareSchema = z.array(
  z.strictObject({
    class: z.int().min(0).max(4),
    not: z.array(z.int().min(0).max(4)),
    says: z.string(),
  }),
);
const schema = z.strictObject({
  opposites: z.array(z.tuple([z.string(), z.string()])),
  staying: listSchema,
  between: listSchema,
  negations: listSchema,
  limits: z.strictObject({ by: listSchema, above: listSchema, below: listSchema, within: listSchema }),
  atLeast: listSchema,
  limitsBehind: z.strictObject({ least: listSchema, within: listSchema, above: listSchema }),
  permits: listSchema,
  faults: listSchema,
  checks: z.strictObject({ inBrackets: listSchema, bare: listSchema }),
  outsideInterval: listSchema,
  shares: z.strictObject({ shareOfPersons: z.string(), controlled: listSchema, uncontrolled: listSchema }),
  tellsDriver: listSchema,
  safeStateHeadings: listSchema,
  reasonOfLevel: z.string(),
  lasting: listSchema,
  timesOfOthers: listSchema,
  periods: listSchema,
  delays: listSchema,
  prepositions: listSchema,
  expects: z.string(),
  nothingHappens: listSchema,
  conditions: listSchema,
  detects: listSchema,
  afterDetection: listSchema,
  safeStateSaid: listSchema,
  detected: listSchema,
  later: listSchema,
  modal: z.string(),
  marks: z.strictObject({ set: listSchema, unset: z.array(z.string()) }),
  partOf: z.strictObject({
    titles: listSchema,
    says: z.string(),
    with: z.string(),
    up: z.string(),
    down: z.string(),
  }),
  boundary: z.strictObject({
    yes: listSchema,
    no: listSchema,
    titles: z.string(),
    headings: z.string(),
    otherTitles: z.string(),
    insideCells: listSchema,
    outsideCells: listSchema,
    insideCell: z.string(),
    outsideCell: z.string(),
    insideSentence: z.string(),
    outsideSentence: z.string(),
    inside: listSchema,
    outside: listSchema,
    insideLists: listSchema.min(1),
    outsideLists: listSchema.min(1),
    outsideHeading: z.string(),
    broughtLists: listSchema.min(1),
    assumed: z.string(),
    liesIn: z.string(),
    others: z.string(),
    layers: listSchema,
  }),
  compliance: z.strictObject({ yes: z.string(), no: z.string() }),
  total: z.string(),
  functionTitle: z.string(),
  excused: z.string(),
  lost: z.strictObject({ before: z.string(), after: z.string() }),
  tells: listSchema,
  carriers: z.strictObject({
    generic: listSchema,
    before: listSchema,
    not: listSchema,
    broken: z.string(),
    condition: z.string(),
  }),
  senders: z.strictObject({
    article: z.string(),
    ends: z.string(),
    own: z.string(),
    lost: z.string(),
    lossOf: z.string(),
    isLost: z.string(),
    sentBy: z.string(),
    sends: z.string(),
    title: z.string(),
    instead: z.string(),
    empty: z.string(),
    guards: z.string(),
  }),
  devices: z.array(listSchema),
  quantities: z.record(z.string(), listSchema),
  substitutes: z.string(),
  parameterName: z.string(),
  valuedName: z.string(),
  ratings: z.strictObject({ exposure: ratingSchema, severity: ratingSchema, controllability: ratingSchema }),
  sharesOfClasses: z.strictObject({
    exposure: shareSchema,
    of: z.string(),
    exposureBands: z.array(
      z.strictObject({ class: z.int(), from: z.number(), to: z.number(), not: z.array(z.int()) }),
    ),
    controllability: shareSchema,
  }),
  ratingNegation: z.string(),
  changes: z.strictObject({
    from: z.string(),
    to: z.string(),
    arrow: z.string(),
    insteadOf: z.string(),
    oldTitle: z.string(),
    newTitle: z.string(),
    found: z.string(),
  }),
});

/** The word list `stated-states`. */
export const stateWords = () => readWords('stated-states', schema);

/** A demand, or a part of it, that tells persons something: it acts beside the safe state. */
export const tellsTheDriver = (text: string): boolean => anyOf(stateWords().tellsDriver).test(text);

/** A level that is written with a reason: "A (measure against latent faults)". */
export const isReasonedLevel = (written: string): boolean =>
  patternOf(stateWords().reasonOfLevel).test(written);
