import { type Corpus, isWithin } from '../../corpus/corpus.js';
import type { DocumentPart } from '../../corpus/detect-document-types.js';
import { isFilled } from '../../corpus/placeholders/emptiness.js';
import { kindListed } from '../../words/artifact-types.js';
import { kindsOfTitle, type StatedKind } from './stated-columns.js';
import { statedFacts } from './stated-facts.js';
import { prefixOf, type StatedValue } from './stated-item.js';

/** Of one id alone it may be an example. */
const FEWEST_IDS = 2;
/** What every record has says nothing of its own. */
const OF_ALL: ReadonlySet<StatedKind> = new Set<StatedKind>([
  ...(['id', 'text', 'status', 'date', 'version', 'person', 'result', 'element', 'rationale'] as const),
]);

/**
 * What rows, cards and sentences of a part state about ids, whatever their columns are called: one value for each id that has one of the
 * kinds, of the kinds of ids of which half have one ("SG-1" and "SG-2", but not "HE-1"); undefined where there are none. `listed`: what a
 * title says that its rows are ("Safety goal table"), if it says so; others do not count.
 */
export function statedInPart(
  corpus: Corpus,
  part: DocumentPart,
  kinds: readonly StatedKind[],
  listed?: string,
): readonly StatedValue[] | undefined {
  const only = listed === undefined ? undefined : kindListed(listed);
  const groups = new Map<string, Map<string, StatedValue | undefined>>();
  for (const { hasId, key, type, values, passage } of statedFacts(corpus).items) {
    if (!hasId || passage.role !== 'body' || !isWithin([part], passage)) continue;
    if (only !== undefined && only !== 'requirement' && type !== only) continue;
    const group = type ?? prefixOf(key);
    const ids = groups.get(group) ?? new Map<string, StatedValue | undefined>();
    groups.set(group, ids);
    const value = kinds
      .map((kind) => values.get(kind))
      .find((one) => one !== undefined && isFilled(one.text));
    ids.set(key, ids.get(key) ?? value);
  }
  const told = [...groups.values()].flatMap((ids) => {
    const own = [...ids.values()].filter((value) => value !== undefined);
    return own.length < FEWEST_IDS || own.length * 2 < ids.size ? [] : own;
  });
  return told.length === 0 ? undefined : told;
}

/** Kinds of what stands under a title that tell something of their own. */
export const tellingKinds = (title: string): readonly StatedKind[] =>
  kindsOfTitle(title).filter((kind) => !OF_ALL.has(kind));
