import { FAR_ITEM } from '../../text-patterns.js';
import { normaliseLabel } from './inline-text.js';
import { FENCE, indentOf, type Line } from './lines.js';
import { nestedTooDeep } from './nesting.js';

const PART_LENGTH = 1_000_000;

/** Labels of all links and footnotes that the file defines. */
export function definedLabels(text: string): Set<string> {
  const labels = new Set<string>();
  if (!text.includes(']:')) return labels;
  for (const [, label] of text.matchAll(/^[ \t>]*\[((?:[^[\]\\\n]|\\.){1,999})\]:/gm))
    labels.add(normaliseLabel(label!));
  return labels;
}

/**
 * The lines of the file, in parts that end before a heading where a part has grown long: the lines of one part at a
 * time are in memory. Headings in listings and comments do not count. Throws `too_complex` for items indented deeper
 * than `maxDepth` levels.
 */
export function* linesInParts(text: string, firstLine: number, maxDepth: number): Generator<Line[]> {
  let part: Line[] = [];
  let partStart = 0;
  let fence = '';
  let comment = false;
  let number = firstLine;
  for (let start = 0; start <= text.length; number++) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const content = text.slice(start, end);
    if (start - partStart > PART_LENGTH && !fence && !comment && content.startsWith('#')) {
      yield part;
      part = [];
      partStart = start;
    }
    const first = content.charCodeAt(0);
    const isIndented = first === 32 || first === 9;
    if (isIndented && !fence && FAR_ITEM.test(content) && indentOf(content) > maxDepth * 4)
      throw nestedTooDeep(maxDepth, number);
    const marker = isIndented || first === 96 || first === 126 ? FENCE.exec(content)?.[2] : undefined;
    if (marker && !fence) fence = marker;
    else if (marker && marker[0] === fence[0] && marker.length >= fence.length) fence = '';
    if (!fence)
      comment = comment
        ? !content.includes('-->')
        : content.includes('<!--') && /<!--(?!.*-->)/.test(content);
    part.push({ text: content, number });
    start = end + 1;
  }
  yield part;
}
