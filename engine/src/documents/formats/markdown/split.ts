import { fileTooComplex } from '../../document-error.js';

export interface MarkdownPart {
  readonly text: string;
  /** 0-based line of the file at which the part begins. */
  readonly line: number;
}

const PART_LENGTH = 100_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S/;
const CONTAINER_MARKERS = /^(?:[ \t]{0,4}(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;

/**
 * Cuts a long file at headings, so that the syntax tree of one part at a time is in memory. Link definitions of the
 * whole file go with every part. Throws `too_complex` for containers (quotes, lists) nested deeper than `maxDepth`.
 */
export function splitMarkdown(text: string, maxDepth: number): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  const definitions: string[] = [];
  let fence = '';
  let comment = false;
  let partStart = 0;
  let partLine = 0;
  let line = 0;
  let start = 0;
  while (start <= text.length) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const content = text.slice(start, end);
    if (!fence && !comment) {
      checkNesting(content, maxDepth, line);
      if (content.startsWith('#') && start - partStart > PART_LENGTH) {
        parts.push({ text: text.slice(partStart, start), line: partLine });
        partStart = start;
        partLine = line;
      }
      if (definitions.length < 1000 && DEFINITION.test(content)) definitions.push(content);
    }
    const marker = FENCE.exec(content)?.[1];
    if (marker && !fence) fence = marker;
    else if (marker && marker[0] === fence[0] && marker.length >= fence.length) fence = '';
    if (!fence) comment = comment ? !content.includes('-->') : /<!--(?!.*-->)/.test(content);
    start = end + 1;
    line++;
  }
  parts.push({ text: text.slice(partStart), line: partLine });
  if (parts.length === 1 || definitions.length === 0) return parts;
  const shared = `\n\n${definitions.join('\n')}\n`;
  return parts.map((part) => ({ ...part, text: part.text + shared }));
}

function checkNesting(content: string, maxDepth: number, line: number): void {
  const first = content.charCodeAt(0);
  // Most lines begin with a letter: nothing to look at.
  if ((first >= 65 && first <= 90) || (first >= 97 && first <= 122)) return;
  const markers = CONTAINER_MARKERS.exec(content)?.[0];
  const depth = markers ? markers.replace(/[ \t\d]/g, '').length : 0;
  const rule = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})$/.test(content);
  const indent = /^[ \t]*/.exec(content)![0].length;
  const nested = (depth > maxDepth && !rule) || (indent > maxDepth * 4 && /^[ \t]*[->+*\d]/.test(content));
  if (!nested) return;
  throw fileTooComplex(
    `Lists or quotes are nested more than ${maxDepth} deep.`,
    'Flatten the nesting and upload the file again.',
    { line: line + 1 },
  );
}
