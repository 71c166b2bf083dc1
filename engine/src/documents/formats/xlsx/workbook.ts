import { cleanText } from '../../clean-text.js';
import { fileTooLarge } from '../../document-error.js';
import type { OfficePackage } from '../../files/office-package.js';
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
  readonly styles: readonly { readonly format: string; readonly bold: boolean }[];
}

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
  const styles: { format: string; bold: boolean }[] = [];
  if (!part || !file.has(part)) return styles;
  const formats = new Map<number, string>();
  const boldFonts: boolean[] = [];
  let section = '';
  await file.parse(part, {
    open(name, attributes) {
      if (name === 'fonts' || name === 'cellXfs' || name === 'cellStyleXfs' || name === 'dxfs')
        section = name;
      if (name === 'numFmt') formats.set(Number(attributes.numFmtId), attributes.formatCode ?? 'General');
      if (section === 'fonts' && name === 'font') boldFonts.push(false);
      if (section === 'fonts' && name === 'b' && !/^(0|false)$/.test(attributes.val ?? '')) {
        boldFonts[boldFonts.length - 1] = true;
      }
      if (section === 'cellXfs' && name === 'xf') {
        styles.push({
          format: formatCode(Number(attributes.numFmtId ?? 0), formats),
          bold: boldFonts[Number(attributes.fontId ?? 0)] ?? false,
        });
      }
    },
    close(name) {
      if (name === section) section = '';
    },
  });
  return styles;
}
