import { identifiersIn } from '../../facts/artifacts/identifiers.js';
import { quantitiesIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import { idsIn, prefixOf, type StatedItem } from '../../facts/stated/stated-item.js';
import { tablesOfItems } from './set-rules.js';
import { oppositeStates } from './state-rules.js';
import {
  higherLevel,
  isGoal,
  levelOf,
  overlap,
  parentItems,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

/** Shares of words from which on two texts are two wordings of one statement. */
const SAME_STATEMENT = 0.6;
const FEWEST_WORDS = 4;

/**
 * A goal, event or requirement says one thing in one document and another in the next: another limit, a denial that the other lacks,
 * the opposite state. Ids that a document gives to several texts number different things and are left out.
 */
export function textDiffers({ facts }: StatedContext): readonly StatedContradiction[] {
  return definedInDocuments(facts.byKey.values()).flatMap(([one, other]): StatedContradiction[] => {
    const [a, b] = [textOf(one, 'text'), textOf(other, 'text')];
    const difference = overlap(stemsOf(a), stemsOf(b)) >= SAME_STATEMENT ? differenceOf(a, b) : undefined;
    if (!difference) return [];
    return [
      {
        rule: 'text-differs',
        item: one.key,
        asil: higherLevel(levelOf(one), levelOf(other)),
        confidence: 'medium',
        words: {
          item: one.id,
          one: difference.one,
          other: difference.other,
          document: one.document.name,
          document2: other.document.name,
        },
        affected: [one.id],
        evidence: [
          ...shown(one, one.values.get('text'), `in "${one.document.name}"`),
          ...shown(other, other.values.get('text'), `in "${other.document.name}"`),
        ],
      },
    ];
  });
}

/** Goals, events and requirements whose words were replaced from one document to the next: one entry for each pair of documents. */
export function textReworded({ facts }: StatedContext): readonly StatedContradiction[] {
  const pairs = new Map<string, (readonly [StatedItem, StatedItem])[]>();
  for (const [one, other] of definedInDocuments(facts.byKey.values())) {
    const [a, b] = [textOf(one, 'text'), textOf(other, 'text')];
    const [mine, theirs] = [stemsOf(a), stemsOf(b)];
    const isNarrowed = isGoal(one) && isNarrower(a, b);
    if (Math.min(mine.size, theirs.size) < FEWEST_WORDS && !isNarrowed) continue;
    if (overlap(mine, theirs) === 1 && !isNarrowed) continue;
    if (overlap(mine, theirs) >= SAME_STATEMENT && differenceOf(a, b)) continue;
    const name = `${one.document.id}\n${other.document.id}`;
    pairs.set(name, [...(pairs.get(name) ?? []), [one, other]]);
  }
  return [...pairs].map(([name, found]): StatedContradiction => {
    const [[first, other]] = found as [readonly [StatedItem, StatedItem]];
    const ids = found.map(([{ id }]) => id);
    return {
      rule: 'text-reworded',
      item: name.replace('\n', ' '),
      asil: undefined,
      confidence: 'medium',
      words: { items: ids, document: first.document.name, document2: other.document.name },
      affected: ids,
      evidence: found
        .slice(0, 3)
        .flatMap(([a, b]) => [
          ...shown(a, a.values.get('text'), `${a.id} in "${a.document.name}"`),
          ...shown(b, b.values.get('text'), `${b.id} in "${b.document.name}"`),
        ]),
    };
  });
}

/** One of two texts holds only beyond a speed, a level, … that the other does not name; times often stand in a column of their own. */
function isNarrower(a: string, b: string): boolean {
  const [mine, theirs] = [a, b].map((text) => quantitiesIn(text).filter(({ kind }) => kind !== 'time'));
  return (mine!.length === 0) !== (theirs!.length === 0);
}

/** Goals, events and requirements that two documents define, each with one text. */
function definedInDocuments(
  items: Iterable<readonly StatedItem[]>,
): readonly (readonly [StatedItem, StatedItem])[] {
  return [...items].flatMap((same): (readonly [StatedItem, StatedItem])[] => {
    const defined = same.filter(
      (item) =>
        item.how !== 'sentence' &&
        textOf(item, 'text') !== '' &&
        (item.values.has('asil') || item.values.has('severity')) &&
        identifiersIn(item.id)[0]?.family !== 'other',
    );
    const byDocument = new Map<StatedItem['document'], StatedItem[]>();
    for (const item of defined)
      byDocument.set(item.document, [...(byDocument.get(item.document) ?? []), item]);
    const isNumbered = [...byDocument.values()].some(
      (own) => new Set(own.map((item) => bare(textOf(item, 'text')))).size > 1,
    );
    const [one, other] = [...byDocument.values()].map(([first]) => first!);
    return isNumbered || !one || !other ? [] : [[one, other]];
  });
}

const bare = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** How two wordings of one statement contradict each other, in their own words. */
function differenceOf(a: string, b: string): { readonly one: string; readonly other: string } | undefined {
  const [mine, theirs] = [quantitiesIn(a), quantitiesIn(b)];
  const alone = mine.filter((one) => theirs.every((two) => one.kind !== two.kind || one.value !== two.value));
  const counterpart = alone
    .map((one) => ({
      one,
      other: theirs.find(
        (two) =>
          two.kind === one.kind && mine.every((own) => own.kind !== two.kind || own.value !== two.value),
      ),
    }))
    .find(({ other }) => other);
  if (counterpart) return { one: counterpart.one.written, other: counterpart.other!.written };
  const opposite = oppositeStates(a, b, false);
  if (opposite)
    return { one: `${opposite.thing} ${opposite.one}`, other: `${opposite.thing} ${opposite.other}` };
  const [deniedHere, deniedThere] = [a, b].map(negationsIn);
  if (deniedHere! % 2 !== deniedThere! % 2) return { one: a.slice(0, 120), other: b.slice(0, 120) };
  return undefined;
}

function negationsIn(text: string): number {
  const { negations } = stateWords();
  return (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => negations.includes(word)).length;
}

/** Fewer words of content say too little about what a requirement is about. */
const FEWEST_CONTENT = 3;
/** A table says little about refinement when fewer rows than this, or than this share of them, repeat words of their source. */
const FEWEST_ROWS = 5;
const USUAL_SHARE = 0.8;

/** So many words, and so large a share, that stand nowhere else: the text is about something that nothing else is about. Our own. */
const FEWEST_FOREIGN = 2;
const FOREIGN = 0.3;
/** So large a share of its words, at least three, in another one of the same kind: a link is rather meant to lead there. Our own. */
const RATHER_THERE = 0.5;

/**
 * A requirement has no word in common with the requirement that it says that it refines, nor with what refines or tests it, in a table
 * whose other rows have some: its link, or its text, is that of something else. It is told where the words are those of another requirement
 * of the kind that it refines, or several of them stand nowhere else: causes and parts that a requirement does not name are ones of the item.
 * Requirements below goals are left out; names of elements do not count.
 */
export function refinementOfOther(context: StatedContext): readonly StatedContradiction[] {
  const { facts } = context;
  const below = new Map<string, StatedItem[]>();
  for (const item of facts.items) {
    const keys = new Set(
      (['parent', 'verifies'] as const).flatMap((kind) => idsIn(textOf(item, kind)).map(({ key }) => key)),
    );
    for (const key of keys) below.set(key, [...(below.get(key) ?? []), item]);
  }
  return tablesOfItems(facts.items).flatMap((rows) => {
    const linked = rows.flatMap((row) => {
      // Without a title: told by what stands above the table, for all of its rows.
      const isLed = row.values.get('parent')?.title === '';
      if (!row.hasId || isLed || !row.values.has('asil') || textOf(row, 'text') === '') return [];
      const parents = parentItems(context, row).filter(
        (one) => textOf(one, 'text') !== '' && !isGoal(one) && prefixOf(one.key) !== prefixOf(row.key),
      );
      const elements = stemsOf([row, ...parents].map((one) => textOf(one, 'allocation')).join(' '));
      const own = contentOf(row, elements);
      const above = new Set(parents.flatMap((one) => [...contentOf(one, elements)]));
      if (own.size < FEWEST_CONTENT || above.size < FEWEST_CONTENT) return [];
      const near = new Set((below.get(row.key) ?? []).flatMap((one) => [...contentOf(one, elements)]));
      const shares = (others: ReadonlySet<string>) => [...own].some((stem) => isIn(stem, others));
      return [{ row, parents, own, elements, fits: shares(above), isAlone: !shares(near) }];
    });
    const usual = linked.filter(({ fits }) => fits).length;
    if (linked.length < FEWEST_ROWS || usual < linked.length * USUAL_SHARE) return [];
    // What belongs together in words under one origin does not belong to another one.
    const withSiblings = ({ row, parents, own, elements }: (typeof linked)[number]) => {
      const others = linked.filter(
        (one) => one.row.key !== row.key && one.parents.some((parent) => parents.includes(parent)),
      );
      const said = new Set(others.flatMap((one) => [...contentOf(one.row, elements)]));
      return [...own].filter((stem) => isIn(stem, said)).length >= SHARED_WITH_SIBLINGS;
    };
    return linked
      .filter(({ fits, isAlone }) => !fits && isAlone)
      .filter((one) => !withSiblings(one))
      .filter(({ row, parents, own, elements }) => {
        const common = (others: ReadonlySet<string>) => [...own].filter((stem) => isIn(stem, others)).length;
        const kinds = new Set(parents.map(({ key }) => prefixOf(key)));
        const isOfOther = facts.items.some(
          (one) =>
            kinds.has(prefixOf(one.key)) &&
            one.hasId &&
            !parents.includes(one) &&
            common(contentOf(one, elements)) >= Math.max(3, own.size * RATHER_THERE),
        );
        if (isOfOther) return true;
        const rest = facts.items.flatMap((one) =>
          one.key === row.key ? [] : one.cells.map(({ text }) => text),
        );
        const foreign = own.size - common(stemsOf(rest.join(' ').replaceAll('_', ' ')));
        return foreign >= Math.max(FEWEST_FOREIGN, own.size * FOREIGN);
      })
      .map(({ row, parents }): StatedContradiction => {
        const parent = parents[0]!;
        return {
          rule: 'refinement-of-other',
          item: `${row.key} ${parent.key}`,
          asil: higherLevel(levelOf(row), levelOf(parent)),
          confidence: 'medium',
          words: {
            child: row.id,
            parents: [...new Set(parents.map(({ id }) => id))],
            usual,
            rows: linked.length,
          },
          affected: [row.id, parent.id],
          evidence: [
            ...shown(row, row.values.get('text'), row.id),
            ...shown(parent, parent.values.get('text'), parent.id),
          ],
        };
      });
  });
}

/** So many words of content that a row shares with others of the same origin. Our own. */
const SHARED_WITH_SIBLINGS = 2;

/** What an item says about its content: text, test and reaction; names of parameters by their parts. */
function contentOf(item: StatedItem, elements: ReadonlySet<string>): ReadonlySet<string> {
  const kinds = ['text', 'criterion', 'fault_reaction', 'stimulus', 'precondition', 'expected'] as const;
  const said = kinds.map((kind) => textOf(item, kind)).join(' ');
  return new Set([...stemsOf(said.replaceAll('_', ' '))].filter((stem) => !elements.has(stem)));
}

/** Compounds count by their parts: "Klemmkraft" and "Klemmkraftüberwachung". */
const isIn = (stem: string, others: ReadonlySet<string>) =>
  others.has(stem) ||
  (stem.length >= 5 &&
    [...others].some((other) => other.length >= 5 && (other.includes(stem) || stem.includes(other))));
