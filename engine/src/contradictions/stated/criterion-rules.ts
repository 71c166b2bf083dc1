import { quantitiesIn } from '../../facts/quantities.js';
import { beginning, contentWords, wholeWord } from '../../facts/stated/content-words.js';
import { stateWords } from '../../facts/stated/state-words.js';
import { patternOf } from '../../words/read-words.js';
import { focused, nameOf, textsById } from './requirement-texts.js';
import {
  firstOfEach,
  higherLevel,
  levelOf,
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
