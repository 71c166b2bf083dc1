import { createBlockCollector, createSectionPath } from '../../block-collector.js';
import { cleanText } from '../../clean-text.js';
import { readText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';
import { readBlocks } from './blocks.js';
import { readFrontMatter } from './front-matter.js';
import { YAML_FENCE } from './lines.js';
import type { MarkdownReading } from './reading.js';
import { definedLabels, linesInParts } from './split.js';

/**
 * Markdown: the blocks of CommonMark with the tables, task lists and footnotes of GitHub, and YAML front matter.
 * Why this is our own reader: docs/decisions/0008-reading-markdown.md.
 */
export const markdownReader: FormatReader = {
  async read(bytes, { limits, onProgress }) {
    const { text, notes } = readText(bytes, limits);
    const collector = createBlockCollector(limits);
    const frontMatter = readFrontMatter(text);
    for (const [index, line] of (frontMatter?.lines ?? []).entries()) {
      const content = cleanText(line);
      if (content) collector.push({ kind: 'paragraph', text: content, location: { line: index + 2 } });
    }
    const body = frontMatter ? text.slice(frontMatter.end) : text;
    const reading: MarkdownReading = {
      collector,
      sections: createSectionPath(),
      definitions: definedLabels(body),
      limits,
      parseYaml: YAML_FENCE.test(body) ? (await import('../yaml/parse.js')).parseYaml : undefined,
      nextTable: 0,
    };
    let done = 0;
    for (const lines of linesInParts(body, (frontMatter?.bodyLine ?? 0) + 1, limits.maxDepth)) {
      readBlocks(reading, lines, { depth: 0, lists: 0 });
      done += lines.reduce((sum, line) => sum + line.text.length + 1, 0);
      onProgress?.(Math.min(done, body.length), body.length);
    }
    return { blocks: collector.blocks, properties: frontMatter?.properties ?? {}, notes };
  },
};
