import { quantitiesIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { patternOf } from '../../words/read-words.js';
import { firstOfEach, levelOf, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

const REACTIONS = ['warning', 'degradation', 'fault_reaction'] as const;

/**
 * What is lost by a fault is needed by the warning or the degradation of the same row: the only device that warns is the one that
 * failed, or the degraded function asks for the quantity whose signal is invalid.
 */
export function reactionNeedsWhatFailed({ facts }: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    facts.items.flatMap((item) => {
      const reactions = REACTIONS.flatMap((kind) => item.values.get(kind) ?? []);
      if (reactions.length === 0) return [];
      const faults = item.cells
        .filter((cell) => reactions.every(({ start }) => start !== cell.start))
        .flatMap((cell) => lostIn(cell.text).map((lost) => ({ cell, lost })));
      return faults.flatMap(({ cell, lost }) =>
        REACTIONS.flatMap((kind): StatedContradiction[] => {
          const value = item.values.get(kind);
          const needed = value && neededOf(value.text, lost, kind === 'warning');
          return needed ? [told(item, { fault: cell, reaction: value, lost, needed })] : [];
        }),
      );
    }),
  );
}

function told(
  item: StatedItem,
  {
    fault,
    reaction,
    lost,
    needed,
  }: {
    readonly fault: StatedValue;
    readonly reaction: StatedValue;
    readonly lost: string;
    readonly needed: string;
  },
): StatedContradiction {
  return {
    rule: 'reaction-needs-what-failed',
    item: `${item.key} ${item.document.id}`,
    asil: levelOf(item),
    confidence: 'medium',
    words: { item: item.id, lost, needed, title: reaction.title },
    affected: [item.id],
    evidence: [...shown(item, reaction, item.id), ...shown(item, fault, `${item.id}: ${fault.title}`)],
  };
}

/** What a fault takes away, in the words of its description. */
function lostIn(text: string): readonly string[] {
  const { before, after } = stateWords().lost;
  const words = '(?:\\p{L}[\\p{L}-]*\\s+){0,3}?\\p{L}[\\p{L}-]*';
  const patterns = [
    new RegExp(`(?<!\\p{L})(?:${before})\\s+(?<lost>(?:\\p{L}[\\p{L}-]*\\s*){1,5})`, 'giu'),
    new RegExp(`(?<lost>${words})\\s+(?:${after})(?!\\p{L})`, 'giu'),
  ];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => match.groups!.lost!.trim()),
  );
}

/** What of the lost things a reaction needs; undefined where it has another way. */
function neededOf(text: string, lost: string, isWarning: boolean): string | undefined {
  const { devices, quantities, substitutes } = stateWords();
  if (patternOf(`(?<!\\p{L})(?:${substitutes})`).test(text)) return undefined;
  const has = (where: string, words: readonly string[]) =>
    words.find((word) => patternOf(`(?<!\\p{L})\\p{L}*${word}(?:s|en|e|n)?(?!\\p{L})`).test(where));
  if (isWarning) {
    const failed = devices.filter((words) => has(lost, words));
    const used = devices.filter((words) => has(text, words));
    return used.length > 0 && used.every((one) => failed.includes(one)) ? has(text, used[0]!) : undefined;
  }
  const { above, below } = stateWords().limits;
  const compared = new RegExp(
    `(?<!\\p{L})(?:${[...above, ...below].join('|')})\\s+(?<limit>[^.;]{0,60})`,
    'giu',
  );
  for (const [kind, words] of Object.entries(quantities)) {
    const failed = has(lost, words);
    if (!failed) continue;
    const asked = [...text.matchAll(compared)].some(({ index, groups }) => {
      const unit = quantitiesIn(groups!.limit!)[0];
      return unit ? unit.kind === kind : has(text.slice(Math.max(0, index - 40), index), words) !== undefined;
    });
    if (asked) return failed;
  }
  return undefined;
}
