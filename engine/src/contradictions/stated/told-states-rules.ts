import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { contentWords, wholeWord } from '../../facts/stated/content-words.js';
import { idsIn } from '../../facts/stated/stated-item.js';
import type { Evidence } from '../../findings/finding.js';
import { patternOf } from '../../words/read-words.js';
import {
  firstOfEach,
  isGoal,
  levelOf,
  overlap,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

/** What stands behind the id of a safe state, up to the end of its sentence, the cell or the next state. */
interface Description {
  readonly document: string;
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly evidence: Evidence;
}

/** "SS-2: output off", "safe state SS-2, output off": every description of a state that goals lead to, in whatever form. */
function descriptionsOf({ corpus, facts }: StatedContext): ReadonlyMap<string, readonly Description[]> {
  const states = new Set(
    facts.items.filter(isGoal).flatMap((item) => idsIn(textOf(item, 'safe_state')).map(({ key }) => key)),
  );
  const found = new Map<string, Description[]>();
  if (states.size === 0) return found;
  for (const { read, name } of usableDocuments(corpus)) {
    for (const passage of read.passages) {
      if (passage.role !== 'body') continue;
      let from = 0;
      for (const { id, key } of idsIn(passage.text)) {
        const at = passage.text.indexOf(id, from);
        if (at < 0) continue;
        from = at + id.length;
        if (!states.has(key)) continue;
        const behind = /^(?:\s?[:,(=–-]\s|\t)(?<text>[^.;\t\n)]{8,200})/u.exec(passage.text.slice(from));
        const next = behind && idsIn(behind.groups!.text!).find((one) => states.has(one.key));
        const text = next
          ? behind.groups!.text!.slice(0, behind.groups!.text!.indexOf(next.id))
          : (behind?.groups?.text ?? '');
        const stems = stemsOf(text);
        if (stems.size < FEWEST_STEMS) continue;
        const start = passage.start + from + behind![0].indexOf(behind!.groups!.text!);
        const evidence = quote(
          read.document,
          passage,
          { start, end: start + text.trimEnd().length },
          { role: 'counter', note: id },
        );
        found.set(key, [...(found.get(key) ?? []), { document: name, text: text.trim(), stems, evidence }]);
      }
    }
  }
  return found;
}
const FEWEST_STEMS = 3;

/** Where states are described again in the same words, one that is not is another state. Shares of words are our own. */
const SAME = 0.9;
const OTHER = 0.85;

/** One safe state is described in two documents, in other words than all others are. */
export function safeStateToldOtherwise(context: StatedContext): readonly StatedContradiction[] {
  const pairs = [...descriptionsOf(context)].flatMap(([key, all]) => {
    const [one] = all;
    const other = all.find(
      ({ document, stems }) => document !== one!.document && overlap(stems, one!.stems) <= OTHER,
    );
    const isAgain = all.some(
      ({ document, stems }) => document !== one!.document && overlap(stems, one!.stems) >= SAME,
    );
    return one ? [{ key, one, other, isAgain }] : [];
  });
  const again = pairs.filter(({ other, isAgain }) => isAgain && !other).length;
  const different = pairs.filter(({ other }) => other);
  if (again < 2 || different.length !== 1) return [];
  const goals = context.facts.items.filter((item) =>
    idsIn(textOf(item, 'safe_state')).some(({ key }) => key === different[0]!.key),
  );
  return different.map(
    ({ key, one, other }): StatedContradiction => ({
      rule: 'safe-state-of-goal-twice',
      item: `${key} described`,
      asil: levelOf(goals.find((goal) => levelOf(goal)) ?? goals[0]!),
      confidence: 'medium',
      words: { goal: goals[0]?.id ?? key, one: one.text.slice(0, 120), other: other!.text.slice(0, 120) },
      affected: [...new Set(goals.map(({ id }) => id))],
      evidence: [other!.evidence, one.evidence],
    }),
  );
}

/** A safe state that a person has to bring about, and nothing of the item does. */
export function safeStateLeftToPerson({ facts }: StatedContext): readonly StatedContradiction[] {
  const { acting, leftToPerson } = contentWords().requirements;
  const [acts, isLeft] = [wholeWord(acting), patternOf(leftToPerson)];
  return firstOfEach(
    facts.items.flatMap((item): StatedContradiction[] => {
      const value = item.values.get('safe_state');
      const match = value && isLeft.exec(value.text);
      if (!value || !match || acts.test(value.text.replace(match[0], ' '))) return [];
      return [
        {
          rule: 'safe-state-left-to-person',
          item: `${item.key} ${item.document.id}`,
          asil: levelOf(item),
          confidence: 'medium',
          words: { item: item.id, state: value.text.slice(0, 120) },
          affected: [item.id],
          evidence: shown(item, value, `${item.id}: ${value.title}`),
        },
      ];
    }),
  );
}
