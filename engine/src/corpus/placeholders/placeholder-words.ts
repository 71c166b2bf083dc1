import { z } from 'zod';
import type { LocalWords } from '../../sentences/sentence.js';
import { listSchema, readWords } from '../../words/read-words.js';

const patternSchema = z.strictObject({
  id: z.string().regex(/^PH-\d\d$/),
  what: z.strictObject({ en: z.string().min(1), de: z.string().min(1) }),
  severity: z.enum(['high', 'medium', 'low']),
  confidence: z.number().min(0).max(1),
  flags: z.string(),
  pattern: z.string(),
  onlyIn: z.enum(['metadata', 'empty_section']).optional(),
  exceptTags: z.boolean().optional(),
  finds: listSchema,
  spares: listSchema,
});
const filtersSchema = z.strictObject({
  settled: z.string(),
  settledAfter: z.string(),
  aboutPlaceholders: z.string(),
  ruleHeadings: z.string(),
  modalBefore: z.string(),
  agentBehind: z.string(),
  code: z.string(),
  scheme: z.string(),
  partNumber: z.string(),
  expands: z.string(),
  foreign: z.string(),
  aboutOpenPoints: z.string(),
  bits: z.string(),
  bitRow: z.string(),
  owner: z.string(),
  due: z.string(),
});
const schema = z.strictObject({
  hint: z.string(),
  patterns: z.array(patternSchema),
  fillers: z.array(z.string()),
  answers: z.array(z.strictObject({ fillers: listSchema, columns: listSchema })),
  filters: filtersSchema,
});

export interface PlaceholderPattern {
  readonly id: string;
  /** For a person. */
  readonly what: LocalWords;
  readonly severity: 'high' | 'medium' | 'low';
  readonly confidence: number;
  /** Global. */
  readonly expression: RegExp;
  readonly onlyIn?: 'metadata' | 'empty_section';
  /** HTML tags and attributes do not count. */
  readonly exceptTags: boolean;
  /** Test vectors. */
  readonly finds: readonly string[];
  readonly spares: readonly string[];
}

export interface PlaceholderWords {
  /** Every text with open content matches it; most texts do not, and need no further look. */
  readonly hint: RegExp;
  readonly patterns: readonly PlaceholderPattern[];
  readonly fillers: ReadonlySet<string>;
  readonly answers: readonly { readonly fillers: readonly string[]; readonly columns: readonly string[] }[];
  readonly filters: Readonly<Record<keyof z.output<typeof filtersSchema>, RegExp>>;
}

let compiled: PlaceholderWords | undefined;

/** The patterns and filters of `data/words/placeholders.yaml`, compiled once. */
export function placeholderWords(): PlaceholderWords {
  if (compiled) return compiled;
  const words = readWords('placeholders', schema);
  const filters = Object.entries(words.filters).map(([name, pattern]) => [name, new RegExp(pattern, 'iu')]);
  compiled = {
    hint: new RegExp(words.hint, 'iu'),
    patterns: words.patterns.map(({ pattern, flags, exceptTags, onlyIn, ...rest }) => ({
      ...rest,
      expression: new RegExp(pattern, `g${flags}`),
      exceptTags: exceptTags ?? false,
      ...(onlyIn ? { onlyIn } : {}),
    })),
    fillers: new Set(words.fillers.map((filler) => filler.toLowerCase())),
    answers: words.answers,
    filters: Object.fromEntries(filters),
  };
  return compiled;
}
