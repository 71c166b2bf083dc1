import { ARTIFACT_TYPES, type ArtifactType, LINK_TYPES } from '@normtrace/engine';
import { byOrdinals, inOrder, namesReader, numbersOf, type TraceColumns } from './read-trace.js';
import { valuesOf } from './trace-columns.js';
import type { LevelCounts } from './trace-levels.repository.js';

/**
 * Counts what stands in a trace and what goes between, as `selectLevels` does: of hundreds of thousands of links that takes the
 * database seconds.
 * @param assumed Ordinals of the links that nothing states, as the columns tell numbers.
 */
export function countLevels(columns: TraceColumns, assumed: Uint8Array | null): LevelCounts {
  const artifacts = readIds(columns);
  const { types } = artifacts;
  const paths = new Map<number, CountedPath>();
  const linked = new Uint8Array(types.length);
  let dangling = 0;
  for (const { source, target, type, isAssumed } of linksOf(columns, artifacts, assumed)) {
    if (source !== undefined) linked[source] = 1;
    if (target !== undefined) linked[target] = 1;
    if (source === undefined || target === undefined) {
      dangling++;
      continue;
    }
    const key = (types[source]! * ARTIFACT_TYPES.length + types[target]!) * LINK_TYPES.length + type;
    let path = paths.get(key);
    if (!path) {
      path = {
        links: 0,
        assumed: 0,
        sources: differentOnes(types.length),
        targets: differentOnes(types.length),
      };
      paths.set(key, path);
    }
    path.links++;
    if (isAssumed) path.assumed++;
    path.sources.add(source);
    path.targets.add(target);
  }
  return { levels: levelsOf(artifacts, linked), paths: pathsOf(paths), dangling };
}

/** Artifacts by their ids. What documents say of one comes first and counts. */
interface KnownIds {
  readonly numbers: ReadonlyMap<string, number>;
  /** By number: place of its type. */
  readonly types: readonly number[];
  /** By number; empty where it states none. */
  readonly levels: readonly string[];
  /** Numbers by ordinal; -1 where none has it. */
  readonly byOrdinal: Int32Array;
}

interface CountedPath {
  links: number;
  assumed: number;
  readonly sources: ReturnType<typeof differentOnes>;
  readonly targets: ReturnType<typeof differentOnes>;
}

/** Counts different numbers, a bit for each that there may be. */
function differentOnes(most: number) {
  const bits = new Uint8Array((most + 7) >> 3);
  let count = 0;
  return {
    add(one: number): void {
      const bit = 1 << (one & 7);
      if ((bits[one >> 3]! & bit) !== 0) return;
      bits[one >> 3]! |= bit;
      count++;
    },
    count: () => count,
  };
}

function readIds(columns: TraceColumns): KnownIds {
  const rows = numbersOf(columns.artifacts, 2);
  const ids = valuesOf(columns.artifact_ids);
  const asils = valuesOf(columns.asils);
  const numbers = new Map<string, number>();
  const types: number[] = [];
  const levels: string[] = [];
  const byOrdinal = byOrdinals(rows);
  for (const row of inOrder(rows, 2)) {
    const id = ids[row]!;
    let number = numbers.get(id);
    if (number === undefined) {
      number = types.length;
      numbers.set(id, number);
      types.push(rows[2 * row + 1]! - 1);
      levels.push(asils[row]!);
    }
    if (rows[2 * row]! < byOrdinal.length) byOrdinal[rows[2 * row]!] = number;
  }
  return { numbers, types, levels, byOrdinal };
}

interface NumberedLink {
  readonly source: number | undefined;
  readonly target: number | undefined;
  /** Place of its type. */
  readonly type: number;
  readonly isAssumed: boolean;
}

function* linksOf(
  columns: TraceColumns,
  { numbers, byOrdinal }: KnownIds,
  assumed: Uint8Array | null,
): IterableIterator<NumberedLink> {
  const rows = numbersOf(columns.links, 4);
  const named = namesReader(columns.named_links);
  const isAssumed = new Set(numbersOf(assumed, 1));
  for (let at = 0; at < rows.length; at += 4) {
    const ordinal = rows[at]!;
    const source = byOrdinal[rows[at + 1]!] ?? -1;
    const target = byOrdinal[rows[at + 2]!] ?? -1;
    const names = source < 0 || target < 0 ? named(ordinal) : undefined;
    yield {
      source: source < 0 ? numbers.get(names![0]) : source,
      target: target < 0 ? numbers.get(names![1]) : target,
      type: (rows[at + 3]! >> 2) - 1,
      isAssumed: isAssumed.has(ordinal),
    };
  }
}

type CountedLevel = {
  -readonly [Key in keyof LevelCounts['levels'][number]]: LevelCounts['levels'][number][Key];
} & { readonly by_integrity: Record<string, number> };

function levelsOf({ types, levels }: KnownIds, linked: Uint8Array): LevelCounts['levels'] {
  const byType = new Map<ArtifactType, Omit<CountedLevel, 'type'>>();
  for (const [number, place] of types.entries()) {
    const type = ARTIFACT_TYPES[place]!;
    const one = byType.get(type) ?? { count: 0, unlinked: 0, by_integrity: {} };
    byType.set(type, one);
    one.count++;
    if (linked[number] === 0) one.unlinked++;
    const level = levels[number]!;
    if (level !== '') one.by_integrity[level] = (one.by_integrity[level] ?? 0) + 1;
  }
  return [...byType]
    .map(([type, counts]) => ({ type, ...counts }))
    .sort((a, b) => b.count - a.count || order(a.type, b.type));
}

function pathsOf(paths: ReadonlyMap<number, CountedPath>): LevelCounts['paths'] {
  return [...paths]
    .map(([key, { links, assumed, sources, targets }]) => {
      const ends = Math.floor(key / LINK_TYPES.length);
      return {
        from: ARTIFACT_TYPES[Math.floor(ends / ARTIFACT_TYPES.length)]!,
        to: ARTIFACT_TYPES[ends % ARTIFACT_TYPES.length]!,
        link_type: LINK_TYPES[key % LINK_TYPES.length]!,
        ...{ links, sources: sources.count(), targets: targets.count(), suspect: 0, assumed },
      };
    })
    .sort(
      (a, b) =>
        b.links - a.links || order(a.from, b.from) || order(a.to, b.to) || order(a.link_type, b.link_type),
    );
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
