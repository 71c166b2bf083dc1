import { type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import type { Evidence } from '../../findings/finding.js';
import { splitSentences } from '../../text/sentences.js';
import { compactTitle } from '../../words/column-titles.js';
import { anyOf } from '../../words/read-words.js';
import { elementsOf } from './allocation-rules.js';
import {
  firstOfEach,
  overlap,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
} from './stated-rule.js';

const SIDES: Readonly<Record<string, { readonly en: string; readonly de: string }>> = {
  inside: { en: 'inside', de: 'innerhalb' },
  outside: { en: 'outside', de: 'außerhalb' },
};

/** An element lies inside the item in one place and outside in another. */
export function boundaryDiffers(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach([...differsInRows(context), ...differsInLists(context)]);
}

type Side = 'inside' | 'outside';

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
const ABBREVIATION = /^\p{Lu}[\p{Lu}\d_-]*\p{Lu}[\p{Lu}\d_-]*$/u;

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
      return splitSentences(passage.text).flatMap(({ start, end }) => {
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

function differsInLists(context: StatedContext): readonly StatedContradiction[] {
  const placed = placedIn(context);
  const inside = placed.filter(({ side }) => side === 'inside');
  const outside = placed.filter(({ side }) => side === 'outside');
  if (inside.length === 0 || outside.length === 0) return [];
  return inside.flatMap((one) => {
    const other = outside.find((two) => two.document === one.document && isSameElement(one, two));
    const told = other ?? outsidePart(one, outside);
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

const isSameElement = (one: Placed, two: Placed): boolean => one.keys.some((key) => two.keys.includes(key));

/** What a row about something outside lists beside it ("vehicle battery, backup cell BC of WCU"), in the words in which the inside describes it. */
function outsidePart(one: Placed, outside: readonly Placed[]): Placed | undefined {
  const described = stemsOf(one.about);
  return outside.find(
    (two) =>
      two.document === one.document &&
      partsOf(two.about).some((part) => {
        const own = stemsOf(part);
        const shared = [...described].filter((stem) => own.has(stem)).length;
        return (
          keysOf(part).some((key) => one.keys.includes(key)) && shared >= 2 && overlap(own, described) >= 0.5
        );
      }),
  );
}

/** An element whose row says on which side it lies, and another row or a sentence that says the opposite. */
function differsInRows({ corpus, facts }: StatedContext): readonly StatedContradiction[] {
  const { boundary } = stateWords();
  const sideOf = (text: string) => {
    const said = text.trim().toLowerCase();
    return boundary.yes.includes(said) ? 'inside' : boundary.no.includes(said) ? 'outside' : undefined;
  };
  const elements = facts.items.flatMap((item) => {
    const value = item.values.get('inside');
    const name =
      item.values.get('element')?.text ??
      item.values.get('text')?.text ??
      item.cells.find((cell) => cell !== item.values.get('id'))?.text;
    const side = value && sideOf(value.text);
    if (value && side) return name && name.length > 2 ? [{ item, value, name, side }] : [];
    return toldInCell(item);
  });
  if (elements.length === 0) return [];
  const sentences = [
    { side: 'inside', pattern: new RegExp(boundary.insideSentence, 'iu') },
    { side: 'outside', pattern: new RegExp(boundary.outsideSentence, 'iu') },
  ];
  const inTables = elements.flatMap((one) => {
    const other = elements.find(
      (two) => two !== one && compactTitle(two.name) === compactTitle(one.name) && two.side !== one.side,
    );
    return other ? [told(one, { ...other, evidence: shown(other.item, other.value, other.name) })] : [];
  });
  const inText = usableDocuments(corpus).flatMap(({ read }) =>
    read.passages.flatMap((passage) => {
      if (read.document.blocks[passage.blockIndex]!.cells || passage.role === 'heading') return [];
      return [...passage.text.matchAll(/[^.!?]+[.!?]?/gu)].flatMap((sentence) =>
        sentences.flatMap(({ side, pattern }) => {
          if (!pattern.test(sentence[0])) return [];
          const start = passage.start + sentence.index + /^\s*/u.exec(sentence[0])![0].length;
          const place = { start, end: passage.start + sentence.index + sentence[0].trimEnd().length };
          return elements
            .filter((one) => one.side !== side && namesSubject(sentence[0], one.name))
            .map((one) =>
              told(one, {
                side,
                evidence: [quote(read.document, passage, place, { role: 'counter', note: one.name })],
              }),
            );
        }),
      );
    }),
  );
  return firstOfEach([...inTables, ...inText]);
}

/** An element whose row says in a cell of its own, or in brackets behind the name, on which side it lies: "outside the item", "ESC (other item)". */
function toldInCell(item: StatedItem) {
  const { insideCell, outsideCell } = stateWords().boundary;
  const sides = [
    { side: 'inside', says: new RegExp(`^(?:${insideCell})$`, 'iu') },
    { side: 'outside', says: new RegExp(`^(?:${outsideCell})$`, 'iu') },
  ];
  const [first, ...others] = item.cells;
  if (item.how !== 'table' || item.hasId || !first) return [];
  const { name, bracket } =
    /^(?<name>[^()]{3,}?)\s*(?:\((?<bracket>[^()]+)\))?$/u.exec(first.text.trim())?.groups ?? {};
  if (name === undefined) return [];
  return [
    ...others.map((value) => ({ value, said: value.text })),
    { value: first, said: bracket ?? '' },
  ].flatMap(({ value, said }) =>
    sides.filter(({ says }) => says.test(said.trim())).map(({ side }) => ({ item, value, name, side })),
  );
}

/** Only one thing stands before the verb, or a list of them. */
function namesSubject(sentence: string, name: string): boolean {
  const before = sentence.split(
    /(?<!\p{L})(?:is|are|ist|sind|belongs?|liegt|liegen|gehört|gehören)(?!\p{L})/iu,
  )[0]!;
  return elementsOf(before).some(
    (one) => compactTitle(one.replace(/^(?:the|der|die|das)\s+/iu, '')) === compactTitle(name),
  );
}

function told(
  one: {
    readonly item: StatedItem;
    readonly value: StatedValue;
    readonly name: string;
    readonly side: string;
  },
  other: { readonly side: string; readonly evidence: StatedContradiction['evidence'] },
): StatedContradiction {
  return {
    rule: 'boundary-differs',
    item: compactTitle(one.name),
    confidence: 'high',
    words: { element: one.name, one: SIDES[one.side], other: SIDES[other.side] },
    affected: [one.item.id],
    evidence: [...shown(one.item, one.value, `${one.name}: ${one.value.title}`), ...other.evidence],
  };
}
