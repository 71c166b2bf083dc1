import { z } from 'zod';
import {
  COLUMN_MEANINGS,
  compactTitle,
  forEach,
  meaningOfTitles,
  titlesOf,
} from '../../words/column-titles.js';
import { listSchema, readWords } from '../../words/read-words.js';
import { ARTIFACT_TYPES } from '../artifacts/artifact.js';
import { extractionWords } from '../artifacts/extraction-words.js';
import { lowercaseId, namedId, wordedId } from '../artifacts/identifiers.js';
import { typeOfListed } from '../artifacts/infer-type.js';

export const STATED_KINDS = [
  ...(['id', 'asil', 'interval', 'detection', 'reaction', 'handling', 'safe_state', 'allocation'] as const),
  ...(['parent', 'verifies', 'criterion', 'expected', 'measured', 'stimulus', 'precondition'] as const),
  ...(['severity', 'exposure', 'controllability', 'rationale'] as const),
  ...(['severity_rationale', 'exposure_rationale', 'controllability_rationale'] as const),
  ...(['parameter', 'value', 'unit', 'malfunction', 'situation', 'inside', 'element'] as const),
  ...(['circumstance', 'guideword', 'deviation'] as const),
  ...(['decision', 'phase', 'activity', 'measure', 'work_product', 'version', 'date', 'person'] as const),
  ...(['result', 'status', 'required_independence', 'planned_independence'] as const),
  ...(['fault_reaction', 'compliance', 'degradation', 'warning', 'text'] as const),
] as const;
/** What a column, a field or a sentence states about its subject. */
export type StatedKind = (typeof STATED_KINDS)[number];

const kindSchema = z.strictObject({
  of: z.array(z.enum(COLUMN_MEANINGS)).default([]),
  contains: listSchema.default([]),
  types: z.array(z.enum(ARTIFACT_TYPES)).default([]),
});
const schema = z.strictObject({
  kinds: z.strictObject(forEach(STATED_KINDS, kindSchema)),
  times: z.strictObject({ detection: listSchema, reaction: listSchema }),
  reasonTitles: listSchema,
  countsFrom: listSchema,
  timeOfSubject: z.strictObject({ en: z.string(), de: z.string() }),
  identifier: z.string(),
});

/** The word list `stated-columns`. */
export const statedWords = () => readWords('stated-columns', schema);

/** Pattern of an identifier: letters and numbers, a prefix and words, or a name and a number. */
export function identifierPattern(): string {
  pattern ??= `(?:${namedId()}|${statedWords().identifier}|${lowercaseId()}|${wordedId()})`;
  return pattern;
}
let pattern: string | undefined;

/** Kinds that a column or field is only where its words are ids of others. */
export const LINKS: readonly StatedKind[] = ['parent', 'verifies'];

let compiled: readonly (readonly [string, StatedKind])[] | undefined;

/** What a title may mean, the likeliest first; a title may be that of several kinds ("Requirement"). */
export function kindsOfTitle(title: string): readonly StatedKind[] {
  let kinds = known.get(title);
  if (!kinds) {
    kinds = readKinds(title);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(title, kinds);
  }
  return kinds;
}

/** Tables repeat their titles: the most recent ones are looked up once. */
const known = new Map<string, readonly StatedKind[]>();
const MOST_KNOWN = 5_000;

function readKinds(title: string): readonly StatedKind[] {
  const bare = title.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ');
  const kinds = kindsOf(bare);
  // "Time limit (FTTI)": what stands in brackets is the name that people know.
  const inBrackets = /\(([^)]*)\)/u.exec(title)?.[1];
  return kinds.length === 0 && inBrackets !== undefined ? kindsOf(inBrackets) : kinds;
}

const REASONED = ['severity', 'exposure', 'controllability'] as const;

/** Words of a title that say nothing of what it is about. */
const BESIDE: ReadonlySet<string> = new Set([
  'of',
  'for',
  'the',
  'von',
  'für',
  'der',
  'die',
  'des',
  'zu',
  'zur',
]);

/** "Why this severity", "Reason for the exposure class", "Reason of S", "Begr. S". */
function reasonKind(bare: string): StatedKind | undefined {
  const words = bare
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && !BESIDE.has(word));
  if (words.length > 5 || !words.some((word) => statedWords().reasonTitles.includes(word))) return undefined;
  const rating = REASONED.find((kind) =>
    statedWords()
      .kinds[kind].of.flatMap(titlesOf)
      .some((name) => (name.length > 1 || words.length === 2) && words.includes(name.toLowerCase())),
  );
  return rating && `${rating}_rationale`;
}

function kindsOf(bare: string): readonly StatedKind[] {
  compiled ??= STATED_KINDS.flatMap((kind) =>
    statedWords().kinds[kind].contains.map((part) => [compactTitle(part), kind] as const),
  );
  const compact = compactTitle(bare);
  const meaning = meaningOfTitles().get(compact);
  const listed = typeOfListed(bare, extractionWords());
  const whole = STATED_KINDS.filter((kind) => {
    const { of, types } = statedWords().kinds[kind];
    return (meaning && of.includes(meaning)) || (listed && types.includes(listed));
  });
  const partly = compiled.filter(([part]) => compact.includes(part)).map(([, kind]) => kind);
  const reason = whole.length === 0 ? reasonKind(bare) : undefined;
  return [...new Set([...whole, ...(reason ? [reason] : []), ...partly])];
}
