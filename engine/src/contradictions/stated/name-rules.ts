import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { quantitiesIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { Evidence } from '../../findings/finding.js';
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
          quantitiesIn(rest.split(/[.;\t]/u)[0]!).length > 0;
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

const cellAround = <Place extends { readonly start: number; readonly end: number }>(
  cells: readonly Place[] | undefined,
  at: { readonly start: number; readonly end: number },
) => cells?.find((cell) => cell.start <= at.start && at.end <= cell.end);

/** Limits and times that requirements name, and that no document gives a number. */
export function parameterWithoutValue(context: StatedContext): readonly StatedContradiction[] {
  const named = new RegExp(stateWords().valuedName, 'iu');
  const open = [...namesUsed(context).values()].filter(
    ({ name, count, valued }) => named.test(name) && count >= 2 && !valued,
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

/** Two names that differ by one letter, or by one letter left out, and are hardly two things. */
export function namesAlmostEqual(context: StatedContext): readonly StatedContradiction[] {
  const names = [...namesUsed(context).values()].filter(({ name }) => name.length >= SHORTEST_NAME);
  const pairs = names.flatMap((one, at) =>
    names.slice(at + 1).flatMap((other) => (isOneLetterApart(one.name, other.name) ? [{ one, other }] : [])),
  );
  if (pairs.length === 0) return [];
  const affected = [...new Set(pairs.flatMap(({ one, other }) => [one.name, other.name]))];
  return [
    {
      rule: 'names-almost-equal',
      item: 'names',
      confidence: 'medium',
      words: { pairs: pairs.map(({ one, other }) => `${one.name} and ${other.name}`).join('; ') },
      affected,
      evidence: pairs.slice(0, 4).flatMap(({ one, other }) => [one.evidence, other.evidence]),
    },
  ];
}

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
