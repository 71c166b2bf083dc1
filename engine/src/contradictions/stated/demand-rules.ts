import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { quantitiesIn } from '../../facts/quantities.js';
import { contentWords, wholeWord } from '../../facts/stated/content-words.js';
import { stateWords } from '../../facts/stated/state-words.js';
import { idsIn, prefixOf, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import { splitSentences } from '../../text/sentences.js';
import { patternOf } from '../../words/read-words.js';
import { focused } from './requirement-texts.js';
import { statesDefined } from './state-rules.js';
import {
  firstOfEach,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  textOf,
} from './stated-rule.js';

/** A safe state in which somebody is told something and nothing else happens, of what does not only have to tell. */
export function safeStateOnlyTells(context: StatedContext): readonly StatedContradiction[] {
  const { onlyTells, acting, lessened, passive } = contentWords().requirements;
  const tells = wholeWord(onlyTells);
  const acts = [acting, lessened, passive].map(wholeWord);
  return firstOfEach(
    statesDefined(context).flatMap(({ item, value, text }): StatedContradiction[] => {
      const match = tells.exec(text);
      if (!match || tells.test(textOf(item, 'text')) || quantitiesIn(text).length > 0) return [];
      // "Is on" is said of the lamp, and "warning" of what it shows.
      const rest = text
        .replaceAll(new RegExp(tells, 'giu'), ' ')
        .replace(/(?<!\p{L})(?:warn\p{L}*|lit)/giu, ' ');
      if (acts.some((one) => one.test(rest))) return [];
      return [
        {
          rule: 'safe-state-only-tells',
          item: item.key,
          asil: levelOf(item),
          confidence: 'medium',
          words: { item: item.id, state: text.slice(0, 120) },
          affected: [item.id],
          evidence: [focused(item, value, match, `${item.id}: ${value.title}`)],
        },
      ];
    }),
  );
}

/** Less than a person needs to notice something and to begin to act, in ms. Our own, on the safe side of what studies of drivers find. */
const FASTEST = 500;

/** A driver is expected to act faster than a person can. */
export function driverTooFast({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const { driverActs, driverTitle } = contentWords().requirements;
  const inText = usableDocuments(corpus).flatMap(({ id, read }) =>
    read.passages.flatMap((passage): StatedContradiction[] => {
      const isRow = read.document.blocks[passage.blockIndex]!.cells;
      if (isRow || passage.role !== 'body' || corpus.otherItem.has(passage.id)) return [];
      return splitSentences(passage.text).flatMap(({ start, end }): StatedContradiction[] => {
        const sentence = passage.text.slice(start, end);
        const time = timeBehind(sentence, patternOf(driverActs));
        if (time === undefined) return [];
        const place = { start: passage.start + start, end: passage.start + end };
        const evidence = [quote(read.document, passage, place, { role: 'counter', note: time })];
        return [tooFast(id, { sentence, time, evidence })];
      });
    }),
  );
  const inRows = facts.items.flatMap((row) =>
    (row.table === undefined ? [] : row.cells).flatMap((cell): StatedContradiction[] => {
      // "What the driver has to do" over "take over within 50 ms".
      const isDriver = patternOf(driverTitle).test(cell.title);
      const time = timeBehind(isDriver ? `driver ${cell.text}` : cell.text, patternOf(driverActs));
      return time === undefined
        ? []
        : [tooFast(row.document.id, { sentence: cell.text, time, evidence: shown(row, cell, row.id) })];
    }),
  );
  return firstOfEach([...inText, ...inRows]);
}

/** The time that stands behind what a driver does, where it is shorter than a person needs. */
function timeBehind(text: string, acts: RegExp): string | undefined {
  const match = acts.exec(text);
  if (!match) return undefined;
  const rest = text.slice(match.index + match[0].length);
  const within =
    /^[^.;]{0,60}?(?<!\p{L})(?:within|in\s+less\s+than|in|innerhalb(?:\s+von)?|binnen)\s+/iu.exec(rest);
  const time = within && quantitiesIn(rest).find((one) => one.start === within[0].length);
  return time && time.kind === 'time' && time.value < FASTEST ? time.written : undefined;
}

const tooFast = (
  documentId: string,
  { sentence, time, evidence }: { sentence: string; time: string; evidence: StatedContradiction['evidence'] },
): StatedContradiction => ({
  rule: 'driver-too-fast',
  item: `${documentId} ${sentence.slice(0, 60)}`,
  confidence: 'medium',
  words: { time, sentence: sentence.trim().slice(0, 160) },
  affected: [],
  evidence,
});

/** A requirement compares one quantity with a limit that is named by another one: "the frequency is below Max_Torque_Amplitude". */
export function limitOfOtherQuantity({ facts }: StatedContext): readonly StatedContradiction[] {
  const { limited } = contentWords().requirements;
  const lists = limited.map((words) => patternOf(`(?<![\\p{L}])(?:${words.join('|')})(?![\\p{L}])`));
  const named = patternOf(stateWords().parameterName, 'gu');
  return firstOfEach(
    facts.items.flatMap((item): StatedContradiction[] => {
      const value = item.hasId ? item.values.get('text') : undefined;
      if (!value) return [];
      const isLimit = patternOf(stateWords().valuedName);
      const names = [...new Set(value.text.match(named) ?? [])].filter((name) => isLimit.test(name));
      const prose = value.text.replaceAll(named, ' ');
      const said = lists.filter((list) => list.test(prose));
      if (names.length !== 1 || said.length !== 1) return [];
      const limit = names[0]!;
      const of = lists.filter((list) => list.test(limit.replaceAll('_', ' ')));
      if (of.length !== 1 || of[0] === said[0]) return [];
      const match = said[0]!.exec(prose)!;
      return [
        {
          rule: 'limit-of-other-quantity',
          item: item.key,
          asil: levelOf(item),
          confidence: 'medium',
          words: { item: item.id, quantity: match[0], limit },
          affected: [item.id],
          evidence: shown(item, value, item.id),
        },
      ];
    }),
  );
}

/** One value of a signal means one thing in one place and the opposite in another: "activated (status = 0)", "deactivate (status = 0)". */
export function valueMeansOpposites({ facts }: StatedContext): readonly StatedContradiction[] {
  const { switched } = contentWords().requirements;
  const states = switched.flatMap((pair, at) => pair.map((word, side) => ({ word, at, side })));
  const meant: {
    key: string;
    at: number;
    side: number;
    word: string;
    item: StatedItem;
    value: StatedValue;
  }[] = [];
  for (const item of facts.items) {
    const value = item.hasId ? item.values.get('text') : undefined;
    if (!value) continue;
    for (const { 0: whole, groups, index } of value.text.matchAll(VALUED)) {
      const before = value.text.slice(0, index).split(/[.;,]/u).at(-1)!;
      const text = `${before} ${whole.split('(')[0]}`;
      const said = states.flatMap(({ word, ...place }) => {
        const match = patternOf(`(?<!\\p{L})(?:${word.replace(/d$/u, 'd?')})(?!\\p{L})`).exec(text);
        return match ? [{ ...place, word: match[0] }] : [];
      });
      if (said.length !== 1) continue;
      meant.push({ key: `${groups!.name} = ${groups!.value}`, ...said[0]!, item, value });
    }
  }
  return firstOfEach(
    meant.flatMap((one): StatedContradiction[] => {
      const other = meant.find(({ key, at, side }) => key === one.key && at === one.at && side !== one.side);
      if (!other || one.side !== 0) return [];
      return [
        {
          rule: 'value-means-opposites',
          item: one.key,
          asil: levelOf(one.item),
          confidence: 'high',
          words: {
            value: one.key,
            one: one.word,
            item: one.item.id,
            other: other.word,
            item2: other.item.id,
          },
          affected: [one.item.id, other.item.id],
          evidence: [
            ...shown(one.item, one.value, one.item.id),
            ...shown(other.item, other.value, other.item.id),
          ],
        },
      ];
    }),
  );
}
/** "(status = 0)", "(status set to 0)" */
const VALUED =
  /\(\s*(?<name>[\p{L}][\p{L}\p{N}_]{2,40})\s*(?:=|:=|set\s+to|is|gleich)\s*(?<value>[\p{L}\p{N}.]{1,12})\s*\)/gu;

/** Fewest ids of a kind that show that they are listed. */
const FEWEST = 2;

/** A row refers to a malfunction, safe state or other thing by an id that no document lists, where others of its kind are listed. */
export function idNowhere({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const listed = new Map<string, Set<string>>();
  for (const item of facts.items) {
    if (!item.hasId || item.how !== 'table' || item.values.size + item.cells.length < 3) continue;
    const kind = prefixOf(item.key);
    listed.set(kind, (listed.get(kind) ?? new Set()).add(item.key));
  }
  return firstOfEach(
    facts.items.flatMap((row): StatedContradiction[] =>
      row.how !== 'table' || !row.hasId || (row.table ?? -1) < 0
        ? []
        : row.cells.flatMap((cell) =>
            idsIn(cell.text).flatMap(({ id, key }): StatedContradiction[] => {
              const known = listed.get(prefixOf(key));
              // Ids of goals, requirements and tests are the business of the trace.
              // One letter is a class or a scale: S0, E4.
              const isShort = /^\p{L}-/u.test(key);
              const isOwn = isShort || prefixOf(key) === prefixOf(row.key) || facts.byKey.has(key);
              if (!known || isOwn || known.size < FEWEST || [...known].some((one) => typed(facts, one)))
                return [];
              if (corpus.documents.some(({ name }) => name.includes(id))) return [];
              return [
                {
                  rule: 'id-nowhere',
                  item: key,
                  asil: levelOf(row),
                  confidence: 'medium',
                  words: { id, row: row.id, count: known.size, example: [...known][0]! },
                  affected: [row.id],
                  evidence: shown(row, cell, `${row.id}: ${cell.title}`),
                },
              ];
            }),
          ),
    ),
  );
}

const typed = ({ byKey }: StatedContext['facts'], key: string): boolean =>
  (byKey.get(key) ?? []).some(({ type }) => type !== undefined && type !== 'unknown');
