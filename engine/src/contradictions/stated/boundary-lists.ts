import { type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { Evidence } from '../../findings/finding.js';
import { compactTitle } from '../../words/column-titles.js';
import { anyOf } from '../../words/read-words.js';
import { ABBREVIATION, clausesOf, elementKey, SIDES, type Side } from './boundary-elements.js';
import { overlap, type StatedContext, type StatedContradiction, stemsOf } from './stated-rule.js';

/** Something that a list, a table or a sentence puts on one side. */
interface Placed {
  readonly side: Side;
  readonly name: string;
  /** Keys of the name: all of it, without its abbreviation, and the abbreviation alone. */
  readonly keys: readonly string[];
  /** What its row says about it. */
  readonly about: string;
  readonly document: CorpusDocument;
  readonly evidence: Evidence;
}

/** On which side everything below a title lies; undefined where it says both or nothing. */
function sideTold(title: string): Side | undefined {
  if (title.length > LONGEST_TITLE) return undefined;
  const { inside, outside } = stateWords().boundary;
  const without = title.replace(anyOf(outside), ' ');
  if (without !== title) return anyOf(inside).test(without) ? undefined : 'outside';
  return anyOf(inside).test(title) ? 'inside' : undefined;
}
const LONGEST_TITLE = 70;

/** Parts of a list, at commas that stand in no brackets. */
function partsOf(list: string): readonly string[] {
  return list
    .split(/[,;](?![^()]*\))|\s(?:and|und|sowie|as\s+well\s+as)\s(?![^()]*\))/u)
    .map((one) =>
      one
        .replace(/^(?:the|a|an|der|die|das|den|dem|and|und|all|its)\s+/iu, '')
        .replace(/[.:;\s]+$/u, '')
        .trim(),
    )
    .filter((one) => one.length > 1 && one.split(/\s+/u).length <= LONGEST_NAME);
}
const LONGEST_NAME = 9;
/** "Inertial Sensor Cluster (ISC)", "backup cell BC of WCU": the head of a name, and its abbreviation. */
function keysOf(name: string): readonly string[] {
  const [head] = name.split(/\s(?:of|for|from|with|in|on|at|des|der|von|vom|mit|für|im|am)\s/u);
  const inBrackets = /\(([^()]+)\)/u.exec(head!)?.[1]?.trim() ?? '';
  const bare = head!.replaceAll(/\([^()]*\)/gu, ' ').trim();
  const abbreviations = [inBrackets, bare.split(/\s+/u).at(-1)!].filter((one) => ABBREVIATION.test(one));
  const isWhole = head!.length === name.length;
  return [...new Set([...(isWhole ? [compactTitle(bare)] : []), ...abbreviations])].filter(
    (key) => key.length > 1,
  );
}

function placedIn(context: StatedContext): readonly Placed[] {
  const { boundary } = stateWords();
  const lists = (['inside', 'outside'] as const).map((side) => ({
    side,
    patterns: boundary[`${side}Lists`].map((one) => new RegExp(one, 'iu')),
  }));
  return usableDocuments(context.corpus).flatMap((document): Placed[] => {
    const { read } = document;
    const put = (
      side: Side,
      names: readonly string[],
      at: {
        readonly passage: Passage;
        readonly start: number;
        readonly end: number;
        readonly about?: string;
      },
    ) =>
      names.map(
        (name): Placed => ({
          ...{ side, name, keys: keysOf(name), about: at.about ?? '', document },
          evidence: quote(read.document, at.passage, at, { role: 'counter', note: name }),
        }),
      );
    const inText = read.passages.flatMap((passage): Placed[] => {
      const block = read.document.blocks[passage.blockIndex]!;
      if (block.cells || passage.role !== 'body' || context.corpus.otherItem.has(passage.id)) return [];
      const above = block.kind === 'list_item' ? sideAbove(document, passage.blockIndex) : undefined;
      if (above) {
        const [name, about] = passage.text.split(/:\s|\s[–-]\s/u);
        return put(above, partsOf(name!), {
          passage,
          start: passage.start,
          end: passage.end,
          about: about ?? '',
        });
      }
      const under = sideOfHeadingRightAbove(document, passage.blockIndex);
      if (under && partsOf(passage.text).length >= FEWEST_LISTED)
        return put(under, partsOf(passage.text), {
          passage,
          start: passage.start,
          end: passage.end,
        });
      return clausesOf(passage.text).flatMap(({ start, end }) => {
        const sentence = passage.text.slice(start, end);
        for (const { side, patterns } of lists) {
          const list = patterns
            .map((one) => one.exec(sentence)?.groups?.list)
            .find((one) => one !== undefined);
          if (list === undefined || anyOf(boundary[side === 'inside' ? 'outside' : 'inside']).test(list))
            continue;
          return put(side, partsOf(list), {
            passage,
            start: passage.start + start,
            end: passage.start + end,
          });
        }
        return [];
      });
    });
    return [...inText, ...inTables(document, put)];
  });
}

/** A paragraph of so many short names is a list. */
const FEWEST_LISTED = 3;
function sideOfHeadingRightAbove({ read }: CorpusDocument, block: number): Side | undefined {
  const above = read.document.blocks[block - 1];
  return above?.kind === 'heading' ? sideTold(above.text) : undefined;
}

/** The line above a list, or the heading of its section. */
function sideAbove({ read }: CorpusDocument, block: number): Side | undefined {
  for (let at = block - 1; at >= 0; at--) {
    const { kind, cells, text } = read.document.blocks[at]!;
    if (cells) return undefined;
    if (kind === 'list_item') continue;
    const side = kind === 'heading' || /:\s*$/u.test(text) ? sideTold(text) : undefined;
    if (side || kind === 'heading') return side;
    return undefined;
  }
  return undefined;
}

function inTables(
  document: CorpusDocument,
  put: (
    side: Side,
    names: readonly string[],
    at: { readonly passage: Passage; readonly start: number; readonly end: number; readonly about?: string },
  ) => readonly Placed[],
): readonly Placed[] {
  const { read } = document;
  return read.tables.flatMap((table) => {
    const first = table.headerBlocks[0] ?? table.rows[0]?.block;
    if (first === undefined || read.passages[first]?.role !== 'body') return [];
    const titled = table.columns.map((title) => sideTold(title ?? ''));
    const whole = titled.every((side) => side === undefined) ? sideOfTable(document, first) : undefined;
    return table.rows.flatMap(({ block, cells }) => {
      const passage = read.passages[block]!;
      const all = [...cells.values()].filter(({ text }) => text.trim() !== '');
      return all.flatMap((cell, at) => {
        const side = titled[cell.column] ?? (at === 0 ? whole : undefined);
        // "Inside: yes" is a mark and no name.
        if (!side || cell.text.trim().length < 2 || all.every((one) => one.text.trim().length < 4)) return [];
        const about = all.filter((one) => one !== cell).map(({ text }) => text);
        const names = titled[cell.column] && sideWords().test(cell.text) ? [] : partsOf(cell.text);
        // The abbreviation may stand in a column of its own.
        const short =
          titled[cell.column] || whole
            ? about.flatMap((text) =>
                partsOf(text).filter((one) => ABBREVIATION.test(one.replaceAll(/-\p{L}$/gu, ''))),
              )
            : [];
        const place = { passage, start: cell.start, end: cell.end, about: about.join(' ') };
        const placed = put(side, names, place);
        const isNamedSo = all[1] !== undefined && partsOf(all[1].text).every((one) => ABBREVIATION.test(one));
        return isNamedSo ? [...placed, ...put(side, short, place)] : placed;
      });
    });
  });
}

const sideWords = () => {
  const { yes, no } = stateWords().boundary;
  const words = [...yes, ...no].map((one) => one.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^\\s*(?:${words.join('|')})\\s*$`, 'iu');
};

/** What the line right above a table, else the heading of its section, says about all of its rows. */
function sideOfTable({ read }: CorpusDocument, first: number): Side | undefined {
  const above = read.document.blocks[first - 1];
  const own = above && !above.cells ? sideTold(above.text) : undefined;
  const section = read.sections[read.sectionOf[first]!];
  return own ?? sideTold(section?.title ?? '');
}

/** Lists put an element on both sides: in one document by any of its names, in two by the whole name. */
export function differsInLists(context: StatedContext): readonly StatedContradiction[] {
  const placed = placedIn(context);
  const inside = placed.filter(({ side }) => side === 'inside');
  const outside = placed.filter(({ side }) => side === 'outside');
  if (inside.length === 0 || outside.length === 0) return [];
  const byKey = firstByKey(outside, ({ document, keys }) => keys.map((key) => inDocument(document, key)));
  const byName = firstByKey(outside, ({ name }) => [elementKey(name)].filter(isLong));
  const parts = partsBeside(outside);
  return inside.flatMap((one) => {
    const keys = one.keys.map((key) => inDocument(one.document, key));
    const other =
      keys.map((key) => byKey.get(key)).find((two) => two !== undefined) ??
      // In another document only the whole name says that it is the same.
      byName.get(elementKey(one.name));
    const told = other ?? outsidePart(one, parts);
    if (!told) return [];
    return [
      {
        rule: 'boundary-differs',
        item: compactTitle(one.name),
        confidence: 'medium',
        words: { element: one.name, one: SIDES.inside!, other: SIDES.outside! },
        affected: [],
        evidence: [told.evidence, one.evidence],
      },
    ];
  });
}

const isLong = (name: string): boolean => name.length >= SHORTEST_NAME;
const SHORTEST_NAME = 6;

const inDocument = ({ id }: CorpusDocument, key: string): string => `${id}\n${key}`;

function firstByKey(
  placed: readonly Placed[],
  keysOfOne: (one: Placed) => readonly string[],
): ReadonlyMap<string, Placed> {
  const first = new Map<string, Placed>();
  for (const one of placed) for (const key of keysOfOne(one)) if (!first.has(key)) first.set(key, one);
  return first;
}

/** What the row of something outside lists beside it, by document and key. */
type PartsBeside = ReadonlyMap<
  string,
  readonly { readonly of: Placed; readonly stems: ReadonlySet<string> }[]
>;

function partsBeside(outside: readonly Placed[]): PartsBeside {
  const parts = new Map<string, { of: Placed; stems: ReadonlySet<string> }[]>();
  for (const of of outside)
    for (const part of partsOf(of.about))
      for (const key of keysOf(part)) {
        const at = inDocument(of.document, key);
        const one = { of, stems: stemsOf(part) };
        const known = parts.get(at);
        if (known) known.push(one);
        else parts.set(at, [one]);
      }
  return parts;
}

/** What a row about something outside lists beside it ("vehicle battery, backup cell BC of WCU"), in the words in which the inside describes it. */
function outsidePart(one: Placed, parts: PartsBeside): Placed | undefined {
  const described = stemsOf(one.about);
  return one.keys
    .flatMap((key) => parts.get(inDocument(one.document, key)) ?? [])
    .find(({ stems }) => {
      const shared = [...described].filter((stem) => stems.has(stem)).length;
      return shared >= 2 && overlap(stems, described) >= 0.5;
    })?.of;
}
