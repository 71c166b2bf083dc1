import { asilFromRatings } from '../../asil/asil.js';
import { quote } from '../../corpus/evidence.js';
import { readRating } from '../../facts/field.js';
import { type Quantity, quantitiesIn } from '../../facts/quantities.js';
import { contentWords, wholeWord } from '../../facts/stated/content-words.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { say } from '../../sentences/sentence.js';
import { normaliseText } from '../../text/normalise.js';
import { anyOf, patternOf } from '../../words/read-words.js';
import { tablesOfItems } from './set-rules.js';
import {
  firstOfEach,
  higherLevel,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';
import { limitsIn } from './text-limits.js';

export const RATINGS = ['severity', 'exposure', 'controllability'] as const;
export type Rating = (typeof RATINGS)[number];

export const RATING_NAMES = {
  severity: { en: 'severity', de: 'Schadensschwere' },
  exposure: { en: 'exposure', de: 'Auftretenswahrscheinlichkeit' },
  controllability: { en: 'controllability', de: 'Beherrschbarkeit' },
} as const;

const ratingIn = (item: StatedItem, rating: Rating) => readRating(item.values.get(rating)?.text);

interface ClassSaid {
  readonly class: number;
  readonly start: number;
  readonly end: number;
}

/** Classes that words of a rationale stand for, with their place in it. */
function classesIn(text: string, rating: Rating): readonly ClassSaid[] {
  const { ratings, ratingNegation } = stateWords();
  const negation = patternOf(ratingNegation);
  return ratings[rating].flatMap(({ class: level, words }) =>
    words.flatMap((word) => {
      const match = patternOf(`(?<!\\p{L})(?:${word})`).exec(text);
      if (!match) return [];
      const end = match.index + match[0].length;
      const isDenied =
        negation.test(text.slice(Math.max(0, match.index - 40), match.index)) ||
        negation.test(text.slice(end, end + 30));
      return isDenied ? [] : [{ class: level, start: match.index, end }];
    }),
  );
}

/** A class that words of the rationale stand for, two steps or more from the stated one; words for several classes a person weighs. */
function wordsAgainst(text: string, rating: Rating, stated: number): ClassSaid | undefined {
  const classes = classesIn(text, rating);
  return classes.some((one) => Math.abs(one.class - stated) < 2) ? undefined : classes[0];
}

/** The share of time or persons that a rationale gives, where it is that of another class. */
function shareAgainst(text: string, rating: Rating, stated: number): ClassSaid | undefined {
  if (rating === 'severity') return undefined;
  const { of, exposureBands, ...shares } = stateWords().sharesOfClasses;
  const said = shares[rating].flatMap((share) => {
    const match = patternOf(share.says).exec(text);
    const end = match ? match.index + match[0].length : 0;
    const isOf = rating !== 'exposure' || patternOf(of).test(text.slice(end, end + 80));
    return match && isOf ? [{ ...share, start: match.index, end }] : [];
  });
  if (said.length === 0 && rating === 'exposure') {
    const [one, more] = shareOfTime(text);
    const bands = one ? exposureBands.filter(({ from, to }) => one.share >= from && one.share <= to) : [];
    const [band] = bands;
    if (!one || more || !band || !bands.every(({ not }) => not.includes(stated))) return undefined;
    return { class: band.class, start: one.start, end: one.end };
  }
  return said.every(({ not }) => not.includes(stated)) ? said[0] : undefined;
}

/** "4 % of operating time": shares of time that are one number, and neither a limit nor an end of a range. */
function shareOfTime(
  text: string,
): readonly { readonly share: number; readonly start: number; readonly end: number }[] {
  const isOf = patternOf(stateWords().sharesOfClasses.of);
  return limitless(text).flatMap(({ value, start, end }) =>
    isOf.test(text.slice(end, end + 80)) ? [{ share: value, start, end }] : [],
  );
}

function limitless(text: string): readonly Quantity[] {
  const limits = limitsIn(text);
  return quantitiesIn(text).filter(
    ({ kind, start }) =>
      kind === 'share' &&
      limits.every(({ quantity }) => quantity.start !== start) &&
      !/(?:\d\s?%?\s?(?:to|and|bis|und|-|–)|[<>≤≥])\s?$/u.test(text.slice(0, start)),
  );
}

/** A class is two steps or more away from what the words of its own rationale stand for, or another one than the share that it gives. */
export function ratingAgainstRationale({ facts }: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    facts.items.flatMap((item) =>
      RATINGS.flatMap((rating): StatedContradiction[] => {
        const stated = ratingIn(item, rating);
        const rationale = item.values.get(`${rating}_rationale`);
        if (stated === undefined || !rationale) return [];
        const said =
          shareAgainst(rationale.text, rating, stated) ?? wordsAgainst(rationale.text, rating, stated);
        if (!said) return [];
        const letter = rating[0]!.toUpperCase();
        const ratings = RATINGS.map((one) => (one === rating ? said.class : ratingIn(item, one)));
        const [s, e, c] = ratings;
        const level =
          s === undefined || e === undefined || c === undefined ? undefined : asilFromRatings(s, e, c);
        const tooLow = stated < said.class;
        const at = { start: rationale.start + said.start, end: rationale.start + said.end };
        return [
          {
            rule: 'rating-against-rationale',
            item: `${item.key} ${rating}`,
            asil: tooLow ? (level ?? levelOf(item)) : levelOf(item),
            confidence: 'medium',
            words: {
              item: item.id,
              stated: `${letter}${stated}`,
              said: `${letter}${said.class}`,
              words: rationale.text.slice(said.start, said.end),
              rating: RATING_NAMES[rating],
            },
            affected: [item.id],
            evidence: [
              ...shown(item, item.values.get(rating), `${item.id}: ${rating}`),
              quote(item.document.read.document, rationale.passage, rationale, {
                role: 'counter',
                note: say('findings.note-rationale-of', { id: item.id }),
                focus: at,
              }),
            ],
          },
        ];
      }),
    ),
  );
}

/** One event has another class where its rating is explained, or in another table. */
export function ratingDiffers({ facts }: StatedContext): readonly StatedContradiction[] {
  return [...facts.byKey.values()].flatMap((same) =>
    RATINGS.flatMap((rating): StatedContradiction[] => {
      const rated = same.filter((item) => item.hasId && ratingIn(item, rating) !== undefined);
      const [one] = rated;
      const other = rated.find(
        (item) => item.document === one?.document && ratingIn(item, rating) !== ratingIn(one!, rating),
      );
      if (!one || !other) return [];
      const letter = rating[0]!.toUpperCase();
      return [
        {
          rule: 'rating-differs',
          item: `${one.key} ${rating}`,
          asil: higherLevel(levelOf(one), levelOf(other)),
          confidence: 'medium',
          words: {
            item: one.id,
            rating: RATING_NAMES[rating],
            one: `${letter}${ratingIn(one, rating)}`,
            other: `${letter}${ratingIn(other, rating)}`,
          },
          affected: [one.id],
          evidence: [
            ...shown(one, one.values.get(rating), `${one.id}: ${rating}`),
            ...shown(other, other.values.get(rating), `${other.id}: ${rating}`),
          ],
        },
      ];
    }),
  );
}

/** The same words justify different classes in different rows. */
export function rationaleCopied({ facts }: StatedContext): readonly StatedContradiction[] {
  return tablesOfItems(facts.items).flatMap((rows) =>
    RATINGS.flatMap((rating) => {
      const byText = new Map<string, StatedItem[]>();
      for (const row of rows) {
        const text = normaliseText(textOf(row, `${rating}_rationale`));
        if (text.length < 15 || ratingIn(row, rating) === undefined) continue;
        byText.set(text, [...(byText.get(text) ?? []), row]);
      }
      return [...byText.values()].flatMap((same): StatedContradiction[] => {
        const classes = [...new Set(same.map((row) => ratingIn(row, rating)!))];
        if (classes.length < 2) return [];
        const letter = rating[0]!.toUpperCase();
        const kind = `${rating}_rationale` as const;
        return [
          {
            rule: 'rationale-copied',
            item: same.map(({ key }) => key).join(','),
            confidence: 'medium',
            words: {
              items: same.map(({ id }) => id).join(', '),
              classes: classes.map((one) => `${letter}${one}`).join(', '),
              rating: RATING_NAMES[rating],
            },
            affected: same.map(({ id }) => id),
            evidence: same
              .slice(0, 4)
              .flatMap((row) => [
                ...shown(row, row.values.get(rating), `${row.id}: ${rating}`),
                ...shown(row, row.values.get(kind), `${row.id}: rationale`),
              ]),
          },
        ];
      });
    }),
  );
}

/** The same words justify the class of a situation that they do not describe: they were copied from a row with another one. */
export function rationaleOfOtherSituation({ facts }: StatedContext): readonly StatedContradiction[] {
  return tablesOfItems(facts.items).flatMap((rows) =>
    (['exposure', 'severity'] as const).flatMap((rating) => {
      const kind = `${rating}_rationale` as const;
      const rated = rows.filter((row) => row.values.has('situation') && textOf(row, kind).length >= 15);
      return firstOfEach(
        rated.flatMap((row): StatedContradiction[] => {
          const text = normaliseText(textOf(row, kind));
          const origin = rated.find((one) => one !== row && normaliseText(textOf(one, kind)) === text);
          if (!origin) return [];
          const words = stemsOf(textOf(row, kind));
          const said = (one: StatedItem) =>
            stemsOf(
              one.cells
                .filter((cell) => cell !== one.values.get(kind))
                .map((cell) => cell.text)
                .join(' '),
            );
          const [own, other, there] = [said(row), said(origin), stemsOf(textOf(origin, 'situation'))];
          const foreign = [...words].filter((word) => there.has(word) && !own.has(word));
          const missing = [...words].filter((word) => other.has(word)).length;
          if (foreign.length === 0 || missing < 2) return [];
          // One word only, and nothing that excludes it: "city driving" explains what happens when a car ahead slows, too.
          if (foreign.length === 1 && !hasRival(textOf(row, 'situation'), textOf(row, kind))) return [];
          return [
            {
              rule: 'rationale-of-other-situation',
              item: `${row.key} ${rating}`,
              asil: levelOf(row),
              confidence: 'medium',
              words: { item: row.id, origin: origin.id, rating: RATING_NAMES[rating] },
              affected: [row.id],
              evidence: [
                ...shown(row, row.values.get(kind), `${row.id}: rationale`),
                ...shown(row, row.values.get('situation'), `${row.id}: situation`),
                ...shown(origin, origin.values.get('situation'), `${origin.id}: situation`),
              ],
            },
          ];
        }),
      );
    }),
  );
}

/** The situation names another circumstance of a list than the reason does. */
function hasRival(situation: string, reason: string): boolean {
  return contentWords().hazards.circumstances.some((list) =>
    list.some(
      (one, at) =>
        wholeWord(one).test(reason) &&
        !wholeWord(one).test(situation) &&
        list.some((other, there) => there !== at && wholeWord(other).test(situation)),
    ),
  );
}

/** A shorter text ('highway') is a part of a situation, whose rest stands in other columns. */
const WORDS_OF_SITUATION = 5;

/** Least share of persons who control an event of the class: C1 nearly all, C2 nine of ten. Source: the classes of ISO 26262-3. */
const LEAST_CONTROL = [1, 0.99, 0.9, 0] as const;

/** "84 of 120 drivers left the lane" beside C1: the share that a study found is the one of another class. */
export function shareAgainstControllability({ facts }: StatedContext): readonly StatedContradiction[] {
  const { shareOfPersons, controlled, uncontrolled } = stateWords().shares;
  const [share, kept, lost] = [patternOf(shareOfPersons), anyOf(controlled), anyOf(uncontrolled)];
  return firstOfEach(
    facts.items.flatMap((item): StatedContradiction[] => {
      const stated = ratingIn(item, 'controllability');
      const reason = item.values.get('controllability_rationale');
      const match = reason && share.exec(reason.text);
      if (stated === undefined || stated === 0 || !reason || !match?.groups) return [];
      const clause = reason.text.slice(match.index + match[0].length).split(/[.;]/u)[0]!;
      const [part, all] = [Number(match.groups.part), Number(match.groups.all)];
      if (part > all || all < FEWEST_PERSONS || kept.test(clause) === lost.test(clause)) return [];
      const failed = lost.test(clause) ? part : all - part;
      const needed = LEAST_CONTROL.findIndex((least, at) => at > 0 && 1 - failed / all >= least);
      if (needed <= stated) return [];
      return [
        {
          rule: 'share-against-controllability',
          item: item.key,
          asil: levelOf(item),
          confidence: 'medium',
          words: { item: item.id, stated, needed, share: failed, all },
          affected: [item.id],
          evidence: [
            ...shown(item, reason, `${item.id}: ${reason.title}`),
            ...shown(item, item.values.get('controllability'), `${item.id}: C${stated}`),
          ],
        },
      ];
    }),
  );
}
/** Of fewer persons a share says little. */
const FEWEST_PERSONS = 10;

/** One situation has two classes of exposure, which is how often the situation itself occurs. */
export function exposureOfSituation({ facts }: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    tablesOfItems(facts.items).flatMap((rows) => {
      const bySituation = new Map<string, StatedItem[]>();
      for (const row of rows) {
        const situation = normaliseText(textOf(row, 'situation'));
        if (situation.split(' ').length < WORDS_OF_SITUATION || ratingIn(row, 'exposure') === undefined)
          continue;
        bySituation.set(situation, [...(bySituation.get(situation) ?? []), row]);
      }
      return [...bySituation.values()].flatMap((same): StatedContradiction[] => {
        const first = same[0]!;
        const other = same.find((row) => ratingIn(row, 'exposure') !== ratingIn(first, 'exposure'));
        if (!other) return [];
        return [
          {
            rule: 'exposure-of-situation',
            item: `${first.key} ${normaliseText(textOf(first, 'situation'))}`,
            asil: same.map(levelOf).reduce(higherLevel, undefined),
            confidence: 'medium',
            words: {
              situation: textOf(first, 'situation').slice(0, 120),
              item: first.id,
              other: other.id,
              one: `E${ratingIn(first, 'exposure')}`,
              second: `E${ratingIn(other, 'exposure')}`,
            },
            affected: same.map(({ id }) => id),
            evidence: [first, other].flatMap((row) => [
              ...shown(row, row.values.get('exposure'), `${row.id}: exposure`),
              ...shown(row, row.values.get('situation'), `${row.id}: situation`),
            ]),
          },
        ];
      });
    }),
  );
}

/** Controllability is reasoned with an element of the item itself, whose failure is what is rated. */
export function ratingCreditsItem({ facts }: StatedContext): readonly StatedContradiction[] {
  const names = new Set(facts.items.flatMap(elementNames));
  if (names.size === 0) return [];
  const escaped = [...names].map((name) => {
    const written = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // "ES" is no "es".
    return ABBREVIATED.test(name)
      ? written
      : written.replaceAll(/\p{L}/gu, (one) => `[${one.toLowerCase()}${one.toUpperCase()}]`);
  });
  const named = new RegExp(`(?<!\\p{L})(?:${escaped.join('|')})(?!\\p{L})`, 'u');
  return firstOfEach(
    facts.items.flatMap((item): StatedContradiction[] => {
      const rationale: StatedValue | undefined = item.values.get('controllability_rationale');
      if (!rationale || ratingIn(item, 'controllability') === undefined) return [];
      const element = named.exec(rationale.text)?.[0];
      if (!element) return [];
      return [
        {
          rule: 'rating-credits-item',
          item: item.key,
          asil: levelOf(item),
          confidence: 'medium',
          words: { item: item.id, element },
          affected: [item.id],
          evidence: [
            ...shown(item, rationale, `${item.id}: rationale`),
            ...shown(item, item.values.get('controllability'), `${item.id}: controllability`),
          ],
        },
      ];
    }),
  );
}

/** Elements that lie in the item: listed as inside, or given requirements. One plain word names too many things. */
function elementNames(item: StatedItem): readonly string[] {
  const { yes } = stateWords().boundary;
  const inside = yes.includes(textOf(item, 'inside').toLowerCase());
  const named = inside ? [textOf(item, 'element') || textOf(item, 'text')] : [];
  const allocated = item.values.has('asil') ? textOf(item, 'allocation').split(/[,;\n/]/u) : [];
  return [...named, ...allocated]
    .map((name) => name.trim())
    .filter((name) => name.includes(' ') || ABBREVIATED.test(name));
}
const ABBREVIATED = /^[A-Z]{2,}[A-Z\d-]*$/u;
