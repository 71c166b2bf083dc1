import { identifierKey } from './identifiers.js';

/** `~2`, `@3`, `[version==1]` at the end of an id. */
const VERSION = /(?:[~@]\d+|\[version==?[^\]]*\])$/u;

/** One spelling of an id for comparing (domain E.7): without brackets around it and without version suffix. */
export function idKey(id: string): string {
  const bare = id
    .trim()
    .replace(VERSION, '')
    .replace(/^[[({<]+|[\])}>]+$/gu, '');
  return identifierKey(bare);
}

/**
 * A number that is the same for ids with the same key; different ids may share one. Far cheaper than the key: for
 * leaving out what cannot match.
 */
export function idSketch(id: string): number {
  let text = id;
  const last = id.charCodeAt(id.length - 1);
  if (last === 93 || id.includes('~') || id.includes('@')) text = id.trim().replace(VERSION, '');
  let sketch = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code > 127) return -1;
    if (code >= 97 && code <= 122) code -= 32;
    const counts = (code >= 65 && code <= 90) || (code >= 49 && code <= 57);
    if (counts) sketch = (Math.imul(sketch, 31) + code) | 0;
  }
  return sketch >>> 1;
}
