import { z } from 'zod';
import { plainTitle } from '../../documents/named-columns.js';
import type { Severity } from '../../findings/finding.js';
import { plainValue } from '../../text/plain-value.js';
import { listSchema, readWords } from '../../words/read-words.js';

/** What a column of a checklist holds. */
export type ChecklistColumn =
  | 'id'
  | 'text'
  | 'reference'
  | 'severity'
  | 'guidance'
  | 'result'
  | 'remark'
  | 'evidence';

/** What a person answered; `open` is no answer yet. */
export type WrittenAnswer = 'pass' | 'fail' | 'NA' | 'open';

const schema = z.strictObject({
  columns: z.strictObject({
    id: listSchema,
    text: listSchema,
    reference: listSchema,
    severity: listSchema,
    guidance: listSchema,
    result: listSchema,
    remark: listSchema,
    evidence: listSchema,
  } satisfies Record<ChecklistColumn, typeof listSchema>),
  answers: z.strictObject({ pass: listSchema, fail: listSchema, NA: listSchema, open: listSchema }),
  crosses: listSchema,
  severities: z.strictObject({
    critical: listSchema,
    high: listSchema,
    medium: listSchema,
    low: listSchema,
  }),
});

interface ColumnWords {
  readonly titles: ReadonlyMap<ChecklistColumn, readonly string[]>;
  readonly answers: ReadonlyMap<string, WrittenAnswer>;
  readonly severities: ReadonlyMap<string, Severity>;
  readonly crosses: ReadonlySet<string>;
  /** Some words of each kind, for messages. */
  readonly examples: { readonly answers: string; readonly severities: string };
}

let known: ColumnWords | undefined;

/** Titles and values of `words/own-checklists.yaml`, in the spelling in which they are compared. */
export function columnWords(): ColumnWords {
  known ??= build();
  return known;
}

function build(): ColumnWords {
  const words = readWords('own-checklists', schema);
  const titles = Object.entries(words.columns) as [ChecklistColumn, string[]][];
  return {
    titles: new Map(titles.map(([key, list]) => [key, list.map(plainTitle)])),
    answers: byWord<WrittenAnswer>(words.answers),
    severities: byWord<Severity>(words.severities),
    crosses: new Set(words.crosses.map(plainValue)),
    examples: {
      answers:
        'yes/no/n.a., ja/nein/entf., OK/NOK, pass/fail, ✓/✗; leave the cell empty where nobody answered',
      severities: Object.keys(words.severities).join(', '),
    },
  };
}

function byWord<Value extends string>(lists: Record<Value, readonly string[]>): ReadonlyMap<string, Value> {
  const entries = Object.entries(lists) as [Value, readonly string[]][];
  return new Map(entries.flatMap(([value, list]) => list.map((word) => [plainValue(word), value] as const)));
}
