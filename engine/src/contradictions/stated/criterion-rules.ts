import { quantitiesIn } from '../../facts/quantities.js';
import { beginning, contentWords, wholeWord } from '../../facts/stated/content-words.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem } from '../../facts/stated/stated-item.js';
import { patternOf } from '../../words/read-words.js';
import { focused, nameOf, textsById } from './requirement-texts.js';
import {
  firstOfEach,
  higherLevel,
  isGoal,
  levelOf,
  parentItems,
  type StatedContext,
  type StatedContradiction,
  shown,
  tested,
  textOf,
} from './stated-rule.js';

/** Verification criteria that no result can fail. */
export function criterionUndecided({ facts }: StatedContext): readonly StatedContradiction[] {
  const pattern = beginning(contentWords().requirements.undecided);
  const found = facts.items.flatMap((item) =>
    (['criterion', 'expected'] as const).flatMap((kind) => {
      const value = item.values.get(kind);
      const match = value && pattern.exec(value.text);
      return value && match ? [{ item, value, match }] : [];
    }),
  );
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ item }) => item.id))];
  return [
    {
      rule: 'criterion-undecided',
      item: 'criteria',
      asil: found.map(({ item }) => levelOf(item)).reduce(higherLevel, undefined),
      confidence: 'medium',
      words: { items: ids, said: found[0]!.match[0] },
      affected: ids,
      evidence: found
        .slice(0, 4)
        .map(({ item, value, match }) => focused(item, value, match, `${item.id}: ${value.title}`)),
    },
  ];
}

const REQUIREMENTS: ReadonlySet<string> = new Set([
  'functional_safety_requirement',
  'technical_safety_requirement',
  'hardware_requirement',
  'software_requirement',
]);

/** Demands that leave open what is to be met: "fast enough", "if possible", without any number. */
export function requirementUndecidable({ facts }: StatedContext): readonly StatedContradiction[] {
  const { undecidable } = contentWords().hazards;
  const pattern = wholeWord([...undecidable, ...contentWords().requirements.leftOpen]);
  const modal = new RegExp(`(?<!\\p{L})(?:${stateWords().modal}|should|sollten?)(?!\\p{L})`, 'iu');
  const found = facts.items.flatMap((item) => {
    const value = item.values.get('text');
    if (!item.hasId || !value || !REQUIREMENTS.has(item.type ?? '')) return [];
    if (!modal.test(value.text) || quantitiesIn(value.text).length > 0) return [];
    const match = pattern.exec(value.text);
    return match ? [{ item, value, match }] : [];
  });
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ item }) => item.id))];
  return [
    {
      rule: 'requirement-undecidable',
      item: 'requirements',
      asil: found.map(({ item }) => levelOf(item)).reduce(higherLevel, undefined),
      confidence: 'medium',
      words: { items: ids, said: [...new Set(found.map(({ match }) => match[0].toLowerCase()))].join(', ') },
      affected: ids,
      evidence: found.slice(0, 4).map(({ item, value, match }) => focused(item, value, match, item.id)),
    },
  ];
}

/** A test only looks at something, and what it is to show happens: "visual inspection, look at the drawing" for "removed within 20 ms". */
export function methodCannotShow(context: StatedContext): readonly StatedContradiction[] {
  const { looks, measures, seen } = contentWords().requirements;
  const [isLook, isMeasured, canBeSeen] = [wholeWord(looks), wholeWord(measures), wholeWord(seen)];
  return firstOfEach(
    context.facts.items.flatMap((test): StatedContradiction[] => {
      const requirements = tested(context, test).filter((one) => one.values.has('text'));
      const [first] = requirements;
      if (!first || test.values.has('result')) return [];
      const expected = test.values.get('expected');
      const verifies = test.values.get('verifies') ?? test.values.get('parent');
      // What is done: a sentence up to what it expects, and of a row all cells but the ones that say what is wanted.
      const done =
        test.how === 'sentence'
          ? [...(test.values.has('text') ? [test.values.get('text')!] : [])]
          : test.cells.filter(({ start }) => start !== expected?.start && start !== verifies?.start);
      const value = done.find(({ text }) => isLook.test(text));
      if (!value || done.some(({ text }) => isMeasured.test(text))) return [];
      const wanted = [...requirements.map((one) => textOf(one, 'text')), expected?.text ?? ''];
      if (wanted.some((text) => canBeSeen.test(text))) return [];
      return [
        {
          rule: 'method-cannot-show',
          item: test.key,
          asil: [test, ...requirements].map(levelOf).reduce(higherLevel, undefined),
          confidence: 'medium',
          words: { test: test.id, requirement: first.id, method: value.text.slice(0, 120) },
          affected: [test.id, ...new Set(requirements.map(({ id }) => id))],
          evidence: [
            focused(test, value, isLook.exec(value.text)!, `${test.id}: ${value.title}`),
            ...shown(first, first.values.get('text'), first.id),
          ],
        },
      ];
    }),
  );
}

/** A verification criterion compares with another limit than the requirement of its row names. */
export function criterionOtherLimit(context: StatedContext): readonly StatedContradiction[] {
  const texts = textsById(context);
  const pattern = new RegExp(stateWords().parameterName, 'gu');
  const limits = (text: string) =>
    (text.match(pattern) ?? []).filter((name) =>
      patternOf(`^${contentWords().requirements.limitName}$`, 'u').test(name),
    );
  return firstOfEach(
    context.facts.items.flatMap((item): StatedContradiction[] => {
      const criterion = item.values.get('criterion');
      const name = nameOf(item);
      if (!criterion || name === undefined) return [];
      const own = item.values.has('text')
        ? [item]
        : (texts.get(name) ?? []).filter(({ document }) => document === item.document);
      const numbered = own.filter((one) => one.values.has('asil')).length;
      const demanded = own.flatMap((one) => limits(textOf(one, 'text')));
      const tested = limits(criterion.text);
      const other = tested.find((one) => !demanded.includes(one));
      if (demanded.length === 0 || numbered > 1 || !other || tested.some((one) => demanded.includes(one)))
        return [];
      return [
        {
          rule: 'criterion-other-limit',
          item: `${item.document.id} ${name}`,
          asil: levelOf(own[0]!),
          confidence: 'medium',
          words: { item: item.id, other, demanded: [...new Set(demanded)].join(', ') },
          affected: [item.id],
          evidence: [
            ...shown(item, criterion, `${item.id}: ${criterion.title}`),
            ...shown(own[0]!, own[0]!.values.get('text'), item.id),
          ],
        },
      ];
    }),
  );
}

/** So many of the functional requirements may name parts of a design before that is how their authors write. Our own. */
const DESIGNED = 0.34;

/**
 * A functional safety requirement says how hardware or software is built: registers, port pins, functions of the code. What it demands is then
 * fixed before it was refined. Source of the rule: ISO 26262-3:2018, 7.4.2 (functional requirements are independent of the implementation).
 */
export function requirementPrescribesDesign(context: StatedContext): readonly StatedContradiction[] {
  const pattern = wholeWord(contentWords().requirements.design);
  const functional = context.facts.items.filter((item) => isFunctional(context, item));
  const found = functional.flatMap((item) => {
    const value = item.values.get('text');
    const match = value && pattern.exec(value.text);
    return value && match ? [{ item, value, match }] : [];
  });
  if (found.length > Math.max(1, functional.length * DESIGNED)) return [];
  return firstOfEach(
    found.map(({ item, value, match }) => ({
      rule: 'requirement-prescribes-design',
      item: item.key,
      asil: levelOf(item),
      confidence: 'medium',
      words: { item: item.id, said: match[0] },
      affected: [item.id],
      evidence: [focused(item, value, match, item.id)],
    })),
  );
}

/** By its type, or a demand of a functional safety concept that comes from goals alone. */
function isFunctional(context: StatedContext, item: StatedItem): boolean {
  if (!item.hasId || !item.values.has('text') || isGoal(item)) return false;
  if (item.type === 'functional_safety_requirement') return true;
  const isInConcept = item.document.parts.some(
    ({ typeId, whole }) => whole && typeId === 'functional_safety_concept',
  );
  const parents = parentItems(context, item);
  const fromGoals = parents.length > 0 && parents.every((parent) => isGoal(parent));
  return fromGoals
    ? !item.values.has('expected') && item.type !== 'technical_safety_requirement'
    : isInConcept && parents.length > 0;
}
