import { z } from 'zod';
import { compactTitle } from '../../words/column-titles.js';
import { listSchema, readWords } from '../../words/read-words.js';

const STATED_KINDS = [
  ...(['id', 'text', 'asil', 'interval', 'detection', 'reaction', 'safe_state', 'allocation'] as const),
  ...(['parent', 'verifies', 'criterion', 'expected', 'stimulus', 'precondition'] as const),
  ...(['severity', 'exposure', 'controllability', 'rationale'] as const),
  ...(['severity_rationale', 'exposure_rationale', 'controllability_rationale'] as const),
  ...([
    'parameter',
    'value',
    'unit',
    'malfunction',
    'situation',
    'inside',
    'element',
    'decision',
    'phase',
  ] as const),
  ...(['activity', 'measure', 'work_product', 'version', 'date', 'person', 'result', 'status'] as const),
  ...(['required_independence', 'planned_independence', 'fault_reaction', 'degradation', 'warning'] as const),
] as const;
/** What a column, a field or a sentence states about its subject. */
export type StatedKind = (typeof STATED_KINDS)[number];

const kindSchema = z.strictObject({ titles: listSchema, contains: listSchema.default([]) });
const schema = z.strictObject({
  kinds: z.strictObject(
    Object.fromEntries(STATED_KINDS.map((kind) => [kind, kindSchema])) as Record<
      StatedKind,
      typeof kindSchema
    >,
  ),
  identifier: z.string(),
  sentences: z.strictObject({ interval: listSchema, detection: listSchema, reaction: listSchema }),
});

/** The word list `stated-columns`. */
export const statedWords = () => readWords('stated-columns', schema);

let compiled:
  | {
      readonly exact: ReadonlyMap<string, readonly StatedKind[]>;
      readonly parts: readonly (readonly [string, StatedKind])[];
    }
  | undefined;

/** What a title may mean, the likeliest first; a title may be that of several kinds ("Requirement"). */
export function kindsOfTitle(title: string): readonly StatedKind[] {
  if (!compiled) {
    const exact = new Map<string, StatedKind[]>();
    const parts: [string, StatedKind][] = [];
    for (const kind of Object.keys(statedWords().kinds) as StatedKind[]) {
      const { titles, contains } = statedWords().kinds[kind];
      for (const one of titles) exact.set(compactTitle(one), [...(exact.get(compactTitle(one)) ?? []), kind]);
      for (const part of contains) parts.push([compactTitle(part), kind]);
    }
    compiled = { exact, parts };
  }
  const bare = compactTitle(title.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' '));
  const whole = compiled.exact.get(bare) ?? [];
  const partly = compiled.parts.filter(([part]) => bare.includes(part)).map(([, kind]) => kind);
  return [...new Set([...whole, ...partly])];
}
