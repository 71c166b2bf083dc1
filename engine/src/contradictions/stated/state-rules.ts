import { type Quantity, quantitiesIn } from '../../facts/quantities.js';
import { contentWords, wholeWord } from '../../facts/stated/content-words.js';
import { stateWords } from '../../facts/stated/state-words.js';
import { kindsOfTitle } from '../../facts/stated/stated-columns.js';
import { idsIn, isIdsOnly, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import { detectLanguage } from '../../text/language.js';
import { normaliseText } from '../../text/normalise.js';
import { stem } from '../../text/stem.js';
import { anyOf, patternOf } from '../../words/read-words.js';
import { focused } from './requirement-texts.js';
import {
  firstOfEach,
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

/** A requirement leads to another safe state than its goal. */
export function safeStateDiffers(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((child): StatedContradiction[] => {
      const opposite = oppositeSafeState(context, child);
      if (opposite) return [opposite];
      const own = statesNamed(context, textOf(child, 'safe_state'));
      const parents = parentItems(context, child).filter(
        (one) => statesNamed(context, textOf(one, 'safe_state')).length > 0,
      );
      const allowed = new Set(
        parents.flatMap((one) => statesNamed(context, textOf(one, 'safe_state')).map(({ key }) => key)),
      );
      if (own.length === 0 || allowed.size === 0 || own.some(({ key }) => allowed.has(key))) return [];
      const parent = parents[0]!;
      return [
        {
          rule: 'safe-state-differs',
          item: child.key,
          asil: higherLevel(levelOf(child), levelOf(parent)),
          confidence: 'medium',
          words: {
            child: child.id,
            parent: parent.id,
            own: own.map(({ id }) => id).join(', '),
            demanded: textOf(parent, 'safe_state').slice(0, 80),
          },
          affected: [child.id, parent.id],
          evidence: [
            ...shown(child, child.values.get('safe_state'), child.id),
            ...shown(parent, parent.values.get('safe_state'), parent.id),
          ],
        },
      ];
    }),
  );
}

/** Safe states that a cell names and nothing else: by ids, or by names that rows of safe states begin with ("SafeState_A"). */
function statesNamed(
  context: StatedContext,
  text: string,
): readonly { readonly id: string; readonly key: string }[] {
  const ids = idsIn(text);
  if (ids.length > 0) return ids;
  const names = text.split(/[,;/\n]|\s(?:and|und|or|oder)\s/u).map((one) => one.trim());
  const known = namesOfStates(context);
  return names.every((name) => known.has(name.toLowerCase()))
    ? names.map((id) => ({ id, key: id.toLowerCase() }))
    : [];
}

const stateNames = new WeakMap<StatedContext['facts'], ReadonlySet<string>>();

/** First cells of tables whose first title is one of safe states, where they describe them. */
function namesOfStates({ facts }: StatedContext): ReadonlySet<string> {
  const before = stateNames.get(facts);
  if (before) return before;
  const names = new Set(
    facts.items.flatMap(({ cells: [first, ...others] }) =>
      first && others.length > 0 && kindsOfTitle(first.title).includes('safe_state')
        ? [first.text.toLowerCase()]
        : [],
    ),
  );
  stateNames.set(facts, names);
  return names;
}

/** Rows that say what a safe state is: below a title or a heading of safe states, or known by an id that others lead to. */
export function statesDefined(context: StatedContext): readonly Described[] {
  const isHeading = anyOf(stateWords().safeStateHeadings);
  const named = new Set(
    context.facts.items.flatMap((item) => idsIn(textOf(item, 'safe_state')).map(({ key }) => key)),
  );
  // "IDLE-HOLD; LIMP-30 if the sensor is known": states by their names.
  const names = new Set(
    context.facts.items.flatMap((item) =>
      textOf(item, 'safe_state')
        .split(NAME_ENDS)
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name.length > 2),
    ),
  );
  const isName = ({ text }: StatedValue): boolean => {
    const [leading] = idsIn(text);
    const begins = leading !== undefined && text.startsWith(leading.id) && named.has(leading.key);
    return begins || names.has(text.trim().toLowerCase());
  };
  return context.facts.items.flatMap((item): Described[] => {
    const goal = item.values.get('safe_state');
    const [first, ...others] = item.cells;
    const isRow =
      first !== undefined &&
      item.how === 'table' &&
      (kindsOfTitle(first.title).includes('safe_state') ||
        (item.hasId && named.has(item.key)) ||
        (!isGoal(item) && others.length > 0 && !goal && isName(first)));
    const isListed = first !== undefined && isHeading.test(item.section) && !idsIn(goal?.text ?? '')[0];
    if (isRow || (isListed && item.hasId && !isGoal(item))) {
      const value = item.values.get('text') ?? others.toSorted((a, b) => b.text.length - a.text.length)[0];
      return value ? [{ item, value, text: value.text }] : [];
    }
    return goal && statesNamed(context, goal.text).length === 0
      ? [{ item, value: goal, text: goal.text }]
      : [];
  });
}

const NAME_ENDS = /[;,(]|\s(?:if|when|or|wenn|falls|oder)\s/u;

/** A safe state in which everything goes on as before, or goes on without anybody who controls it. */
export function safeStateUnchanged(context: StatedContext): readonly StatedContradiction[] {
  const { acting, unchanged, lessened } = contentWords().requirements;
  const [goesOn, acts, less] = [wholeWord(unchanged), wholeWord(acting), wholeWord(lessened)];
  return firstOfEach(
    statesDefined(context).flatMap(({ item, value, text }): StatedContradiction[] => {
      const all = [...text.matchAll(new RegExp(goesOn.source, 'giu'))];
      // What was last is kept, which may be what is wrong: only what follows can end it.
      const kept = all.find((one) => /last|letzt/iu.test(one[0]));
      const match = kept ?? all[0];
      if (!match) return [];
      const rest = kept
        ? text.slice(kept.index + kept[0].length)
        : text.replaceAll(new RegExp(goesOn.source, 'giu'), ' ');
      if (acts.test(rest) || less.test(rest) || quantitiesIn(rest).length > 0) return [];
      const goals = context.facts.items.filter((one) =>
        statesNamed(context, textOf(one, 'safe_state')).some(({ id }) => id === item.id),
      );
      return [
        {
          rule: 'safe-state-unchanged',
          item: `${item.key} ${item.document.id}`,
          asil: [item, ...goals].map(levelOf).reduce(higherLevel, undefined),
          confidence: 'medium',
          words: { item: item.id, state: text.slice(0, 120) },
          affected: [...new Set([item.id, ...goals.map(({ id }) => id)])],
          evidence: [focused(item, value, match, `${item.id}: ${value.title}`)],
        },
      ];
    }),
  );
}

/** Both say their safe states in words, and the words exclude each other. */
function oppositeSafeState(context: StatedContext, child: StatedItem): StatedContradiction | undefined {
  const own = textOf(child, 'safe_state');
  if (own === '' || isIdsOnly(own)) return undefined;
  for (const parent of parentItems(context, child)) {
    const demanded = textOf(parent, 'safe_state');
    if (!oppositeStates(own, demanded, false)) continue;
    return {
      rule: 'safe-state-differs',
      item: child.key,
      asil: higherLevel(levelOf(child), levelOf(parent)),
      confidence: 'medium',
      words: { child: child.id, parent: parent.id, own, demanded: demanded.slice(0, 80) },
      affected: [child.id, parent.id],
      evidence: [
        ...shown(child, child.values.get('safe_state'), child.id),
        ...shown(parent, parent.values.get('safe_state'), parent.id),
      ],
    };
  }
  return undefined;
}

export interface Described {
  readonly item: StatedItem;
  readonly value: StatedValue;
  readonly text: string;
}

/** What each safe state is, wherever it is described: in a table of its own or behind its id in a cell. */
function safeStates({ facts }: StatedContext): ReadonlyMap<string, readonly Described[]> {
  const named = new Set(
    facts.items.flatMap((item) => idsIn(textOf(item, 'safe_state')).map(({ key }) => key)),
  );
  const described = new Map<string, Described[]>();
  const put = (key: string, one: Described) => described.set(key, [...(described.get(key) ?? []), one]);
  for (const key of named) {
    for (const item of facts.byKey.get(key) ?? []) {
      const value = item.values.get('text');
      if (value) put(key, { item, value, text: untilNext(value.text, named) });
    }
  }
  for (const item of facts.items) {
    const value = item.values.get('safe_state');
    const [first] = value ? idsIn(value.text) : [];
    if (!value || !first || !value.text.startsWith(first.id)) continue;
    const text = untilNext(value.text.slice(first.id.length).replace(/^[\s:–,(-]+/u, ''), named);
    if (text.length > 10) put(first.key, { item, value, text });
  }
  return described;
}

/** "… on. SS 2: failure shown. SS 3: …": what stands before the next state. */
function untilNext(text: string, named: ReadonlySet<string>): string {
  const next = idsIn(text).find(({ key }) => named.has(key));
  return next ? text.slice(0, text.indexOf(next.id)).trim() : text;
}

/** One safe state is described in two ways that exclude each other. */
export function safeStateTwoMeanings(context: StatedContext): readonly StatedContradiction[] {
  return [...safeStates(context)].flatMap(([key, descriptions]): StatedContradiction[] => {
    for (const [at, one] of descriptions.entries()) {
      for (const other of descriptions.slice(at + 1)) {
        const opposite = oppositeStates(one.text, other.text, false) ?? otherNumber(one.text, other.text);
        if (!opposite) continue;
        const id = idsIn(textOf(one.item, 'safe_state'))[0]?.id ?? one.item.id;
        return [
          {
            rule: 'safe-state-two-meanings',
            item: key,
            asil: higherLevel(levelOf(one.item), levelOf(other.item)),
            confidence: 'high',
            words: { state: key, thing: opposite.thing, one: opposite.one, other: opposite.other },
            affected: [...new Set([id, one.item.id, other.item.id])],
            evidence: [
              ...shown(one.item, one.value, one.item.id),
              ...shown(other.item, other.value, other.item.id),
            ],
          },
        ];
      }
    }
    return [];
  });
}

/** The same words with another number: "speed is limited to 30 km/h", "speed is limited to 50 km/h". */
function otherNumber(a: string, b: string): Opposite | undefined {
  const [[one, more], [other, others]] = [quantitiesIn(a), quantitiesIn(b)];
  if (!one || !other || more || others || one.kind !== other.kind || isNear(one.value, other.value))
    return undefined;
  const rest = (text: string, { start, end }: Quantity) => `${text.slice(0, start)}…${text.slice(end)}`;
  const [thing, same] = [rest(a, one), rest(b, other)];
  if (overlap(stemsOf(thing), stemsOf(same)) < SAME_WORDS) return undefined;
  return { thing: thing.slice(0, 120), one: one.written, other: other.written };
}
const SAME_WORDS = 0.8;
const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** The safe state of one goal is described in two ways: by opposite states, or in words that have nothing in common. */
export function safeStateOfGoalTwice(context: StatedContext): readonly StatedContradiction[] {
  const { facts } = context;
  return [...facts.byKey.values()].flatMap((same): StatedContradiction[] => {
    const named = namedTwice(context, same);
    if (named) return [named];
    const described = same.filter((item) => {
      const text = textOf(item, 'safe_state');
      return /\p{L}{3}/u.test(text) && !isIdsOnly(text);
    });
    for (const [at, one] of described.entries()) {
      for (const other of described.slice(at + 1)) {
        const [a, b] = [textOf(one, 'safe_state'), textOf(other, 'safe_state')];
        const opposite = oppositeStates(a, b, false);
        const isForeign =
          languageOf(one, a) === languageOf(other, b) &&
          !areBothOff(a, b) &&
          (!sharesWord(a, b) || isOfAnother(facts, one, b));
        if (!opposite && !isForeign) continue;
        return [
          {
            rule: 'safe-state-of-goal-twice',
            item: one.key,
            asil: higherLevel(levelOf(one), levelOf(other)),
            confidence: opposite ? 'high' : 'medium',
            words: { goal: one.id, one: a.slice(0, 120), other: b.slice(0, 120) },
            affected: [one.id],
            evidence: [
              ...shown(other, other.values.get('safe_state'), other.id),
              ...shown(one, one.values.get('safe_state'), one.id),
            ],
          },
        ];
      }
    }
    return [];
  });
}

/** A goal has other safe states in one table than in another one. */
function namedTwice(context: StatedContext, same: readonly StatedItem[]): StatedContradiction | undefined {
  const stated = same.flatMap((item) => {
    const states = isGoal(item) ? statesNamed(context, textOf(item, 'safe_state')) : [];
    return states.length > 0 ? [{ item, keys: states.map(({ key }) => key) }] : [];
  });
  const [first] = stated;
  const other = stated.find(({ keys }) => first!.keys.every((key) => !keys.includes(key)));
  if (!first || !other) return undefined;
  const [one, two] = [first.item, other.item];
  return {
    rule: 'safe-state-of-goal-twice',
    item: one.key,
    asil: higherLevel(levelOf(one), levelOf(two)),
    confidence: 'high',
    words: { goal: one.id, one: textOf(one, 'safe_state'), other: textOf(two, 'safe_state') },
    affected: [one.id],
    evidence: [
      ...shown(two, two.values.get('safe_state'), two.id),
      ...shown(one, one.values.get('safe_state'), one.id),
    ],
  };
}

/** "No torque is applied", "torque is set to 0": the same state in other words. */
function areBothOff(...states: readonly [string, string]): boolean {
  const isOff = wholeWord(contentWords().requirements.passive);
  if (!states.every((state) => isOff.test(state))) return false;
  const [a, b] = states.map((state) => stemsOf(state.replace(isOff, ' ')));
  const [one, other] = states.map((state): readonly string[] => state.match(/\b\p{Lu}{2,5}\b/gu) ?? []);
  const areOfOthers = one!.length > 0 && other!.length > 0 && !one!.some((name) => other!.includes(name));
  return a!.size > 0 && b!.size > 0 && !areOfOthers && overlap(a!, b!) >= SAME_THING;
}
/** Share of words from which on two states that are off are those of one thing. Our own. */
const SAME_THING = 0.3;

/** Share of words up to which two safe states are not the same one in other words. Our own. */
const OTHER_STATE = 0.5;

/** Another goal of the same table or document has just this safe state, and this one has another. */
function isOfAnother({ items }: StatedContext['facts'], goal: StatedItem, state: string): boolean {
  const said = stemsOf(state);
  if (said.size < 2 || overlap(said, stemsOf(textOf(goal, 'safe_state'))) > OTHER_STATE) return false;
  return items.some(
    (one) =>
      one.document === goal.document &&
      one.hasId &&
      one.key !== goal.key &&
      one.values.has('safe_state') &&
      [...said].every((stem) => stemsOf(textOf(one, 'safe_state')).has(stem)),
  );
}

/** Few words tell no language: then it is that of their document. */
function languageOf({ document }: StatedItem, text: string): string {
  const own = detectLanguage(text);
  return own === 'unknown' ? detectLanguage(document.read.document.text.slice(0, LANGUAGE_SAMPLE)) : own;
}

const LANGUAGE_SAMPLE = 4_000;

/** What is denied in one of them is no word in common; "Motor" and "Gurtmotor" are, "Gurt" and "Gurtmotor" are not. */
function sharesWord(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => [
    ...stemsOf(
      text.replace(patternOf(`(?<!\\p{L})(?:${stateWords().negations.join('|')})\\s+\\p{L}+`, 'giu'), ' '),
    ),
  ]) as [string[], string[]];
  const fits = (x: string, y: string) => x === y || (y.length >= SHORTEST_HEAD && x.endsWith(y));
  return (
    one.length === 0 || other.length === 0 || one.some((x) => other.some((y) => fits(x, y) || fits(y, x)))
  );
}

const SHORTEST_HEAD = 4;

/** A requirement keeps a thing in a state, and its mechanism, its safe state or what refines it in the opposite one. */
export function oppositeOfLinked(context: StatedContext): readonly StatedContradiction[] {
  const states = safeStates(context);
  return firstOfEach(
    context.facts.items.flatMap((item) => {
      const linked = parentItems(context, item).flatMap((parent) => [
        { parent, own: item.values.get('fault_reaction') },
        { parent, own: item.values.get('text') },
      ]);
      const found = linked.flatMap(({ parent, own }) =>
        contradiction(parent, parent.values.get('text'), item, own),
      );
      const own = idsIn(textOf(item, 'safe_state')).flatMap(({ key }) => states.get(key) ?? []);
      return [
        ...found,
        ...own.flatMap((state) =>
          state.item === item ? [] : contradiction(item, item.values.get('text'), state.item, state.value),
        ),
      ];
    }),
  );
}

function contradiction(
  a: StatedItem,
  one: StatedValue | undefined,
  b: StatedItem,
  other: StatedValue | undefined,
): readonly StatedContradiction[] {
  const opposite = one && other && oppositeStates(one.text, other.text, true);
  if (!opposite) return [];
  return [
    {
      rule: 'opposite-of-linked',
      item: `${a.key} ${opposite.thing}`,
      asil: higherLevel(levelOf(a), levelOf(b)),
      confidence: 'medium',
      words: {
        item: a.id,
        other: b.id,
        thing: opposite.thing,
        one: opposite.one,
        otherState: opposite.other,
      },
      affected: [a.id, b.id],
      evidence: [...shown(a, one, a.id), ...shown(b, other, b.id)],
    },
  ];
}

interface Opposite {
  readonly thing: string;
  readonly one: string;
  readonly other: string;
}

/**
 * A thing that is in opposite states in two texts, said right before the state: "rear wheels clamped", "the supply switch stays open".
 * @param staying Whether the first text must say that the thing stays so, as demands under a condition often speak of both.
 */
export function oppositeStates(a: string, b: string, staying: boolean): Opposite | undefined {
  const words = stateWords();
  if (staying) {
    const keeps = patternOf(`(?<!\\p{L})(?:${words.staying.join('|')})(?!\\p{L})`).exec(a);
    // "Shall not keep the clutches closed" wants the opposite.
    const before = keeps ? a.slice(0, keeps.index).toLowerCase().trim().split(/\s+/).slice(-2) : [];
    if (!keeps || before.some((word) => words.negations.includes(word))) return undefined;
  }
  const [one, other] = [statesIn(a), statesIn(b)];
  for (const mine of one) {
    for (const theirs of other) {
      const opposite = words.opposites.some(
        ([x, y]) => (mine.state === x && theirs.state === y) || (mine.state === y && theirs.state === x),
      );
      if (opposite && mine.key === theirs.key)
        return { thing: mine.thing, one: mine.state, other: theirs.state };
    }
  }
  return undefined;
}

function statesIn(
  text: string,
): readonly { readonly thing: string; readonly key: string; readonly state: string }[] {
  const { opposites, between, negations } = stateWords();
  const states = new Set(opposites.flat());
  const language = detectLanguage(text);
  return text.split(/[.,;:()]|\b(?:and|und|or|oder|while|when|if|wenn|falls)\b/u).flatMap((part) => {
    const tokens = part.match(/[\p{L}-]+/gu) ?? [];
    return tokens.flatMap((token, at) => {
      if (!states.has(token.toLowerCase())) return [];
      let before = at - 1;
      while (before >= 0 && between.includes(tokens[before]!.toLowerCase())) before--;
      const around = tokens.slice(Math.max(0, before - 1), at).map((word) => word.toLowerCase());
      if (before < 0 || around.some((word) => negations.includes(word))) return [];
      const thing = tokens.slice(Math.max(0, before - 1), before + 1).join(' ');
      return [{ thing, key: stem(normaliseText(tokens[before]!), language), state: token.toLowerCase() }];
    });
  });
}
