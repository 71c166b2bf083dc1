import { fileTooLarge } from '../document-error.js';
import type { ReadingLimits } from '../reading-limits.js';

/** A value of a data file (JSON, YAML) with its place. Keys stay in the file's order and may repeat. */
export type DataNode =
  | {
      readonly kind: 'scalar';
      readonly text: string;
      readonly line: number;
      /** What a comment behind a class says, with its sign. */
      readonly comment?: string;
    }
  | { readonly kind: 'list'; readonly items: readonly DataNode[]; readonly line: number }
  | { readonly kind: 'map'; readonly entries: readonly DataEntry[]; readonly line: number };

export interface DataEntry {
  readonly key: string;
  readonly line: number;
  readonly value: DataNode;
}

export type DataMap = Extract<DataNode, { kind: 'map' }>;

/** Text of a scalar member; undefined where there is none or it is empty. */
export function scalarOf(map: DataMap, key: RegExp): string | undefined {
  const found = map.entries.find(
    (entry) => entry.value.kind === 'scalar' && entry.value.text !== '' && key.test(entry.key),
  );
  return found?.value.kind === 'scalar' ? found.value.text : undefined;
}

/** Counts values; ends the reading of a file that has more of them than tables may have cells. */
export function createValueCounter(limits: ReadingLimits): () => void {
  const most = limits.maxCells * 2;
  let values = 0;
  return () => {
    if (++values > most) throw fileTooLarge(`The file has more than ${most} values.`);
  };
}
