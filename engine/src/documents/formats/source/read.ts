import { createBlockCollector } from '../../block-collector.js';
import { cleanCode } from '../../clean-text.js';
import { readText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';

/** Longer runs are cut, so that a block stays something that can be shown. */
const MOST_LINES = 200;

/**
 * Source text: one block of code for each run of lines without an empty one, so that a tag in a comment
 * (`[impl->dsn~x~1]`, `@verifies`) is found with its line: that of the block and the line feeds before the tag.
 */
export const sourceReader: FormatReader = {
  async read(bytes, { limits }) {
    const { text, notes } = readText(bytes, limits);
    const collector = createBlockCollector(limits);
    let line = 1;
    let lines: string[] = [];
    const flush = () => {
      if (lines.length > 0) {
        collector.push({
          kind: 'code',
          text: cleanCode(lines.join('\n')),
          location: { line: line - lines.length },
        });
      }
      lines = [];
    };
    for (const content of linesOf(text)) {
      if (content.trim() === '') flush();
      else {
        if (lines.length === MOST_LINES) flush();
        lines.push(content);
      }
      line++;
    }
    flush();
    return { blocks: collector.blocks, properties: {}, notes };
  },
};

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length + 1 : end + 1;
  }
}
