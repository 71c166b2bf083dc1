import { hash } from 'node:crypto';
import type { Transaction } from '../../platform/database/database.js';
import { identifier, sql } from '../../platform/database/sql.js';
import type { TakenRun } from './analysis-kind.js';

// Rows of a run that the next run of its series finds again stand for that one, too (decision 545): a row names the run that
// wrote it and the last one that it stands for.

/** `until` of a row that stands for the newest run of its series. */
export const STILL = 2_147_483_647;

/** Room between rows, so that others come between them without moving any. */
const ROOM = 1024;
/** Ordinals are integers; there is room behind the last one. */
const MOST = 2 ** 30;

/** A row that stands for the run before, by what it says. */
export interface StandingRow {
  readonly ordinal: number;
  readonly said: string;
}

export interface Differences {
  /** Ordinals of rows that end with the run before. */
  readonly ended: readonly number[];
  /** What has to be written, by its place among all that the run found. */
  readonly begun: readonly { readonly at: number; readonly ordinal: number }[];
}

/**
 * What has to be written so that rows say what a run found, in its order. As many as can stay where they are do; where there is no
 * room between them, all are written.
 * @param standing In the order of their ordinals, which differ.
 * @param found What each row says; the same words twice are two rows.
 */
export function differencesOf(standing: readonly StandingRow[], found: readonly string[]): Differences {
  const bySaid = new Map<string, number[]>();
  for (const { said, ordinal } of standing) {
    const known = bySaid.get(said);
    if (known) known.push(ordinal);
    else bySaid.set(said, [ordinal]);
  }
  const used = new Map<string, number>();
  const known = found.map((said) => {
    const turn = used.get(said) ?? 0;
    used.set(said, turn + 1);
    return bySaid.get(said)?.[turn];
  });
  const kept = longestRising(known);
  const begun: { at: number; ordinal: number }[] = [];
  let before = -1;
  let waiting: number[] = [];
  for (let at = 0; at <= found.length; at++) {
    const ordinal = kept.has(at) ? known[at] : undefined;
    if (ordinal === undefined && at < found.length) {
      waiting.push(at);
      continue;
    }
    const step = ordinal === undefined ? roomFor(found.length) : (ordinal - before) / (waiting.length + 1);
    if (step < 1) return allAnew(standing, found);
    const from = before;
    begun.push(...waiting.map((one, n) => ({ at: one, ordinal: from + Math.floor((n + 1) * step) })));
    waiting = [];
    before = ordinal ?? before;
  }
  const stay = new Set([...kept].map((at) => known[at]));
  return { ended: standing.flatMap(({ ordinal }) => (stay.has(ordinal) ? [] : [ordinal])), begun };
}

const roomFor = (rows: number): number => Math.max(1, Math.min(ROOM, Math.floor(MOST / Math.max(1, rows))));

const allAnew = (standing: readonly StandingRow[], found: readonly string[]): Differences => ({
  ended: standing.map(({ ordinal }) => ordinal),
  begun: found.map((_, at) => ({ at, ordinal: (at + 1) * roomFor(found.length) })),
});

/** Places of as many values as there can be that rise; those without a value do not count. */
export function longestRising(values: readonly (number | undefined)[]): ReadonlySet<number> {
  /** Of each length, the place of the smallest value that such a row can end with. */
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const [at, value] of values.entries()) {
    if (value === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[ends[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    before.set(at, ends[low - 1]);
    ends[low] = at;
  }
  const places = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) places.add(at);
  return places;
}

/** Tables whose rows tell by a hash what they say. */
type Hashed = 'analysis_evidence' | 'analysis_verdicts' | 'checklist_results' | 'completeness_documents';

/** A row that has to be written. */
export interface BegunRow<Row> {
  readonly row: Row;
  readonly ordinal: number;
  /** In hexadecimal digits. */
  readonly hash: string;
}

/**
 * Ends the rows that the run did not find again, and answers those that have to be written. Called once in every run of the
 * series, also when it found nothing: what is not ended stands for the run as well.
 * @param found All that is written of each row.
 */
export async function beginRows<Row>(
  transaction: Transaction,
  run: TakenRun,
  table: Hashed,
  found: readonly Row[],
): Promise<{ readonly number: number; readonly begun: readonly BegunRow<Row>[] }> {
  const { workspaceId, series } = run;
  const number = await numberOf(transaction, run);
  const { rows } = await transaction.one<{ rows: [number, string][] }>(sql`
    select coalesce(json_agg(json_build_array(ordinal, coalesce(encode(hash, 'hex'), '')) order by ordinal), '[]') as rows
    from ${identifier(table)} where workspace_id = ${workspaceId} and series = ${series} and until = ${STILL}`);
  const hashes = found.map((row) => hash('sha256', JSON.stringify(row), 'hex').slice(0, 32));
  const { ended, begun } = differencesOf(
    rows.map(([ordinal, said]) => ({ ordinal, said })),
    hashes,
  );
  if (ended.length > 0) {
    await transaction.run(sql`
      update ${identifier(table)} set until = ${number - 1}
      where workspace_id = ${workspaceId} and series = ${series} and until = ${STILL}
        and ordinal = any (${ended}::integer[])`);
  }
  return { number, begun: begun.map(({ at, ordinal }) => ({ row: found[at]!, ordinal, hash: hashes[at]! })) };
}

/** In its series, of a run whose result is being stored. */
export async function numberOf(transaction: Transaction, { workspaceId, id }: TakenRun): Promise<number> {
  const { number } = await transaction.one<{ number: number | null }>(sql`
    select number from analyses where workspace_id = ${workspaceId} and id = ${id}`);
  if (number === null) throw new Error('A run gets its number before its result is stored.');
  return number;
}
