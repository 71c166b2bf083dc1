import { buffer } from 'node:stream/consumers';
import type { Block, Document } from '@normtrace/engine';
import type { Objects } from '../../platform/storage/storage.js';
import { blockAt } from '../documents/block-at.js';
import { keepValues } from '../documents/keep-values.js';
import type { Engine } from '../engine/engine.js';
import { toLocation } from '../gaps/gaps.service.js';
import { type ArtifactChanges, compareArtifactsTask } from './compare-artifacts-task.js';
import { compareVersionsTask } from './compare-versions-task.js';
import { type Comparison, changeAt, changeOfBase, changesOf, wordsAt } from './comparison.js';
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
  readonly comparison: Comparison;
}

export interface ComparingTools {
  readonly objects: Objects;
  readonly engine: Engine;
  readonly workspaceId: string;
}

/** Bytes of all comparisons that one process keeps. */
const MOST_BYTES = 50_000_000;
const COMPARING_MILLISECONDS = 120_000;
/** Letters of an answer, except where one change alone has more. */
const MOST_LETTERS = 1_000_000;
const kept = keepValues<Comparison>({
  most: MOST_BYTES,
  weightOf: ({ changes, words }) => changes.byteLength + words.byteLength,
});

const keptArtifacts = keepValues<ArtifactChanges>({
  most: MOST_BYTES,
  weightOf: (changes) => JSON.stringify(changes).length,
});

/** How two versions differ, for one request after the other about them; found in a process of the engine. */
export async function differenceOf(
  base: ReadVersion,
  head: ReadVersion,
  { objects, engine, workspaceId }: ComparingTools,
): Promise<Difference> {
  const comparison = await kept(`${base.key} ${head.key}`, async () => {
    const signal = AbortSignal.timeout(COMPARING_MILLISECONDS);
    const packed = await packedOf(objects, base.key, head.key);
    return engine.run(compareVersionsTask, packed, { signal, group: workspaceId });
  });
  return { base, head, comparison };
}

/** Artifacts that came, went or say something else, found in a process of the engine. */
export const artifactChangesOf = (
  { base, head, documentType }: { base: string; head: string; documentType: string | null },
  { objects, engine, workspaceId }: ComparingTools,
): Promise<ArtifactChanges> =>
  keptArtifacts(`${base} ${head} ${documentType}`, async () => {
    const signal = AbortSignal.timeout(COMPARING_MILLISECONDS);
    const packed = await packedOf(objects, base, head);
    return engine.run(compareArtifactsTask, { ...packed, documentType }, { signal, group: workspaceId });
  });

async function packedOf(
  objects: Objects,
  base: string,
  head: string,
): Promise<{ base: Uint8Array; head: Uint8Array }> {
  const [older, newer] = await Promise.all(
    [base, head].map(async (key) => new Uint8Array(await buffer(await objects.read(key)))),
  );
  return { base: older!, head: newer! };
}

/** Some of the differences, beginning with one, as many as fit. */
export function toVersionDiff(
  workProductId: string,
  { base, head, comparison }: Difference,
  { from, most }: { readonly from: number; readonly most: number },
): VersionDiff {
  const total = changesOf(comparison);
  const counts = { same: 0, inserted: 0, deleted: 0, changed: 0 };
  for (let index = 0; index < total; index++) {
    const change = changeAt(comparison, index);
    if (change.op === 'same') counts.same += change.count;
    else counts[({ insert: 'inserted', delete: 'deleted', change: 'changed' } as const)[change.op]]++;
  }
  const changes: VersionDiff['changes'] = [];
  let letters = 0;
  let index = from;
  for (; index < Math.min(from + most, total); index++) {
    const change = changeAt(comparison, index);
    const before = 'base' in change ? base.document.blocks[change.base]! : undefined;
    const after = 'head' in change ? head.document.blocks[change.head]! : undefined;
    letters += (before?.text.length ?? 0) + (after?.text.length ?? 0);
    if (changes.length > 0 && letters > MOST_LETTERS) break;
    changes.push({
      op: change.op,
      count: change.op === 'same' ? change.count : 1,
      base: before ? shown(before) : null,
      head: after ? shown(after) : null,
      words: change.op === 'change' ? wordsOf(comparison, index, before!.text, after!.text) : null,
    });
  }
  return {
    work_product_id: workProductId,
    base: base.version,
    head: head.version,
    counts,
    total,
    changes,
    next: index < total ? index : null,
  };
}

function wordsOf(
  comparison: Comparison,
  index: number,
  before: string,
  after: string,
): { op: 'same' | 'delete' | 'insert'; text: string }[] {
  let [b, h] = [0, 0];
  return wordsAt(comparison, index).map(([op, letters]) => {
    const text = op === 'insert' ? after.slice(h, h + letters) : before.slice(b, b + letters);
    if (op !== 'insert') b += letters;
    if (op !== 'delete') h += letters;
    return { op, text };
  });
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
  { base, head, comparison }: Difference,
  { start, end }: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number; readonly block: Block } | undefined {
  const index = blockAt(base.document.blocks, start);
  const before = base.document.blocks[index];
  if (!before || start < before.start || end > before.end) return undefined;
  const change = changeOfBase(comparison, index);
  if (!('head' in change && 'base' in change)) return undefined;
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
