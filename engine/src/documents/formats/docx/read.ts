import { say } from '../../../sentences/sentence.js';
import type { DraftNote } from '../../block.js';
import { createBlockCollector } from '../../block-collector.js';
import { type OfficePackage, openOfficePackage } from '../../files/office-package.js';
import type { FormatReader } from '../../format-reader.js';
import { noteOf } from '../../reading-notes.js';
import { type BlockContext, plainText, pushItem, type UnplacedBlock } from './blocks.js';
import { readNumbering } from './numbering.js';
import { placeBlocks } from './sections.js';
import { readStory } from './story.js';
import type { StoryFacts, StoryItem } from './story-items.js';
import { readStyles, type Styles } from './styles.js';

/** Word documents (ECMA-376 WordprocessingML). */
export const docxReader: FormatReader = {
  async read(bytes, { limits }) {
    const file = await openOfficePackage(bytes, limits);
    try {
      const related = [...(await file.relationships(file.mainPart)).values()];
      const part = (type: string) => related.find((entry) => entry.type === type && !entry.external)?.target;
      const styles = await readStyles(file, part('styles'));
      const collector = createBlockCollector(limits);
      const unplaced = createBlockCollector(limits);
      const attached = new Map<string, StoryItem[]>();
      for (const type of ['footnotes', 'endnotes', 'comments']) {
        await readAttached(file, part(type), styles, attached);
      }
      const context: BlockContext = {
        styles,
        numbering: await readNumbering(file, part('numbering')),
        attached,
        nextTable: 0,
        push: (block) => unplaced.push(block),
      };
      const repeated = async (type: 'header' | 'footer') => {
        const parts = related.filter((entry) => entry.type === type && !entry.external);
        for (const text of await repeatedTexts(
          file,
          parts.map((entry) => entry.target),
          styles,
        )) {
          unplaced.push({ kind: `page_${type}`, text, location: {} });
        }
      };
      await repeated('header');
      const facts = await readStory(file, file.mainPart, styles, { item: (item) => pushItem(context, item) });
      await repeated('footer');
      const hasPages = facts.pages !== undefined;
      for (const block of unplaced.blocks) {
        const isUnsure = facts.drawnBehind.has(block.location.page ?? 0);
        if (isUnsure && block.hidden?.some((range) => range.reason === 'same-colour')) delete block.hidden;
      }
      placeBlocks(unplaced.blocks as UnplacedBlock[], hasPages, collector);
      return {
        blocks: collector.blocks,
        properties: await file.properties(),
        ...(facts.pages === undefined ? {} : { pageCount: facts.pages }),
        notes: notesOf(facts),
      };
    } finally {
      file.close();
    }
  },
};

async function readAttached(
  file: OfficePackage,
  part: string | undefined,
  styles: Styles,
  into: Map<string, StoryItem[]>,
): Promise<void> {
  if (!part || !file.has(part)) return;
  await readStory(file, part, styles, {
    item(item, group) {
      if (!group) return;
      const items = into.get(group);
      if (items) items.push(item);
      else into.set(group, [item]);
    },
  });
}

/** Texts of headers or footers; those for first, odd and even pages are often the same. */
async function repeatedTexts(
  file: OfficePackage,
  parts: readonly string[],
  styles: Styles,
): Promise<Set<string>> {
  const texts = new Set<string>();
  for (const part of parts) {
    if (!file.has(part)) continue;
    await readStory(file, part, styles, {
      item(item) {
        const text = plainText(item);
        if (text) texts.add(text);
      },
    });
  }
  return texts;
}

function notesOf(facts: StoryFacts): DraftNote[] {
  const notes: DraftNote[] = [];
  if (facts.insertions + facts.deletions > 0) {
    notes.push(noteOf('tracked_changes', say('reading.tracked-changes')));
  }
  if (facts.embeddedObjects > 0) {
    notes.push(noteOf('embedded_object', say('reading.embedded-files')));
  }
  return notes;
}
