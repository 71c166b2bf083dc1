import { isCaption } from './captions.js';
import { sectionDepth } from './line-starts.js';
import type { OutlineEntry } from './outline.js';
import type { DocumentStyle } from './style.js';
import type { PageItem, TextBlock } from './text-blocks.js';
import { appendLine } from './text-normalisation.js';

/** Level of each block that is a heading, 1 outermost. */
export type HeadingLevels = ReadonlyMap<TextBlock, number>;

const LONGEST_HEADING = 180;
const LONGEST_BOLD_HEADING = 120;
const DEEPEST_LEVEL = 9;
/** A heading is at least this much larger than the text. */
const LARGER = 1.12;

interface Candidate {
  readonly block: TextBlock;
  /** Level that the file itself or the numbering gives. */
  readonly given?: number;
}

/**
 * Finds the headings: what the structure tree or the outline names so; what is larger or bolder than the text
 * and short; what carries a section number and stands alone. Levels come from tree, outline and numbering;
 * where those are silent, from headings of the same style, else from the order of sizes.
 */
export function findHeadings(
  pages: readonly (readonly PageItem[])[],
  context: { readonly style: DocumentStyle; readonly outline: readonly OutlineEntry[] },
): HeadingLevels {
  const { style } = context;
  const titles = outlineTitles(context.outline);
  const candidates: Candidate[] = [];
  pages.forEach((items, index) => {
    items.forEach((item, at) => {
      if (!('lines' in item)) return;
      const candidate = candidateOf(item, { style, following: items[at + 1], levelOf: titles(index + 1) });
      if (candidate) candidates.push(candidate);
    });
  });
  return levelsOf(candidates);
}

export function blockText(block: TextBlock): string {
  if (block.code) return block.lines.map((line) => line.text).join('\n');
  return block.lines.reduce((text, line) => appendLine(text, line.text), '');
}

function candidateOf(
  block: TextBlock,
  context: {
    readonly style: DocumentStyle;
    readonly following: PageItem | undefined;
    readonly levelOf: (text: string) => number | undefined;
  },
): Candidate | undefined {
  const { style } = context;
  if (block.toc || block.lines.length > 4) return undefined;
  const text = blockText(block);
  if (text.length > LONGEST_HEADING || !/\p{L}{2}/u.test(text)) return undefined;
  const tagged = /^H([1-6])?$/.exec(block.tagType ?? '');
  if (tagged) return tagged[1] ? { block, given: Number(tagged[1]) } : { block };
  const outlined = context.levelOf(text);
  if (outlined !== undefined) return { block, given: outlined };
  if (block.code || block.tagType === 'LI' || block.tagType === 'TOCI' || isCaption(block, text, style))
    return undefined;
  const depth = sectionDepth(text);
  if (block.marker === 'bullet' || (block.marker === 'number' && depth === undefined)) return undefined;
  if (block.id?.setOff || /[,;]$/.test(text)) return undefined;
  const first = block.lines[0]!;
  const standsOut = first.size >= LARGER * style.size;
  const bold = first.bold && !style.bold && first.size >= 0.9 * style.size;
  if (!standsOut) {
    if (text.length > LONGEST_BOLD_HEADING || /[.]$/.test(text)) return undefined;
    if (!bold && !standsAlone(block, text, style)) return undefined;
    if (!bold && (depth === undefined || depth < 2)) return undefined;
  }
  if (depth !== undefined) return { block, given: depth };
  return { block };
}

/** A plain line with space around it, ending like a title. */
function standsAlone(block: TextBlock, text: string, style: DocumentStyle): boolean {
  return (
    block.lines.length === 1 &&
    text.length < 80 &&
    block.gapAbove > 1.25 * style.leading &&
    !/[.:;,]$/.test(text)
  );
}

function levelsOf(candidates: readonly Candidate[]): HeadingLevels {
  const votes = new Map<string, Map<number, number>>();
  for (const { block, given } of candidates) {
    if (given === undefined) continue;
    const counts = votes.get(styleKey(block)) ?? new Map<number, number>();
    votes.set(styleKey(block), counts.set(given, (counts.get(given) ?? 0) + 1));
  }
  const known = new Map<string, number>();
  for (const [key, counts] of votes) {
    known.set(key, [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0]);
  }
  const levels = new Map<TextBlock, number>();
  const unknown = new Map<string, TextBlock[]>();
  for (const { block, given } of candidates) {
    const level = given ?? known.get(styleKey(block));
    if (level !== undefined) levels.set(block, Math.min(level, DEEPEST_LEVEL));
    else unknown.set(styleKey(block), [...(unknown.get(styleKey(block)) ?? []), block]);
  }
  // Styles without a given level go below the next larger style that has one.
  const weights = new Map<number, number>();
  for (const [key, level] of known) {
    const weight = weightOf(key);
    weights.set(weight, Math.min(level, weights.get(weight) ?? level));
  }
  const ordered = [...unknown.keys()].sort((a, b) => weightOf(b) - weightOf(a));
  for (const key of ordered) {
    const weight = weightOf(key);
    let above = 0;
    for (const [other, level] of weights) if (other > weight) above = Math.max(above, level);
    const level = Math.min(above + 1, DEEPEST_LEVEL);
    weights.set(weight, level);
    for (const block of unknown.get(key)!) levels.set(block, level);
  }
  return levels;
}

function styleKey(block: TextBlock): string {
  const first = block.lines[0]!;
  return `${Math.round(first.size * 2) / 2}/${first.bold ? 1 : 0}/${first.italic ? 1 : 0}`;
}

/** Orders styles: larger first, bold before plain, upright before italic. */
function weightOf(key: string): number {
  const [size, bold, italic] = key.split('/').map(Number);
  return size! * 10 + bold! * 2 - italic!;
}

/** Looks titles of the outline up by the page that they lead to. */
function outlineTitles(
  outline: readonly OutlineEntry[],
): (page: number) => (text: string) => number | undefined {
  const byPage = new Map<number, { levels: Map<string, number>; longest: number }>();
  for (const entry of outline) {
    if (entry.page === undefined) continue;
    const titles = byPage.get(entry.page) ?? { levels: new Map<string, number>(), longest: 0 };
    byPage.set(entry.page, titles);
    titles.longest = Math.max(titles.longest, entry.title.length);
    for (const key of titleKeys(entry.title)) titles.levels.set(key, entry.level);
  }
  return (page) => {
    const titles = byPage.get(page);
    return (text) => {
      if (!titles || text.length > 2 * titles.longest + 20) return undefined;
      for (const key of titleKeys(text)) {
        const level = titles.levels.get(key);
        if (level !== undefined) return level;
      }
      return undefined;
    };
  };
}

/** A title as compared: letters and digits only, with and without its section number. */
function titleKeys(title: string): string[] {
  const plain = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const bare = title
    .toLowerCase()
    .replace(/^\s*(?:(?:chapter|section|kapitel|abschnitt|annex|anhang|appendix)\s+)?[\p{N}.]+[.:)]?\s+/u, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
  return bare !== '' && bare !== plain ? [plain, bare] : [plain];
}
