import type { AsilLevel } from '../../asil/asil.js';
import { quote } from '../../corpus/evidence.js';
import { extractionWords } from '../../facts/artifacts/extraction-words.js';
import { idsInText } from '../../facts/artifacts/id-forms.js';
import { isDemand } from '../../facts/artifacts/id-stems.js';
import { typeOfListed } from '../../facts/artifacts/infer-type.js';
import { readRating } from '../../facts/field.js';
import { quantitiesIn } from '../../facts/quantities.js';
import { beginning, contentWords, wholeWord } from '../../facts/stated/content-words.js';
import { kindsOfTitle, type StatedKind } from '../../facts/stated/stated-columns.js';
import { idsIn, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import type { Evidence } from '../../findings/finding.js';
import { say } from '../../sentences/sentence.js';
import { normaliseText } from '../../text/normalise.js';
import { stopWords } from '../../text/stop-words.js';
import { patternOf } from '../../words/read-words.js';
import { RATING_NAMES, RATINGS, type Rating, rationaleOfOtherSituation } from './rating-rules.js';
import { tablesOfItems } from './set-rules.js';
import {
  firstOfEach,
  higherLevel,
  isGoal,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

/** Every cell of a row whose title may state one of these kinds. */
function saidAs(item: StatedItem, kinds: readonly StatedKind[]): readonly StatedValue[] {
  const titled = item.cells.filter(({ title }) => kindsOfTitle(title).some((kind) => kinds.includes(kind)));
  return titled.length > 0 ? titled : kinds.flatMap((kind) => item.values.get(kind) ?? []);
}

const joined = (values: readonly StatedValue[]) => values.map(({ text }) => text).join(' · ');
/** Situation of an event with everything that belongs to it; what an id stands for is looked up. */
function situationOf(item: StatedItem, { facts }: StatedContext): string {
  const own = joined(saidAs(item, ['situation', 'circumstance']));
  const named = idsInText(own).flatMap(
    ({ id }) => facts.items.find((one) => one.id === id)?.values.get('situation') ?? [],
  );
  return [own, ...named.map(({ text }) => text)].join(' · ');
}

const focused = (item: StatedItem, value: StatedValue, found: RegExpExecArray, note: string): Evidence =>
  quote(item.document.read.document, value.passage, value, {
    role: 'counter',
    note,
    focus: { start: value.start + found.index, end: value.start + found.index + found[0].length },
  });

/** The rationale of a rating names a circumstance that its own situation excludes: another kind of road, other weather. */
export function rationaleOfOtherCircumstance(context: StatedContext): readonly StatedContradiction[] {
  const { circumstances } = contentWords().hazards;
  const copied = new Set(rationaleOfOtherSituation(context).map(({ item }) => item));
  return firstOfEach(
    context.facts.items.flatMap((item) => {
      const situation = item.values.has('severity') ? situationOf(item, context) : '';
      if (situation === '') return [];
      return RATINGS.flatMap((rating) => {
        const rationale = item.values.get(`${rating}_rationale`);
        if (!rationale || copied.has(`${item.key} ${rating}`)) return [];
        return circumstances.flatMap((kinds): StatedContradiction[] => {
          const stated = kinds.filter((words) => wholeWord(words).test(situation));
          const named = kinds.filter((words) => wholeWord(words).test(rationale.text));
          // Whoever names its own circumstance as well compares.
          if (stated.length !== 1 || named.length !== 1 || stated[0] === named[0]) return [];
          const own = saidAs(item, ['situation', 'circumstance']).find(({ text }) =>
            wholeWord(stated[0]!).test(text),
          );
          const here = wholeWord(stated[0]!).exec(situation)![0];
          const there = wholeWord(named[0]!).exec(rationale.text)!;
          return [
            {
              rule: 'rationale-of-other-circumstance',
              item: `${item.key} ${rating}`,
              asil: levelOf(item),
              confidence: 'medium',
              words: { item: item.id, rating: RATING_NAMES[rating], here, there: there[0] },
              affected: [item.id],
              evidence: [
                focused(item, rationale, there, `${item.id}: rationale`),
                ...shown(item, own, say('findings.note-situation-of', { id: item.id })),
              ],
            },
          ];
        });
      });
    }),
  );
}

const FEWEST_WORDS = 2;

/** Rationales that give no reason for their class: no harm for severity, no frequency for exposure, or the situation once more. */
export function rationaleWithoutReason(context: StatedContext): readonly StatedContradiction[] {
  return eventsTogether(context.facts.items).flatMap((rows) =>
    RATINGS.flatMap((rating): StatedContradiction[] => {
      const kind = `${rating}_rationale` as const;
      // Words for all three classes at once may say as little.
      const reasonOf = (row: StatedItem) =>
        row.values.get(kind) ??
        (onlyRefersTo(textOf(row, 'rationale')) ? row.values.get('rationale') : undefined);
      const given = rows.filter((row) => reasonOf(row) && readRating(textOf(row, rating)) !== undefined);
      const without = given.filter((row) => !givesReason(row, rating, reasonOf(row)!.text, context));
      if (without.length === 0) return [];
      return [
        {
          rule: 'rationale-without-reason',
          item: `${rating} ${without[0]!.document.id}`,
          asil: without.map(levelOf).reduce(higherLevel, undefined),
          confidence: 'medium',
          words: {
            items: without.map(({ id }) => id),
            rating: RATING_NAMES[rating],
            wanted: WANTED[rating],
            rationale: reasonOf(without[0]!)!.text.slice(0, 120),
          },
          affected: without.map(({ id }) => id),
          evidence: without
            .slice(0, 4)
            .flatMap((row) => [
              ...shown(row, reasonOf(row), `${row.id}: rationale`),
              ...shown(row, row.values.get(rating), `${row.id}: ${rating}`),
            ]),
        },
      ];
    }),
  );
}

/** Rows of each table, and what is told of events in paragraphs or lists of fields, by document. */
function eventsTogether(items: readonly StatedItem[]): readonly (readonly StatedItem[])[] {
  const told = new Map<string, StatedItem[]>();
  for (const item of items) {
    if (item.table !== undefined || !item.hasId) continue;
    const { id } = item.document;
    told.set(id, [...(told.get(id) ?? []), item]);
  }
  return [...tablesOfItems(items), ...told.values()];
}

const WANTED = {
  severity: { en: 'what harm persons suffer', de: 'welchen Schaden Personen erleiden' },
  exposure: {
    en: 'how often or how long the situation occurs',
    de: 'wie oft oder wie lange die Situation auftritt',
  },
  controllability: {
    en: 'what persons can do when it happens',
    de: 'was Personen in diesem Fall tun können',
  },
} as const;

const onlyRefersTo = (text: string): boolean => patternOf(contentWords().hazards.onlyRefers).test(text);

/** "E1 fixed by the team", "normally controllable, as agreed": the class in other words and who chose it. */
function saysOnlyWhoDecided(text: string, rated: ReadonlySet<string>): boolean {
  const { decided, takenFrom, besideTaken, classWords } = contentWords().hazards;
  const { en, de } = stopWords();
  const words = (text.match(/(?<![\p{L}\p{N}])\p{L}{2,}(?!\p{N})/gu) ?? []).filter(
    (word) => !en.has(word.toLowerCase()) && !de.has(word.toLowerCase()),
  );
  const tellsSource = beginning([...decided, ...takenFrom]);
  if (/\d\s?%/u.test(text) || !words.some((word) => tellsSource.test(word))) return false;
  const saysNothing = beginning([...decided, ...takenFrom, ...besideTaken, ...classWords]);
  // Of what is rated no reason tells more than its own words.
  return words.every((word) => saysNothing.test(word) || [...stemsOf(word)].some((stem) => rated.has(stem)));
}

/** "As in EV-1": the reason stands with another id. */
const refersTo = (text: string): boolean => idsIn(text).some(({ id }) => !/^[SECK]\d$/u.test(id));

function givesReason(row: StatedItem, rating: Rating, whole: string, context: StatedContext): boolean {
  const { reasons, classWords, deferred } = contentWords().hazards;
  const rated = stemsOf(
    ['malfunction', 'text', 'situation'].map((kind) => textOf(row, kind as StatedKind)).join(' '),
  );
  if (onlyRefersTo(whole) || saysOnlyWhoDecided(whole, rated)) return false;
  // What is left beside the words that leave the reason to somebody else.
  const text = whole.replace(patternOf(deferred, 'giu'), ' ');
  const isShort = (text.match(/\p{L}{2,}/gu) ?? []).length < FEWEST_WORDS;
  if (text !== whole && isShort) return false;
  if (isShort || idsInText(text).length > 0 || refersTo(text)) return true;
  if (/\b(?:annex|table|catalogue?|standard|ISO|SAE|VDA|Anhang|Tabelle|Katalog|Norm)\b/iu.test(text))
    return true;
  if (rating === 'severity')
    return readRating(textOf(row, rating)) === 0 || beginning(reasons.severity).test(text);
  if (rating === 'exposure') return /\d/u.test(text) || beginning(reasons.exposure).test(text);
  const situation = stemsOf(situationOf(row, context));
  if (situation.size === 0) return true;
  return [...stemsOf(text)].some((stem) => !situation.has(stem) && !beginning(classWords).test(stem));
}

/** A description says the opposite of the guide word that it stands under, or describes what the function is meant to do. */
export function malfunctionAgainstGuideWord({ facts }: StatedContext): readonly StatedContradiction[] {
  const { guideWords, instead } = contentWords().hazards;
  return firstOfEach(
    facts.items.flatMap((item): StatedContradiction[] => {
      const guide = item.values.get('guideword');
      const kind = guide && guideWords.find((one) => wholeWord(one.guide).test(guide.text));
      if (!kind) return [];
      const described = saidAs(item, ['deviation', 'malfunction', 'text']).filter(
        (one) => one !== guide && one.text !== item.id && one.text.split(' ').length > 2,
      );
      for (const value of described) {
        if (beginning(kind.says).test(value.text)) continue;
        const other = kind.not
          .map((one) => beginning(instead[one]!).exec(value.text))
          .find((one) => one !== null);
        if (!other) continue;
        return [
          {
            rule: 'malfunction-against-guide-word',
            item: item.key,
            asil: levelOf(item),
            confidence: 'medium',
            words: { item: item.id, guide: guide.text.slice(0, 60), said: other[0] },
            affected: [item.id],
            evidence: [
              focused(item, value, other, `${item.id}: ${value.title}`),
              ...shown(item, guide, `${item.id}: ${guide.title}`),
            ],
          },
        ];
      }
      return [];
    }),
  );
}

/** Exposure is that of the situation: a rationale that counts how rarely misuse or a fault adds to it rates something else. */
export function exposureOfFault(context: StatedContext): readonly StatedContradiction[] {
  const { misuse, failure } = contentWords().hazards;
  return firstOfEach(
    context.facts.items.flatMap((item): StatedContradiction[] => {
      const rationale = item.values.get('exposure_rationale');
      if (!rationale || readRating(textOf(item, 'exposure')) === undefined) return [];
      const situation = stemsOf(situationOf(item, context));
      // Where misuse itself is the situation, its frequency is what is rated.
      const named = [...stemsOf(rationale.text)].some(
        (stem) => situation.has(stem) && !beginning(misuse).test(stem),
      );
      const said =
        beginning(failure).exec(rationale.text) ?? (named ? beginning(misuse).exec(rationale.text) : null);
      if (!said) return [];
      return [
        {
          rule: 'exposure-of-fault',
          item: item.key,
          asil: levelOf(item),
          confidence: 'medium',
          words: { item: item.id, said: said[0], stated: textOf(item, 'exposure').slice(0, 40) },
          affected: [item.id],
          evidence: [
            focused(item, rationale, said, `${item.id}: rationale`),
            ...shown(item, item.values.get('exposure'), `${item.id}: exposure`),
          ],
        },
      ];
    }),
  );
}

export interface Goal {
  readonly item: StatedItem;
  /** Every row that has this text. */
  readonly items: readonly StatedItem[];
  readonly value: StatedValue;
  readonly asil: AsilLevel | undefined;
}

/** Texts of safety goals, each once: of goals, and of events that state theirs in words. */
export function goalTexts({ facts }: StatedContext): readonly Goal[] {
  const goals = new Map<string, Goal>();
  for (const item of facts.items) {
    const titled = item.cells.filter(
      ({ title, text }) =>
        typeOfListed(title.replaceAll(/\([^)]*\)/g, ' '), extractionWords()) === 'safety_goal' &&
        text.split(' ').length > 4,
    );
    const own = isGoal(item) && !isExplained(item) ? item.values.get('text') : undefined;
    for (const value of own ? [own] : titled) {
      const text = normaliseText(value.text);
      const asil = higherLevel(goals.get(text)?.asil, levelOf(item));
      const before = goals.get(text);
      goals.set(
        text,
        before ? { ...before, items: [...before.items, item], asil } : { item, items: [item], value, asil },
      );
    }
  }
  return [...goals.values()];

  /** "GOAL-1. The software reads …": a paragraph about a goal whose demand stands elsewhere. */
  function isExplained(item: StatedItem): boolean {
    const demands = (one: StatedItem) => isDemand(textOf(one, 'text'));
    return !demands(item) && (facts.byKey.get(item.key) ?? []).some(demands);
  }
}

/** A safety goal names parts of a solution: it prescribes how instead of what. Parts that most goals name are what the item is. */
export function goalPrescribesSolution(context: StatedContext): readonly StatedContradiction[] {
  const goals = goalTexts(context);
  const pattern = wholeWord(contentWords().hazards.solutions);
  const telling = goals.flatMap((goal) => {
    const part = pattern.exec(goal.value.text);
    return part && !isOperated(goal.value.text, part) ? [{ ...goal, part }] : [];
  });
  if (telling.length === 0 || (goals.length > 2 && telling.length * 2 > goals.length)) return [];
  return [ofGoals('goal-prescribes-solution', telling)];
}

/** "After a button press", "mit dem Loslassen der Taste": what a person does, and no part of the solution. */
function isOperated(text: string, { 0: part, index }: RegExpExecArray): boolean {
  const { operated } = contentWords().hazards;
  const [before, behind] = [text.slice(0, index), text.slice(index + part.length)];
  return (
    patternOf(`(?:${operated.join('|')})(?:\\s+\\p{L}+){0,2}\\s+$`).test(before) ||
    patternOf(`^\\s*(?:\\p{L}+\\s+){0,2}(?:${operated.join('|')})(?!\\p{L})`).test(behind)
  );
}

/** A safety goal that no test can decide: "high enough" without a value. */
export function goalUndecidable(context: StatedContext): readonly StatedContradiction[] {
  const pattern = wholeWord(contentWords().hazards.undecidable);
  const telling = goalTexts(context).flatMap((goal) => {
    const part = quantitiesIn(goal.value.text).length > 0 ? null : pattern.exec(goal.value.text);
    return part ? [{ ...goal, part }] : [];
  });
  return telling.length === 0 ? [] : [ofGoals('goal-undecidable', telling)];
}

function ofGoals(
  rule: string,
  goals: readonly (Goal & { readonly part: RegExpExecArray })[],
): StatedContradiction {
  const ids = [...new Set(goals.map(({ item }) => item.id))];
  return {
    rule,
    item: 'goals',
    asil: goals.map(({ asil }) => asil).reduce(higherLevel, undefined),
    confidence: 'medium',
    words: { items: ids, said: [...new Set(goals.map(({ part }) => part[0].toLowerCase()))].join(', ') },
    affected: ids,
    evidence: goals.slice(0, 4).map(({ item, value, part }) => focused(item, value, part, item.id)),
  };
}

/** In a town a vehicle that nobody steers meets persons outside of vehicles; an event rated S1 or less does not look at them. */
export function severityWithoutPersons(context: StatedContext): readonly StatedContradiction[] {
  const { town, uncontrolled, persons } = contentWords().hazards;
  return firstOfEach(
    context.facts.items.flatMap((item): StatedContradiction[] => {
      const severity = readRating(textOf(item, 'severity'));
      if (severity === undefined || severity > 1) return [];
      const situation = saidAs(item, ['situation', 'circumstance']).find(({ text }) =>
        wholeWord(town).test(text),
      );
      if (!situation || item.cells.some(({ text }) => beginning(persons).test(text))) return [];
      const event = saidAs(item, ['text', 'deviation']).find(({ text }) =>
        wholeWord(uncontrolled).test(text),
      );
      if (!event) return [];
      return [
        {
          rule: 'severity-without-persons',
          item: item.key,
          asil: levelOf(item),
          confidence: 'low',
          words: { item: item.id, stated: `S${severity}`, place: wholeWord(town).exec(situation.text)![0] },
          affected: [item.id],
          evidence: [
            ...shown(item, item.values.get('severity'), `${item.id}: severity`),
            ...shown(item, event, say('findings.note-event-of', { id: item.id })),
            ...shown(item, situation, say('findings.note-situation-of', { id: item.id })),
          ],
        },
      ];
    }),
  );
}
