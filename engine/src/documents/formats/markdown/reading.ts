import type { BlockKind } from '../../block.js';
import type { BlockCollector, SectionPath } from '../../block-collector.js';
import type { Location } from '../../location.js';
import type { ReadingLimits } from '../../reading-limits.js';
import type { parseYaml } from '../yaml/parse.js';

export interface MarkdownReading {
  readonly collector: BlockCollector;
  readonly sections: SectionPath;
  /** Labels of links and footnotes (`^1`) that the file defines anywhere. */
  readonly definitions: ReadonlySet<string>;
  readonly limits: ReadingLimits;
  /** Reads what fences marked as YAML hold; there for files that have some. */
  readonly parseYaml: typeof parseYaml | undefined;
  nextTable: number;
}

export function push(
  reading: MarkdownReading,
  kind: BlockKind,
  text: string,
  line: number,
  level?: number,
): void {
  if (!text) return;
  const location = locate(reading, line);
  reading.collector.push(level === undefined ? { kind, text, location } : { kind, text, location, level });
}

export function locate(reading: MarkdownReading, line: number): Location {
  const section = reading.sections.current();
  return section ? { section, line } : { line };
}
