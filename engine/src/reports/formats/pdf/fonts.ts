import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Faces by name. DejaVu has Latin, Greek, Cyrillic, Hebrew, Arabic, mathematics and arrows in one file. */
export const FACES = {
  text: 'DejaVuSansCondensed.ttf',
  strong: 'DejaVuSansCondensed-Bold.ttf',
  code: 'DejaVuSansMono.ttf',
} as const;
export type Face = keyof typeof FACES;

/** Joins emoji, picks their colour, allows a hyphen: nothing of it is to be seen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Stands for a character that the fonts have no shape for. */
const NO_SHAPE = '□';

/** What is needed of an opened font; PDFKit opens it with fontkit and keeps it to itself. */
interface OpenedFont {
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
  ref(): PDFKit.PDFKitReference;
  /** Hexadecimal glyph numbers, and their positions. */
  encode(text: string): readonly [glyphs: readonly string[], positions: unknown];
}

export interface Fonts {
  /** Width in points. */
  width(text: string, face: Face, size: number): number;
  /** The text with what can be drawn; counts what cannot. */
  drawable(text: string, face: Face): string;
  /** A face as an object of the file, and a text as it is written with it. */
  embedded(face: Face): { readonly reference: PDFKit.PDFKitReference; encode(text: string): string };
  /** Characters that had no shape so far. */
  readonly missing: number;
}

/** Registers the faces in a document. */
export function openFonts(doc: PDFKit.PDFDocument): Fonts {
  const folder = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  for (const [face, file] of Object.entries(FACES)) doc.registerFont(face, join(folder, file));
  const widths = new Map<string, number>();
  const shapes = new Map<Face, Map<number, boolean>>();
  let missing = 0;

  const opened = (face: Face): OpenedFont => {
    doc.font(face);
    return (doc as unknown as { _font: OpenedFont })._font;
  };
  const hasShape = (codePoint: number, face: Face): boolean => {
    let known = shapes.get(face);
    if (!known) {
      known = new Map();
      shapes.set(face, known);
    }
    let has = known.get(codePoint);
    if (has === undefined) {
      has = opened(face).font.hasGlyphForCodePoint(codePoint);
      known.set(codePoint, has);
    }
    return has;
  };

  return {
    width(text, face, size) {
      const key = `${face}:${text}`;
      let width = widths.get(key);
      if (width === undefined) {
        width = doc.font(face).fontSize(100).widthOfString(text) / 100;
        // Words come again and again, whole texts do not.
        if (text.length <= 24 && widths.size < 200_000) widths.set(key, width);
      }
      return width * size;
    },
    drawable(text, face) {
      let drawable = '';
      for (const character of text.replace(INVISIBLE, '')) {
        const codePoint = character.codePointAt(0)!;
        if ((codePoint >= 32 && codePoint < 127) || character === '\n' || hasShape(codePoint, face)) {
          drawable += character;
        } else if (/\s/.test(character)) drawable += ' ';
        else {
          drawable += NO_SHAPE;
          missing++;
        }
      }
      return drawable;
    },
    embedded(face) {
      const font = opened(face);
      return { reference: font.ref(), encode: (text) => `<${font.encode(text)[0].join('')}>` };
    },
    get missing() {
      return missing;
    },
  };
}
