import type { Block, Document } from '@normtrace/engine';
import { keepValues } from '../documents/keep-values.js';
import { toLocation } from '../gaps/gaps.service.js';
import { type BlockChange, compareBlocks, compareWords } from './compare-blocks.js';
import type { MarkRows } from './document-view.service.js';
import type { VersionDiff } from './version-diff.schemas.js';

/** A version as it was read. */
export interface ReadVersion {
  readonly version: number;
  /** Of the parsed document. */
  readonly key: string;
  readonly document: Document;
}

export interface Difference {
  readonly base: ReadVersion;
  readonly head: ReadVersion;
  readonly changes: readonly BlockChange[];
}

/** Changes of all comparisons that one process keeps. */
const MOST_CHANGES = 1_000_000;
const kept = keepValues<readonly BlockChange[]>({ most: MOST_CHANGES, weightOf: ({ length }) => length });

/** How two versions differ, for one request after the other about them. */
export const differenceOf = async (base: ReadVersion, head: ReadVersion): Promise<Difference> => ({
  base,
  head,
  changes: await kept(`${base.key} ${head.key}`, async () =>
    compareBlocks(base.document.blocks, head.document.blocks),
  ),
});

/** Some of the differences, beginning with one. */
export function toVersionDiff(
  workProductId: string,
  { base, head, changes }: Difference,
  { from, most }: { readonly from: number; readonly most: number },
): VersionDiff {
  const counts = { same: 0, inserted: 0, deleted: 0, changed: 0 };
  for (const change of changes) {
    if (change.op === 'same') counts.same += change.count;
    else counts[({ insert: 'inserted', delete: 'deleted', change: 'changed' } as const)[change.op]]++;
  }
  return {
    work_product_id: workProductId,
    base: base.version,
    head: head.version,
    counts,
    total: changes.length,
    changes: changes.slice(from, from + most).map((change) => {
      const before = 'base' in change ? base.document.blocks[change.base]! : undefined;
      const after = 'head' in change ? head.document.blocks[change.head]! : undefined;
      return {
        op: change.op,
        count: change.op === 'same' ? change.count : 1,
        base: before ? shown(before) : null,
        head: after ? shown(after) : null,
        words:
          change.op === 'change'
            ? compareWords(before!.text, after!.text).map(([op, text]) => ({ op, text }))
            : null,
      };
    }),
    next: from + most < changes.length ? from + most : null,
  };
}

const shown = ({ index, kind, text, start, end, location }: Block) => ({
  index,
  kind,
  text,
  start,
  end,
  location: toLocation(location),
});

/**
 * Where a range of the older version stands in the newer one: moved with its block where that is the same, at the same words where
 * they stand once in the block that it became. Undefined where they are gone, or could be meant at several places.
 */
export function carriedRange(
  { base, head, changes }: Difference,
  { start, end }: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number; readonly block: Block } | undefined {
  const index = base.document.blocks.findIndex((block) => block.start <= start && end <= block.end);
  const change = changes.find(
    (one) => 'base' in one && one.base <= index && index < one.base + (one.op === 'same' ? one.count : 1),
  );
  if (index === -1 || !change || !('head' in change && 'base' in change)) return undefined;
  const before = base.document.blocks[index]!;
  const block = head.document.blocks[change.head + index - change.base]!;
  const quote = before.text.slice(start - before.start, end - before.start);
  if (before.text === block.text) {
    const moved = block.start + start - before.start;
    return { start: moved, end: moved + quote.length, block };
  }
  const at = block.text.indexOf(quote);
  if (at === -1 || block.text.indexOf(quote, at + 1) !== -1) return undefined;
  return { start: block.start + at, end: block.start + at + quote.length, block };
}

/** Gaps and answers about the older version at their places in the newer one; what has none there is counted. */
export function carryMarks(rows: MarkRows, difference: Difference): MarkRows {
  let lost = 0;
  const carried = <Row extends MarkRows['gaps'][number] | MarkRows['answers'][number]>(
    of: readonly Row[],
  ): Row[] =>
    of.flatMap((row) => {
      const range = carriedRange(difference, row);
      if (!range) {
        lost++;
        return [];
      }
      const { start, end, block } = range;
      const cell = block.cells?.find((one) => one.start <= start && end <= one.end);
      return [{ ...row, start, end, location: (cell ?? block).location }];
    });
  const [gaps, answers] = [carried(rows.gaps), carried(rows.answers)];
  return { ...rows, gaps, answers, carried: { from: difference.base.version, lost } };
}
