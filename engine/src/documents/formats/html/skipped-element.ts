import { INLINE, VOID } from './elements.js';

/** Follows tags inside an element that is not read, to know where it ends. */
export interface SkippedElement {
  /** Whether the element ends before this start tag, because its own end tag was left out. */
  endsBefore(startTag: string): boolean;
  /** Whether it ends with this end tag: its own, or one of an element around it (`outer`). */
  endsWith(endTag: string): 'no' | 'own' | 'outer';
}

/** Elements that need no end tag, and what they stand in. */
const END_TAG_OPTIONAL = new Set(['li', 'dt', 'dd', 'td', 'th', 'tr', 'option']);
const AROUND_THEM = new Set(['ul', 'ol', 'dl', 'table', 'select', 'tbody', 'thead', 'tfoot']);

export function skipElement(name: string): SkippedElement {
  if (name === 'p') {
    return {
      endsBefore: (startTag) => !INLINE.has(startTag) && !VOID.has(startTag),
      endsWith: (endTag) => (endTag === 'p' ? 'own' : INLINE.has(endTag) ? 'no' : 'outer'),
    };
  }
  const optional = END_TAG_OPTIONAL.has(name);
  let inside = 0;
  return {
    endsBefore(startTag) {
      if (optional ? AROUND_THEM.has(startTag) : startTag === name) inside++;
      return optional && startTag === name && inside === 0;
    },
    endsWith(endTag) {
      if (inside === 0 && endTag === name) return 'own';
      if (optional && inside === 0 && AROUND_THEM.has(endTag)) return 'outer';
      if (optional ? AROUND_THEM.has(endTag) : endTag === name) inside--;
      return 'no';
    },
  };
}
