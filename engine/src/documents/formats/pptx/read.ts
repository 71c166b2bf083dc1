import { say } from '../../../sentences/sentence.js';
import type { DraftNote } from '../../block.js';
import { type BlockCollector, createBlockCollector, createSectionPath } from '../../block-collector.js';
import { cleanText } from '../../clean-text.js';
import { corruptFile, fileTooLarge } from '../../document-error.js';
import { type OfficePackage, openOfficePackage } from '../../files/office-package.js';
import type { FormatReader } from '../../format-reader.js';
import { allHidden, type HiddenReason } from '../../hidden-ranges.js';
import type { Location } from '../../location.js';
import { noteOf } from '../../reading-notes.js';
import { findTableHeader } from '../../table-header.js';
import { createDesigns } from './design.js';
import { readSlide, type SlideItem } from './slide.js';

/** PowerPoint presentations (ECMA-376 PresentationML): slides in their order, each a page; then what is said to it. */
export const pptxReader: FormatReader = {
  async read(bytes, { limits, onProgress }) {
    const file = await openOfficePackage(bytes, limits);
    try {
      const { slides, size } = await readPresentation(file);
      const designs = createDesigns(file);
      if (slides.length > limits.maxPages) {
        throw fileTooLarge(`The presentation has more than ${limits.maxPages} slides.`);
      }
      const collector = createBlockCollector(limits);
      const notes: DraftNote[] = [];
      const writer = createSlideWriter(collector);
      for (const [index, part] of slides.entries()) {
        const page = index + 1;
        if (!file.has(part)) throw corruptFile(`slide ${page} is missing`);
        const slide = await readSlide(file, part, { design: await designs(part), size });
        writer.begin(page, slide.hidden);
        for (const item of slide.items) writer.write(item);
        if (slide.embedded > 0) {
          notes.push(noteOf('embedded_object', say('reading.embedded-on-slide'), { page }));
        }
        await writeRelated(file, part, writer);
        onProgress?.(page, slides.length);
      }
      return {
        blocks: collector.blocks,
        properties: await file.properties(),
        pageCount: slides.length,
        notes,
      };
    } finally {
      file.close();
    }
  },
};

/** Parts of the slides in the order of the presentation, and how large they are. */
async function readPresentation(file: OfficePackage) {
  const relationships = await file.relationships(file.mainPart);
  const slides: string[] = [];
  let size: { readonly width: number; readonly height: number } | undefined;
  await file.parse(file.mainPart, {
    open(name, attributes) {
      const target = name === 'p:sldId' ? relationships.get(attributes['r:id'] ?? '')?.target : undefined;
      if (target) slides.push(target);
      if (name === 'p:sldSz') size = { width: Number(attributes.cx), height: Number(attributes.cy) };
    },
  });
  return { slides, size };
}

/** Speaker's notes, text of diagrams, and reviewers' comments of a slide. */
async function writeRelated(file: OfficePackage, part: string, writer: SlideWriter): Promise<void> {
  for (const { type, target, external } of (await file.relationships(part)).values()) {
    if (external || !file.has(target)) continue;
    if (type === 'diagramData') {
      for (const text of await textsOf(file, target, { text: 'a:t', paragraph: 'a:p' })) {
        writer.write({ kind: 'paragraph', text });
      }
    } else if (type === 'notesSlide') {
      // The picture of the slide and its number are there again.
      for (const item of (await readSlide(file, target)).items) {
        if (item.kind === 'list_item') writer.write({ kind: 'paragraph', text: item.text });
        else if (item.kind === 'paragraph' || item.kind === 'table') writer.write(item);
      }
    } else if (type === 'comments') {
      const older = await textsOf(file, target, { text: 'p:text', paragraph: 'p:cm' });
      const newer = await textsOf(file, target, { text: 'a:t', paragraph: 'a:p' });
      for (const text of [...older, ...newer]) writer.comment(text);
    }
  }
}

async function textsOf(
  file: OfficePackage,
  part: string,
  names: { text: string; paragraph: string },
): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let reading = false;
  await file.parse(part, {
    open(name) {
      if (name === names.text) reading = true;
    },
    text(more) {
      if (reading) text += more;
    },
    close(name) {
      if (name === names.text) reading = false;
      if (name !== names.paragraph) return;
      const content = cleanText(text);
      if (content) texts.push(content);
      text = '';
    },
  });
  return texts;
}

interface SlideWriter {
  begin(page: number, hidden: boolean): void;
  write(item: SlideItem): void;
  comment(text: string): void;
}

function createSlideWriter(collector: BlockCollector): SlideWriter {
  let sections = createSectionPath();
  let page = 0;
  let hidden = false;
  let titles = 0;
  let tables = 0;

  const marked = (text: string, reason?: HiddenReason) => {
    const why = hidden ? 'hidden-slide' : reason;
    return why ? { hidden: allHidden(text, why) } : {};
  };
  const locate = (): Location => {
    const section = sections.current();
    return { page, ...(section ? { section } : {}) };
  };

  function writeTable(item: Extract<SlideItem, { kind: 'table' }>): void {
    const id = tables++;
    const guessed = item.header ? { first: 0, count: 1 } : findTableHeader(item.rows);
    const location = locate();
    item.rows.forEach((cells, row) => {
      collector.push({
        kind: 'table_row',
        text: '',
        location,
        table: { id, row, header: row >= guessed.first && row < guessed.first + guessed.count },
        cells: cells.map(({ text, column, span, hidden: unseen }) => ({
          text,
          column,
          ...(span > 1 ? { span } : {}),
          location: { ...location, cell: `R${row + 1}C${column + 1}` },
          ...(unseen && !hidden && !item.hidden ? { hidden: unseen } : marked(text, item.hidden)),
        })),
      });
    });
  }

  return {
    begin(next, isHidden) {
      page = next;
      hidden = isHidden;
      titles = 0;
      sections = createSectionPath();
    },
    write(item) {
      if (item.kind === 'table') writeTable(item);
      else if (item.kind === 'title') {
        // A title over several paragraphs is one title and what follows it.
        const level = ++titles === 1 ? 1 : 2;
        const section = sections.above(level);
        sections.enter(level, item.text);
        const location = { page, ...(section ? { section } : {}) };
        collector.push({
          kind: 'heading',
          level,
          text: item.text,
          location,
          ...marked(item.text, item.hidden),
        });
      } else {
        collector.push({
          kind: item.kind,
          text: item.text,
          location: locate(),
          ...marked(item.text, item.hidden),
          ...(item.kind === 'list_item' ? { level: item.level } : {}),
        });
      }
    },
    comment(text) {
      collector.push({ kind: 'comment', text, location: locate() });
    },
  };
}
