import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { extractionWords } from '../../facts/artifacts/extraction-words.js';
import { quantitiesIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { Evidence } from '../../findings/finding.js';
import { parametersOf } from './parameter-rules.js';
import type { StatedContext, StatedContradiction } from './stated-rule.js';

interface Used {
  readonly name: string;
  readonly count: number;
  readonly evidence: Evidence;
  /** Stands right beside a number. */
  readonly valued: boolean;
}

/** Names like those of programs, in what the documents state, with where they first stand. */
function namesUsed({ corpus }: StatedContext): ReadonlyMap<string, Used> {
  const used = new Map<string, Used>();
  const pattern = new RegExp(stateWords().parameterName, 'gu');
  for (const { read } of usableDocuments(corpus)) {
    for (const passage of read.passages) {
      if (passage.role !== 'body' || corpus.otherItem.has(passage.id)) continue;
      for (const match of passage.text.matchAll(pattern)) {
        const [name] = match;
        const rest = passage.text.slice(match.index + name.length, match.index + name.length + 60);
        const valued =
          /^["'’”]?\s*(?:[=:≤<> ]|is\b|of\b|to\b|beträgt|ist\b){0,4}-?\d/u.test(rest) ||
          quantitiesIn(rest.split(/[.;\t]/u)[0]!).length > 0 ||
          isValuedRow(read.document.blocks[passage.blockIndex]!.cells, name);
        const before = used.get(name);
        const at = { start: passage.start + match.index, end: passage.start + match.index + name.length };
        used.set(name, {
          name,
          count: (before?.count ?? 0) + 1,
          valued: valued || (before?.valued ?? false),
          evidence:
            before?.evidence ??
            quote(
              read.document,
              passage,
              cellAround(read.document.blocks[passage.blockIndex]!.cells, at) ?? passage,
              { role: 'counter', note: name, focus: at },
            ),
        });
      }
    }
  }
  return used;
}

/** A row about the name, with a cell that begins with a number. */
const isValuedRow = (cells: readonly { readonly text: string }[] | undefined, name: string) =>
  cells?.some(({ text }) => text.trim() === name) === true &&
  cells.some(({ text }) => /^[<>≤≥±+−-]?\s*\d/u.test(text.trim()));

const cellAround = <Place extends { readonly start: number; readonly end: number }>(
  cells: readonly Place[] | undefined,
  at: { readonly start: number; readonly end: number },
) => cells?.find((cell) => cell.start <= at.start && at.end <= cell.end);

/** Limits and times that requirements name, and that no document gives a number. */
export function parameterWithoutValue(context: StatedContext): readonly StatedContradiction[] {
  const named = new RegExp(stateWords().valuedName, 'iu');
  const defined = parametersOf(context);
  const open = [...namesUsed(context).values()].filter(
    ({ name, count, valued }) => named.test(name) && count >= 2 && !valued && !defined.has(name),
  );
  if (open.length === 0) return [];
  const names = open.map(({ name }) => name);
  return [
    {
      rule: 'parameter-without-value',
      item: 'parameters',
      confidence: 'medium',
      words: { parameters: names.join(', '), count: String(names.length) },
      affected: names,
      evidence: open.slice(0, 4).map(({ evidence }) => evidence),
    },
  ];
}

const SHORTEST_NAME = 8;

/** Two names that differ by one letter, two letters in the other order or a shortened part, and are hardly two things. */
export function namesAlmostEqual(context: StatedContext): readonly StatedContradiction[] {
  const names = [...namesUsed(context).values()].filter(({ name }) => name.length >= SHORTEST_NAME);
  const alike = names.flatMap((one, at) =>
    names.slice(at + 1).flatMap((other) => (isAlmost(one.name, other.name) ? [{ one, other }] : [])),
  );
  const pairs = [...alike, ...slippedAbbreviations(context)];
  if (pairs.length === 0) return [];
  const affected = [...new Set(pairs.flatMap(({ one, other }) => [one.name, other.name]))];
  return [
    {
      rule: 'names-almost-equal',
      item: 'names',
      confidence: 'medium',
      words: { pairs: groupsOf(pairs).join('; ') },
      affected,
      evidence: [...new Set(pairs.flatMap(({ one, other }) => [one.evidence, other.evidence]))].slice(0, 8),
    },
  ];
}

/** Names that pairs join, each once: "a – b – c". */
function groupsOf(pairs: readonly { readonly one: { name: string }; readonly other: { name: string } }[]) {
  const groups: Set<string>[] = [];
  for (const { one, other } of pairs) {
    const known = groups.find((group) => group.has(one.name) || group.has(other.name)) ?? new Set<string>();
    if (known.size === 0) groups.push(known);
    known.add(one.name).add(other.name);
  }
  return groups.map((group) => [...group].join(' – '));
}

const isAlmost = (a: string, b: string) => isOneLetterApart(a, b) || hasExchanged(a, b) || isShortened(a, b);

/** Two neighbouring letters in the other order. */
function hasExchanged(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, place) => letter !== b[place]);
  if (at < 0 || !/^\p{L}{2}$/u.test(a.slice(at, at + 2))) return false;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

const SHORTEST_PART = 3;

/** "Torque_Request" and "Torq_Req": the same parts, some of them cut off. */
function isShortened(a: string, b: string): boolean {
  const [mine, theirs] = [a.split('_'), b.split('_')];
  if (a === b || mine.length !== theirs.length || mine.length < 2) return false;
  return mine.every((part, at) => {
    const [short, long] = [part, theirs[at]!].sort((one, other) => one.length - other.length) as [
      string,
      string,
    ];
    return (
      short === long || (short.length >= SHORTEST_PART && /^\p{L}+$/u.test(long) && long.startsWith(short))
    );
  });
}

const MOST_SLIPS = 2;
/** So often a name is written before another one counts as a slip of it. */
const USUAL = 5;

const CAPITALS = /\p{Lu}{3}/u;

/** "LWD Safety" beside many "LDW Safety": an abbreviation with a wrong letter before the same word. */
function slippedAbbreviations({ corpus }: StatedContext) {
  const used = new Map<string, { name: string; word: string; count: number; evidence: () => Evidence }>();
  const total = new Map<string, number>();
  for (const { read } of usableDocuments(corpus)) {
    for (const passage of read.passages) {
      if (passage.role !== 'body' || corpus.otherItem.has(passage.id)) continue;
      if (!CAPITALS.test(passage.text)) continue;
      for (const [token] of passage.text.matchAll(/(?<![\p{L}\p{N}])\p{Lu}{3,5}(?![\p{L}\p{N}])/gu))
        total.set(token, (total.get(token) ?? 0) + 1);
      for (const match of passage.text.matchAll(/(?<![\p{L}\p{N}_])(\p{Lu}{3,5})\s(\p{L}\p{Ll}{3,})/gu)) {
        const [name, short, word] = match as unknown as [string, string, string];
        const known = used.get(name);
        if (known) {
          known.count++;
          continue;
        }
        const at = { start: passage.start + match.index, end: passage.start + match.index + name.length };
        const evidence = () => {
          const cell = cellAround(read.document.blocks[passage.blockIndex]!.cells, at) ?? passage;
          return quote(read.document, passage, cell, { role: 'counter', note: name, focus: at });
        };
        used.set(name, { name: short, word, count: 1, evidence });
      }
    }
  }
  const all = [...used.values()];
  return all.flatMap((one) => {
    // What is used elsewhere too, or is the beginning of ids, is a name of its own.
    if (total.get(one.name)! > MOST_SLIPS || extractionWords().typeOfPrefix.has(one.name)) return [];
    const other = all.find(
      (two) =>
        two.word === one.word &&
        two.count >= USUAL &&
        two.name.length === one.name.length &&
        (hasExchanged(one.name, two.name) || lettersApart(one.name, two.name) === 1),
    );
    const named = (entry: typeof one) => ({
      name: `${entry.name} ${entry.word}`,
      evidence: entry.evidence(),
    });
    return other ? [{ one: named(other), other: named(one) }] : [];
  });
}

const lettersApart = (a: string, b: string) => [...a].filter((letter, at) => letter !== b[at]).length;

/** Digits, single letters and the first or last letter of a name tell things of one kind apart: they are not taken for slips. */
function isOneLetterApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a.toLowerCase() === b.toLowerCase()) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (
    left.length > 1 ||
    right.length > 1 ||
    start === 0 ||
    !/^\p{L}?$/u.test(left) ||
    !/^\p{L}?$/u.test(right)
  )
    return false;
  // The part of the name that differs must be a word, longer than what numbers things with letters.
  const part = (name: string, cut: number) =>
    name.slice(
      name.lastIndexOf('_', start) + 1,
      name.indexOf('_', start) < 0 ? undefined : Math.max(name.indexOf('_', start), start + cut),
    );
  return Math.min(part(a, 1).length, part(b, 1).length) >= 4;
}
