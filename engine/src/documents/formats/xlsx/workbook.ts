import { cleanText } from '../../clean-text.js';
import { type Colour, hexColour, looksSame, TINY_POINTS, WHITE } from '../../colours.js';
import { fileTooLarge } from '../../document-error.js';
import type { OfficePackage } from '../../files/office-package.js';
import type { XmlAttributes } from '../../files/xml.js';
import type { HiddenReason } from '../../hidden-ranges.js';
import type { ReadingLimits } from '../../reading-limits.js';
import { formatCode } from './number-format.js';

export interface SheetEntry {
  readonly name: string;
  readonly part: string;
  readonly hidden: boolean;
}

/** What all sheets of a workbook share. */
export interface Workbook {
  readonly sheets: readonly SheetEntry[];
  readonly date1904: boolean;
  readonly strings: readonly string[];
  /** By style index of a cell. */
  readonly styles: readonly CellStyle[];
}

export interface CellStyle {
  readonly format: string;
  readonly bold: boolean;
  /** Why nobody sees what stands in such a cell, unless a table or a condition gives it another look. */
  readonly hidden?: HiddenReason;
}

/** A format of four empty parts shows nothing. */
const SHOWS_NOTHING = /^\s*;\s*;\s*;\s*$/;

export async function readWorkbook(file: OfficePackage, limits: ReadingLimits): Promise<Workbook> {
  const relationships = await file.relationships(file.mainPart);
  const sheets: SheetEntry[] = [];
  let date1904 = false;
  await file.parse(file.mainPart, {
    open(name, attributes) {
      if (name === 'workbookPr') date1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const target = relationships.get(attributes['r:id'] ?? '');
      if (target?.type !== 'worksheet') return;
      if (sheets.length >= limits.maxPages) {
        throw fileTooLarge(`The workbook has more than ${limits.maxPages} sheets.`);
      }
      sheets.push({
        name: cleanText(attributes.name ?? ''),
        part: target.target,
        hidden: attributes.state === 'hidden' || attributes.state === 'veryHidden',
      });
    },
  });
  const part = (type: string) => [...relationships.values()].find((entry) => entry.type === type)?.target;
  return {
    sheets,
    date1904,
    strings: await readStrings(file, part('sharedStrings'), limits),
    styles: await readStyles(file, part('styles')),
  };
}

async function readStrings(file: OfficePackage, part: string | undefined, limits: ReadingLimits) {
  const strings: string[] = [];
  if (!part || !file.has(part)) return strings;
  let text = '';
  let collecting = false;
  let phonetic = false;
  let characters = 0;
  await file.parse(part, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic = true;
      if (name === 't') collecting = !phonetic;
    },
    text(piece) {
      if (collecting) text += piece;
    },
    close(name) {
      if (name === 't') collecting = false;
      if (name === 'rPh') phonetic = false;
      if (name !== 'si') return;
      characters += text.length;
      if (characters > limits.maxCharacters) {
        throw fileTooLarge(`The workbook has more than ${limits.maxCharacters} characters of text.`);
      }
      strings.push(cleanText(text));
    },
  });
  return strings;
}

async function readStyles(file: OfficePackage, part: string | undefined) {
  const styles: CellStyle[] = [];
  if (!part || !file.has(part)) return styles;
  const formats = new Map<number, string>();
  const fonts: { bold: boolean; size: number | undefined; colour: Colour }[] = [];
  /** Background by fill; white where there is none, undefined where it is not known. */
  const fills: Colour[] = [];
  let section = '';
  let solid = false;
  await file.parse(part, {
    open(name, attributes) {
      if (SECTIONS.has(name)) section = name;
      if (name === 'numFmt') formats.set(Number(attributes.numFmtId), attributes.formatCode ?? 'General');
      const font = fonts.at(-1);
      if (section === 'fonts' && name === 'font')
        fonts.push({ bold: false, size: undefined, colour: undefined });
      else if (section === 'fonts' && font) {
        if (name === 'b' && !/^(0|false)$/.test(attributes.val ?? '')) font.bold = true;
        if (name === 'sz') font.size = Number(attributes.val);
        if (name === 'color') font.colour = colourOf(attributes);
      }
      if (section === 'fills') {
        if (name === 'fill') fills.push(undefined);
        if (name === 'patternFill' && attributes.patternType === 'none') fills[fills.length - 1] = WHITE;
        if (name === 'fgColor' && solid) fills[fills.length - 1] = colourOf(attributes);
        if (name === 'patternFill') solid = attributes.patternType === 'solid';
      }
      if (section === 'cellXfs' && name === 'xf') {
        const format = formatCode(Number(attributes.numFmtId ?? 0), formats);
        const own = fonts[Number(attributes.fontId ?? 0)];
        const hidden = SHOWS_NOTHING.test(format)
          ? 'marked-hidden'
          : own?.size !== undefined && own.size <= TINY_POINTS
            ? 'tiny'
            : looksSame(own?.colour, fills[Number(attributes.fillId ?? 0)])
              ? 'same-colour'
              : undefined;
        styles.push({ format, bold: own?.bold ?? false, ...(hidden ? { hidden } : {}) });
      }
    },
    close(name) {
      if (name === section) section = '';
    },
  });
  return styles;
}

const SECTIONS = new Set(['fonts', 'fills', 'cellXfs', 'cellStyleXfs', 'dxfs']);

/** The first colour of a theme is that of the window, as are 1 and 9 of the palette; others are not known. */
function colourOf({ rgb, theme, tint, indexed }: XmlAttributes): Colour {
  if (rgb !== undefined) return hexColour(rgb);
  if (theme === '0' && !Number(tint ?? 0)) return WHITE;
  return indexed === '9' || indexed === '1' ? WHITE : undefined;
}
