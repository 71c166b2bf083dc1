import { z } from 'zod';
import { COLUMN_MEANINGS, compactTitle, forEach, meaningOfTitles } from '../../words/column-titles.js';
import { listSchema, readWords } from '../../words/read-words.js';
import { ARTIFACT_TYPES } from '../artifacts/artifact.js';
import { extractionWords } from '../artifacts/extraction-words.js';
import { typeOfListed } from '../artifacts/infer-type.js';

const STATED_KINDS = [
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
  identifier: z.string(),
});

/** The word list `stated-columns`. */
export const statedWords = () => readWords('stated-columns', schema);

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
  compiled ??= STATED_KINDS.flatMap((kind) =>
    statedWords().kinds[kind].contains.map((part) => [compactTitle(part), kind] as const),
  );
  const bare = title.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ');
  const compact = compactTitle(bare);
  const meaning = meaningOfTitles().get(compact);
  const listed = typeOfListed(bare, extractionWords());
  const whole = STATED_KINDS.filter((kind) => {
    const { of, types } = statedWords().kinds[kind];
    return (meaning && of.includes(meaning)) || (listed && types.includes(listed));
  });
  const partly = compiled.filter(([part]) => compact.includes(part)).map(([, kind]) => kind);
  return [...new Set([...whole, ...partly])];
}
