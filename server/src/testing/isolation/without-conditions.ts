/**
 * The texts that an SQL text becomes when one condition of a `where`, or one side of an `and`, is `true` instead. Knows
 * quotes and parentheses; `between` is not written in what it is for.
 */
export function withoutConditions(text: string): readonly string[] {
  const found = new Map<string, string>();
  for (const [start, end] of regions(text)) {
    const parts = conjuncts(text, start, end);
    const isWhere = /where\s*$/i.test(text.slice(0, start));
    if (parts.length < 2 && !isWhere) continue;
    for (const [from, to] of parts) {
      if (/^[\s(]*true[\s)]*$/i.test(text.slice(from, to))) continue;
      const mutant = `${text.slice(0, from)} true ${text.slice(to)}`;
      found.set(mutant, mutant);
    }
  }
  return [...found.values()];
}

type Span = readonly [start: number, end: number];

/** What may be conditions joined by `and`: the whole, the content of parentheses, what follows a `where`. */
function regions(text: string): readonly Span[] {
  const spans: Span[] = [[0, text.length]];
  const open: number[] = [];
  const quoted = quotedAt(text);
  for (let index = 0; index < text.length; index += 1) {
    if (quoted[index]) continue;
    if (text[index] === '(') open.push(index + 1);
    if (text[index] === ')') spans.push([open.pop() ?? 0, index]);
    if (/^\bwhere\b/i.test(text.slice(index, index + 6)) && /\W/.test(text[index - 1] ?? ' ')) {
      spans.push([index + 5, endOfWhere(text, index + 5, quoted)]);
    }
  }
  // The body of a function is no condition, whatever words are in it.
  return spans.filter(([start, end]) => !/;|\bdeclare\b|\bwhere\b.*\bwhere\b/is.test(text.slice(start, end)));
}

function endOfWhere(text: string, start: number, quoted: readonly boolean[]): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    if (quoted[index]) continue;
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth < 0 || text[index] === ';') return index;
    if (depth === 0 && /^\s(returning|order by|group by|limit)\b/i.test(text.slice(index, index + 12)))
      return index;
  }
  return text.length;
}

function conjuncts(text: string, start: number, end: number): readonly Span[] {
  const quoted = quotedAt(text);
  const parts: Span[] = [];
  let depth = 0;
  let from = start;
  for (let index = start; index < end; index += 1) {
    if (quoted[index]) continue;
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth > 0 || !/^\sand\s/i.test(text.slice(index, index + 5))) continue;
    parts.push([from, index]);
    from = index + 4;
  }
  return [...parts, [from, end]];
}

/** For each place of the text, whether it lies within quotes or a comment. */
function quotedAt(text: string): readonly boolean[] {
  const quoted = new Array<boolean>(text.length).fill(false);
  for (const { index, 0: part } of text.matchAll(/'(?:[^']|'')*'|--[^\n]*/g)) {
    quoted.fill(true, index, index + part.length);
  }
  return quoted;
}
