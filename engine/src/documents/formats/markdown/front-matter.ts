import { createRequire } from 'node:module';
import type { FileProperties } from '../../block.js';

export interface FrontMatter {
  /** Lines between the markers; the first one is line 2 of the file. */
  readonly lines: readonly string[];
  readonly properties: FileProperties;
  /** Offset and line at which the body begins. */
  readonly end: number;
  readonly bodyLine: number;
}

const FRONT_MATTER = /^---[ \t]*\n([\s\S]{0,65536}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** YAML between `---` lines at the very start of a Markdown file. */
export function readFrontMatter(text: string): FrontMatter | undefined {
  const match = FRONT_MATTER.exec(text);
  if (!match || !/^[\w-]+[ \t]*:/m.test(match[1]!)) return undefined;
  const lines = match[1]!.split('\n');
  return { lines, properties: readProperties(match[1]!), end: match[0].length, bodyLine: lines.length + 2 };
}

function readProperties(yaml: string): FileProperties {
  let values: unknown;
  try {
    // Loaded for the few files that have some.
    const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
    values = parse(yaml, { maxAliasCount: 0, schema: 'failsafe' });
  } catch {
    return {}; // Not YAML after all: the lines are still read as text.
  }
  if (typeof values !== 'object' || values === null) return {};
  const entries = new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
  const text = (...names: string[]) => {
    const value = names.map((name) => entries.get(name)).find((found) => typeof found === 'string' && found);
    return typeof value === 'string' ? value : undefined;
  };
  const found = {
    title: text('title', 'titel'),
    author: text('author', 'autor', 'owner'),
    modified: text('date', 'datum', 'updated', 'last_modified'),
    revision: text('version', 'revision'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
