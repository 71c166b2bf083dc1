import type { z } from 'zod';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { ReadContext } from '../../platform/http/route.js';
import type { ItemPassages } from './checklist-answers.schemas.js';

/** Words of an item that are looked for, and letters below which a word says nothing. */
const MOST_WORDS = 24;
const SHORTEST = 4;
/** Longer words are looked for without their ends: "hazards" and "hazard" are one. */
const WITH_END = 7;
const END = 2;
/** Passages that a word is looked up in; one that stands in more of them says little. */
const MOST_HITS = 2000;
/** As long as a quote of an answer may be. */
const LONGEST = 1000;

/** What the words of a text are looked for by, each once. */
export function beginningsOf(...texts: readonly (string | null | undefined)[]): readonly string[] {
  const words = texts.flatMap((text) => text?.toLowerCase().split(/[^\p{L}\p{N}]+/u) ?? []);
  const long = words.filter((word) => word.length >= SHORTEST);
  return [...new Set(long.map((word) => (word.length >= WITH_END ? word.slice(0, -END) : word)))].slice(
    0,
    MOST_WORDS,
  );
}

interface FoundPassage {
  readonly id: string;
  readonly work_product_id: string;
  readonly name: string;
  readonly version: number;
  readonly location: z.output<typeof ItemPassages>['passages'][number]['location'];
  readonly start: number;
  readonly text: string;
  /** Of each word that it has. */
  readonly weights: Readonly<Record<string, number>>;
}

/** Passages by the words that they share with a text: a word counts by how few passages have it. */
const selectPassages = (workspaceId: string, words: readonly string[], limit: number): Statement => sql`
  with hits as (
    select asked.word, found.id from unnest(${words}::text[]) as asked (word)
    cross join lateral app.find_words('passages', ${workspaceId}, asked.word, ${MOST_HITS}) as found (id)
  ), weights as (
    select word, ln((select count(*) + 1 from passages where workspace_id = ${workspaceId}) / count(*)::float) as weight
    from hits group by word
  ), scored as (
    select id, sum(weight) as score, jsonb_object_agg(word, weight) as weights
    from hits join weights using (word) group by id having count(*) >= least(2, ${words.length})
  )
  select p.id, p.work_product_id, w.name, p.version, p.location, p.start_offset as start, p.text, best.weights
  from (select * from scored where score > 0 order by score desc, id limit ${10 * limit}) as best
  cross join lateral (select * from passages t where t.workspace_id = ${workspaceId} and t.id = best.id limit 1) as p
  join work_products w on w.workspace_id = p.workspace_id and w.id = p.work_product_id and w.deleted_at is null
  order by best.score desc, w.name, w.id, p.start_offset limit ${limit}`;

/** What of the newest versions shares most words with an item, each with the paragraph or cell that shares most. */
export async function findItemPassages(
  { read }: Pick<ReadContext, 'read'>,
  workspaceId: string,
  { words, limit }: { readonly words: readonly string[]; readonly limit: number },
): Promise<z.output<typeof ItemPassages>> {
  const found = words.length === 0 ? [] : await read<FoundPassage>(selectPassages(workspaceId, words, limit));
  return {
    passages: found.map(({ id, start, text, weights, ...place }) => {
      const line = bestLine(text, weights);
      const from = start + line.at;
      return {
        ...place,
        quote: line.text,
        range: { start: from, end: from + line.text.length },
        highlights: highlightsIn(line.text, Object.keys(weights)),
      };
    }),
  };
}

/** The paragraph or cell of a passage with most of the words. */
function bestLine(
  text: string,
  weights: Readonly<Record<string, number>>,
): { readonly text: string; readonly at: number } {
  let best = { text: '', at: 0, score: -1 };
  for (const { 0: line, index } of text.matchAll(/[^\n\t]+/g)) {
    const lower = line.toLowerCase();
    const score = Object.entries(weights).reduce(
      (sum, [word, weight]) => sum + (lower.includes(word) ? weight : 0),
      0,
    );
    if (score > best.score) best = { text: line.slice(0, LONGEST), at: index, score };
  }
  return best;
}

function highlightsIn(text: string, words: readonly string[]): { start: number; end: number }[] {
  const any = words.toSorted((a, b) => b.length - a.length).join('|');
  const found = text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})[\\p{L}\\p{N}]*`, 'giu'));
  return [...found].map(({ index, 0: word }) => ({ start: index, end: index + word.length }));
}
