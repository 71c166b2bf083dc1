import { type Colour, hexColour, looksSame, TINY_POINTS, WHITE } from '../../colours.js';
import type { OfficePackage } from '../../files/office-package.js';
import type { XmlAttributes } from '../../files/xml.js';
import type { HiddenReason } from '../../hidden-ranges.js';
import { createFieldStack } from './fields.js';
import { createPageCounter } from './pages.js';
import type { StoryFacts, StoryHandler, StoryItem, StoryParagraph } from './story-items.js';
import { isOn, type Shade, type Style, type Styles, shadeOf } from './styles.js';
import { createTableStack } from './table-stack.js';

/** Content that is not part of the current text: deletions, former properties, second renditions. */
const SKIPPED = new Set([
  'w:del',
  'w:moveFrom',
  'w:rPrChange',
  'w:pPrChange',
  'w:tblPrChange',
  'w:tblPrExChange',
  'w:tblGridChange',
  'w:trPrChange',
  'w:tcPrChange',
  'w:sectPrChange',
  'w:rt',
  'mc:Fallback',
]);
const GROUPS = new Set(['w:footnote', 'w:endnote', 'w:comment']);
const TEXT_BOX = /wordprocessingShape$/;
/** Check boxes and bullets of the symbol fonts, by character code without the private-use offset. */
const SYMBOLS: Readonly<Record<number, string>> = {
  168: '☐',
  111: '☐',
  254: '☒',
  120: '☒',
  252: '✓',
  224: '→',
};

/** Reads one part (body, header, notes, comments) as a sequence of paragraphs and tables. */
export async function readStory(
  file: OfficePackage,
  part: string,
  styles: Styles,
  handler: StoryHandler,
): Promise<StoryFacts> {
  const drawnBehind = new Set<number>();
  const facts: StoryFacts = { insertions: 0, deletions: 0, embeddedObjects: 0, drawnBehind };
  const fields = createFieldStack();
  const pages = createPageCounter();
  const paragraphs: StoryParagraph[] = [];
  const tables = createTableStack(pages);
  const drawings: { alt: string; picture: boolean }[] = [];
  const contentControls: { contents: boolean }[] = [];
  let boxes = 0;
  /** The pages of the document are not white. */
  let pageColour = false;
  let skipping = 0;
  let group = '';
  let inParagraphProperties = false;
  let sectionEnds = false;
  let collecting: 'text' | 'instruction' | undefined;
  let run: Run = emptyRun();

  const paragraph = () => paragraphs.at(-1);

  function place(item: StoryItem): void {
    const cell = tables.openCell(boxes);
    if (cell) cell.items.push(item);
    else if (paragraph()) paragraph()!.boxes.push(item);
    else handler.item(item, group);
  }

  function append(text: string): void {
    const current = paragraph();
    if (!current || fields.inInstruction()) return;
    const style = run.style === undefined ? undefined : styles.byId(run.style);
    const base = styles.byId(current.styleId);
    const reason = hiddenBy(current, style, base);
    if (reason) {
      const last = current.hidden.at(-1);
      if (last?.reason === reason) last.text += text;
      else if (text.trim() !== '') current.hidden.push({ reason, text });
      return;
    }
    if (run.bold ?? style?.bold ?? base.bold) current.boldCharacters += text.replace(/\s/g, '').length;
    current.inContents ||= fields.inContents();
    pages.content(text.trim().length);
    current.text += text;
  }

  function hiddenBy(
    current: StoryParagraph,
    style: Style | undefined,
    base: Style,
  ): HiddenReason | undefined {
    if (run.hidden ?? style?.hidden ?? base.hidden) return 'marked-hidden';
    const size = run.size ?? style?.size ?? base.size;
    if (size !== undefined && size <= 2 * TINY_POINTS) return 'tiny';
    const colour = run.colour === 'auto' ? undefined : (run.colour ?? style?.colour ?? base.colour);
    if (colour === undefined || boxes > 0 || pageColour || drawnBehind.has(pages.current())) return undefined;
    const background =
      run.shade ??
      style?.shade ??
      current.shade ??
      base.shade ??
      tables.shade((id) => styles.byId(id).shade !== undefined) ??
      WHITE;
    return background !== 'unknown' && looksSame(colour, background) ? 'same-colour' : undefined;
  }

  /** A paragraph stands on the page of its first word. */
  function movePage(): void {
    const current = paragraph();
    if (current?.text.trim() === '') current.page = pages.current();
  }

  function openParagraph(): void {
    paragraphs.push({
      kind: 'paragraph',
      text: '',
      page: pages.current(),
      boldCharacters: 0,
      hidden: [],
      inContents: fields.inContents() || contentControls.some((control) => control.contents),
      numbered: false,
      figures: [],
      references: [],
      boxes: [],
    });
    run = emptyRun();
  }

  function paragraphProperty(name: string, value: string | undefined): void {
    const current = paragraph();
    if (!current) return;
    if (name === 'w:pStyle' && value) {
      current.styleId = value;
      // A contents field that never ends would swallow the rest of the document.
      if (styles.byId(value).headingLevel && fields.leaveContents()) current.inContents = false;
    }
    if (name === 'w:pageBreakBefore' && isOn(value)) {
      pages.explicit();
      movePage();
    }
    if (name === 'w:numId' && value) current.numberingId = value;
    if (name === 'w:ilvl') current.listLevel = Number(value);
    if (name === 'w:outlineLvl') current.outlineLevel = Number(value);
    if (name === 'w:sectPr') sectionEnds = true;
    if (name === 'w:type' && value === 'continuous') sectionEnds = false;
  }

  function open(name: string, attributes: XmlAttributes): void {
    const value = attributes['w:val'];
    switch (name) {
      case 'w:p':
        openParagraph();
        return;
      case 'w:pPr':
        inParagraphProperties = true;
        return;
      case 'w:r':
        run = emptyRun();
        return;
      case 'w:t':
      case 'm:t':
        collecting = 'text';
        return;
      case 'w:instrText':
        collecting = 'instruction';
        return;
      case 'w:tab':
      case 'w:br':
      case 'w:cr':
      case 'w:ptab':
        if (inParagraphProperties) return;
        if (attributes['w:type'] === 'page') {
          pages.explicit();
          movePage();
        }
        append(' ');
        return;
      case 'w:noBreakHyphen':
        append('-');
        return;
      case 'w:sym':
        append(SYMBOLS[Number.parseInt(attributes['w:char'] ?? '', 16) & 0xff] ?? '');
        return;
      case 'w:b':
        if (!inParagraphProperties) run.bold = isOn(value);
        return;
      case 'w:vanish':
        if (!inParagraphProperties) run.hidden = isOn(value);
        return;
      case 'w:color':
        if (!inParagraphProperties) run.colour = value === 'auto' ? 'auto' : hexColour(value);
        return;
      case 'w:sz':
        if (!inParagraphProperties) run.size = Number(value);
        return;
      case 'w:highlight':
        if (!inParagraphProperties && value !== 'none') run.shade = value === 'white' ? WHITE : 'unknown';
        return;
      case 'w:background':
        pageColour = true;
        return;
      case 'w:rStyle':
        if (!inParagraphProperties) run.style = value;
        return;
      case 'w:fldChar':
        fields.character(attributes['w:fldCharType'] ?? '');
        return;
      case 'w:fldSimple':
        fields.simple(attributes['w:instr'] ?? '');
        if (fields.counts() && paragraph()) paragraph()!.numbered = true;
        return;
      case 'w:lastRenderedPageBreak':
        pages.recorded();
        movePage();
        return;
      case 'w:footnoteReference':
      case 'w:endnoteReference':
      case 'w:commentReference':
        paragraph()?.references.push(`${name.slice(2, -'Reference'.length)} ${attributes['w:id']}`);
        return;
      case 'w:sdt':
        contentControls.push({ contents: false });
        return;
      case 'w:docPartGallery':
        if (/^table of contents$/i.test(value ?? ''))
          for (const control of contentControls.slice(-1)) control.contents = true;
        return;
      case 'w:ins':
        facts.insertions++;
        return;
      case 'w:object':
      case 'w:altChunk':
        facts.embeddedObjects++;
        return;
      case 'w:txbxContent':
        boxes++;
        return;
      default:
        if (name === 'w:shd' && paragraphs.length > 0) shadeText(attributes['w:fill']);
        if (inParagraphProperties) paragraphProperty(name, value);
        else if (!tables.open(name, attributes, { boxes, inParagraph: paragraphs.length > 0 })) {
          openDrawing(name, attributes);
        }
    }
  }

  function shadeText(fill: string | undefined): void {
    const shade = shadeOf(fill);
    if (shade === undefined) return;
    if (!inParagraphProperties) run.shade = shade;
    else if (paragraph()) paragraph()!.shade = shade;
  }

  function openDrawing(name: string, attributes: XmlAttributes): void {
    const isBehind = name === 'wp:anchor' && attributes.behindDoc === '1';
    if (isBehind || /z-index:\s*-/.test(attributes.style ?? '')) drawnBehind.add(pages.current());
    if (name === 'w:drawing' || name === 'w:pict') drawings.push({ alt: '', picture: false });
    const drawing = drawings.at(-1);
    if (!drawing) return;
    if (name === 'wp:docPr' || name === 'v:shape') {
      drawing.alt ||= attributes.descr || attributes.title || attributes.alt || '';
    }
    if (name === 'a:graphicData') drawing.picture ||= !TEXT_BOX.test(attributes.uri ?? '');
    if (name === 'v:imagedata') drawing.picture = true;
  }

  function close(name: string): void {
    switch (name) {
      case 'w:p': {
        const closed = paragraphs.pop();
        if (closed) place(closed);
        if (sectionEnds) pages.explicit();
        sectionEnds = false;
        return;
      }
      case 'w:pPr':
        inParagraphProperties = false;
        return;
      case 'w:t':
      case 'm:t':
      case 'w:instrText':
        collecting = undefined;
        return;
      case 'w:fldSimple':
        fields.character('end');
        return;
      case 'w:tbl':
      case 'w:tr':
      case 'w:trPr': {
        const closed = tables.close(name);
        if (closed) place(closed);
        return;
      }
      case 'w:sdt':
        contentControls.pop();
        return;
      case 'w:txbxContent':
        boxes--;
        return;
      case 'w:drawing':
      case 'w:pict': {
        const drawing = drawings.pop();
        if (drawing?.picture) {
          pages.picture();
          paragraph()?.figures.push(drawing.alt);
        }
      }
    }
  }

  await file.parse(part, {
    open(name, attributes) {
      if (skipping > 0) skipping++;
      else if (SKIPPED.has(name)) {
        // Inside properties of a row or paragraph mark, `del` marks the row or mark itself.
        if (name === 'w:del') {
          facts.deletions++;
          tables.deleteRow();
        }
        skipping = 1;
      } else if (GROUPS.has(name)) {
        group = attributes['w:type']?.includes('eparat') ? '' : `${name.slice(2)} ${attributes['w:id']}`;
      } else open(name, attributes);
    },
    close(name) {
      if (skipping > 0) skipping--;
      else close(name);
    },
    text(text) {
      if (skipping > 0 || !collecting) return;
      if (collecting === 'text') append(text);
      else {
        fields.instruction(text);
        if (fields.counts() && paragraph()) paragraph()!.numbered = true;
      }
    },
  });
  return pages.isRecorded() ? { ...facts, pages: pages.current() } : facts;
}

interface Run {
  bold: boolean | undefined;
  hidden: boolean | undefined;
  style: string | undefined;
  colour: Colour | 'auto';
  size: number | undefined;
  shade: Shade | undefined;
}

function emptyRun(): Run {
  return {
    bold: undefined,
    hidden: undefined,
    style: undefined,
    colour: undefined,
    size: undefined,
    shade: undefined,
  };
}
