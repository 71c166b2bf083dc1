import { createRequire } from 'node:module';

type Path = readonly (string | number)[];

/**
 * 1-based lines at which the keys and positions of each path stand; the line of the nearest parent where a key
 * is missing. Slow (a parser that keeps positions), so only a refused file pays for it.
 */
export function findLines(text: string, paths: readonly Path[]): number[] {
  // Loaded here: this package is the slower half of the start of a command that refuses nothing.
  const yaml = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const { LineCounter, parseDocument } = yaml;
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  return paths.map((path) => counter.linePos(offsetOf(yaml, document.contents, path)).line);
}

function offsetOf(
  { isMap, isNode, isScalar, isSeq }: typeof import('yaml'),
  top: unknown,
  path: Path,
): number {
  let node = top;
  let offset = 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) return offset;
      offset = (isNode(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      offset = (isNode(node) ? node.range?.[0] : undefined) ?? offset;
    } else return offset;
  }
  return offset;
}
