import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from './fact.js';
import { traceFiles } from './read-set.js';

const BOTH = 0.9;

/** Stated links of the PDFs against the links that people wrote down. */
export async function warcFacts(folder: string, gold: string): Promise<readonly Fact[]> {
  const set = await traceFiles(folder, /\.pdf$/i);
  const truth = new Set(
    readFileSync(join(gold, 'links.csv'), 'utf8')
      .split('\n')
      .slice(1)
      .filter((line) => line.trim() !== '')
      .map((line) => line.trim()),
  );
  const plain = (id: string) =>
    id.replace(/^(\p{L}+)\D*(\d+)$/u, (_, letters: string, number: string) => `${letters}${number.padStart(2, '0')}`);
  const found = new Set(
    set.extraction.links
      .filter(({ sourceId, targetId }) => /^SRS/.test(sourceId) && /^N?FR/.test(targetId))
      .map(({ sourceId, targetId }) => `${plain(targetId)},${plain(sourceId)}`),
  );
  const right = [...found].filter((pair) => truth.has(pair)).length;
  const precision = found.size === 0 ? 0 : right / found.size;
  const recall = right / truth.size;
  return [
    {
      set: 'warc',
      about: 'stated links from PDF against the gold links',
      expected: `${truth.size} links, precision and recall at least ${BOTH}`,
      found: `${found.size} links, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
      holds: precision >= BOTH && recall >= BOTH,
    },
  ];
}
