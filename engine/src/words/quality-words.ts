import { z } from 'zod';
import type { BothLanguages } from '../data/shared-schemas.js';
import { anyOf, listSchema, readWords } from './read-words.js';

const rewriteSchema = z.strictObject({ en: z.string().min(1), de: z.string().min(1) });
const ruleSchema = z.strictObject({
  id: z.string().regex(/^RQQ-\d\d$/),
  severity: z.enum(['high', 'medium', 'low']),
  finding: z.strictObject({ en: z.string().min(1), de: z.string().min(1) }),
  why: z.strictObject({ en: z.string().min(1), de: z.string().min(1) }),
  rewrite: rewriteSchema,
  flags: z.string().optional(),
  pattern: z.string().optional(),
  absent: z.boolean().optional(),
  tail: z.strictObject({ characters: z.int().min(1), pattern: z.string() }).optional(),
  excuse: z.string().optional(),
  tailExcuse: z.string().optional(),
  excused: listSchema.optional(),
  finds: listSchema.optional(),
  spares: listSchema.optional(),
});
const earsSchema = z.strictObject({ flags: z.string(), pattern: z.string() });
const wordsSchema = z.strictObject({
  normative: z.string(),
  asides: z.string(),
  reaction: z.string(),
  afterNormative: z.string(),
  trigger: z.string(),
  timeBound: z.string(),
  time: z.string(),
  physical: z.string(),
  unbounded: z.string(),
  timeFields: listSchema,
  setValue: z.string(),
  tolerance: z.string(),
  comparative: z.string(),
  comparedWith: z.string(),
  designContent: z.string(),
  grouped: z.string(),
  conjunction: z.string(),
  disjunction: z.string(),
  acronyms: listSchema,
  capitals: listSchema,
});
const levelSchema = z.enum(['goal', 'functional', 'technical', 'system', 'software', 'hardware']);
const schema = z.strictObject({
  rules: z.array(ruleSchema),
  ears: z.strictObject({
    unwanted: earsSchema,
    event: earsSchema,
    state: earsSchema,
    optional: earsSchema,
    ubiquitous: earsSchema,
  }),
  words: wordsSchema,
  quantities: z.record(z.string(), z.record(z.string(), z.number().positive())),
  levels: z.record(z.string(), levelSchema),
  levelsOfDocuments: z.record(z.string(), levelSchema),
  columns: z.strictObject({ id: z.string(), notText: z.string() }),
  attributes: listSchema,
});

/** Where in the V-model a requirement stands; decides what may be said in it. */
export type RequirementLevel = z.output<typeof levelSchema>;
/** The shapes of the Easy Approach to Requirements Syntax (domain G.4). */
export type EarsPattern = keyof z.output<typeof schema>['ears'];
export type QualitySeverity = 'high' | 'medium' | 'low';

/** A rule of domain G.2. */
export interface QualityRule {
  /** `RQQ-01` to `RQQ-28`. */
  readonly id: string;
  readonly severity: QualitySeverity;
  /** For a person: what was found, why it matters, the shape of a better text in English and German. */
  readonly finding: BothLanguages;
  readonly why: BothLanguages;
  readonly rewrite: { readonly en: string; readonly de: string };
  /** Of rules that words alone decide. */
  readonly words?: WordRule;
}

export interface WordRule {
  /** Global. */
  readonly expression: RegExp;
  /** The finding is that the expression is not there. */
  readonly absent: boolean;
  /** A hit does not count when this follows within so many characters. */
  readonly tail?: { readonly characters: number; readonly expression: RegExp };
  /** Anywhere in the text: no hit counts. */
  readonly excuse?: RegExp;
  /** Right behind the hit: it does not count. */
  readonly tailExcuse?: RegExp;
  /** Test vectors. */
  readonly finds: readonly string[];
  readonly spares: readonly string[];
  readonly excused: readonly string[];
}

type Expressions = Exclude<keyof z.output<typeof wordsSchema>, 'timeFields' | 'acronyms' | 'capitals'>;

export interface QualityWords {
  readonly rules: ReadonlyMap<string, QualityRule>;
  /** In the order in which they are tried. */
  readonly ears: readonly { readonly name: EarsPattern; readonly expression: RegExp }[];
  readonly expressions: Readonly<Record<Expressions, RegExp>>;
  readonly timeFields: ReadonlySet<string>;
  /** Words in capitals that need no explanation. */
  readonly knownCapitals: ReadonlySet<string>;
  /** Every unit with its quantity and its size in that quantity's first unit. */
  readonly units: ReadonlyMap<string, { readonly quantity: string; readonly size: number }>;
  readonly levels: Readonly<Record<string, RequirementLevel>>;
  readonly levelsOfDocuments: Readonly<Record<string, RequirementLevel>>;
  /** Titles of columns with identifiers, and of columns that explain. */
  readonly columns: { readonly id: RegExp; readonly notText: RegExp };
  /** Fields that every requirement has once one of its set has them. */
  readonly attributes: readonly string[];
}

let compiled: QualityWords | undefined;

/** The rules of `data/words/requirement-quality.yaml`, compiled once. Throws when the file cannot be used. */
export function qualityWords(): QualityWords {
  if (compiled) return compiled;
  const data = readWords('requirement-quality', schema);
  const { timeFields, acronyms, capitals, ...expressions } = data.words;
  const ears = Object.entries(data.ears) as [EarsPattern, z.output<typeof earsSchema>][];
  compiled = {
    rules: new Map(data.rules.map((entry) => [entry.id, toRule(entry)])),
    ears: ears.map(([name, { pattern, flags }]) => ({ name, expression: new RegExp(pattern, `u${flags}`) })),
    expressions: Object.fromEntries(
      // Code and parts are known by their capitals.
      Object.entries(expressions).map(([name, pattern]) => [
        name,
        anyOf([pattern], name === 'designContent' ? 'gu' : 'giu'),
      ]),
    ) as Record<Expressions, RegExp>,
    timeFields: new Set(timeFields),
    knownCapitals: new Set([...acronyms, ...capitals]),
    units: new Map(
      Object.entries(data.quantities).flatMap(([quantity, units]) =>
        Object.entries(units).map(([unit, size]) => [unit, { quantity, size }] as const),
      ),
    ),
    levels: data.levels,
    levelsOfDocuments: data.levelsOfDocuments,
    columns: { id: new RegExp(data.columns.id, 'u'), notText: new RegExp(data.columns.notText, 'iu') },
    attributes: data.attributes,
  };
  return compiled;
}

function toRule({ id, severity, finding, why, rewrite, ...entry }: z.output<typeof ruleSchema>): QualityRule {
  const { pattern, flags = '', absent = false, tail, excuse, tailExcuse } = entry;
  const rule = { id, severity, finding, why, rewrite };
  if (pattern === undefined) return rule;
  return {
    ...rule,
    words: {
      expression: new RegExp(pattern, `gu${flags}`),
      absent,
      ...(tail ? { tail: { characters: tail.characters, expression: new RegExp(tail.pattern, 'u') } } : {}),
      ...(excuse ? { excuse: new RegExp(excuse, 'iu') } : {}),
      ...(tailExcuse ? { tailExcuse: new RegExp(tailExcuse, 'iu') } : {}),
      finds: entry.finds ?? [],
      spares: entry.spares ?? [],
      excused: entry.excused ?? [],
    },
  };
}
