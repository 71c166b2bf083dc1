import { say } from '../../../sentences/sentence.js';
import type { DraftNote } from '../../block.js';
import { type BlockCollector, createBlockCollector, createSectionPath } from '../../block-collector.js';
import { cleanText } from '../../clean-text.js';
import { type OpenDocumentPackage, openOpenDocument } from '../../files/open-document.js';
import { createOpenDocumentStyles, type OpenDocumentStyles } from '../../files/open-document-styles.js';
import type { FormatReader } from '../../format-reader.js';
import { noteOf } from '../../reading-notes.js';
import { createInlineText } from './inline.js';
import { createOdtStory } from './story.js';

/** OpenDocument texts (ISO/IEC 26300), as LibreOffice Writer saves them. */
export const odtReader: FormatReader = {
  async read(bytes, { limits }) {
    const file = await openOpenDocument(bytes, limits);
    try {
      const collector = createBlockCollector(limits);
      const styles = createOpenDocumentStyles();
      const story = createOdtStory(collector, createSectionPath(), styles);
      await readStylesPart(file, collector, styles);
      await file.parse('content.xml', story.handler);
      const notes: DraftNote[] = [];
      if (story.trackedChanges()) {
        notes.push(noteOf('tracked_changes', say('reading.tracked-changes-accepted')));
      }
      if (story.embedded() > 0) {
        notes.push(noteOf('embedded_object', say('reading.embedded-objects', { count: story.embedded() })));
      }
      return {
        blocks: collector.blocks,
        properties: await file.properties(),
        ...(story.pages() > 1 ? { pageCount: story.pages() } : {}),
        notes,
      };
    } finally {
      file.close();
    }
  },
};

/** Styles, and what repeats on every page, once each; it stands before everything else. */
async function readStylesPart(
  file: OpenDocumentPackage,
  collector: BlockCollector,
  styles: OpenDocumentStyles,
): Promise<void> {
  if (!file.has('styles.xml')) return;
  const inline = createInlineText();
  const seen = new Set<string>();
  let kind: 'page_header' | 'page_footer' | undefined;
  await file.parse('styles.xml', {
    open(name, attributes) {
      styles.open(name, attributes);
      if (/^style:header(?:-left|-first)?$/.test(name)) kind = 'page_header';
      else if (/^style:footer(?:-left|-first)?$/.test(name)) kind = 'page_footer';
      else if (kind) inline.open(name, attributes);
    },
    text(text) {
      if (kind) inline.add(text);
    },
    close(name) {
      styles.close(name);
      if (/^style:(?:header|footer)(?:-left|-first)?$/.test(name)) kind = undefined;
      if (name !== 'text:p' || !kind) return;
      const text = cleanText(inline.take());
      if (!text || seen.has(`${kind} ${text}`)) return;
      seen.add(`${kind} ${text}`);
      collector.push({ kind, text, location: {} });
    },
  });
}
