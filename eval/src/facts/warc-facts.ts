import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from './fact.js';
import { type TracedSet, traceFiles } from './read-set.js';

const STATEMENT = /^SRS (\d+)(?:-(\d+))? >> satisfies (.+)$/;

/**
 * The links that the requirements specification states (`SRS 4-6 >> satisfies FR 2`), end to end from the PDFs: against its
 * own sentences, read here in a way of their own, and against the links of the gold set. People linked single requirements
 * there where the document links groups, so the second can reach neither full precision nor full recall.
 */
export async function warcFacts(folder: string, gold: string): Promise<readonly Fact[]> {
  const set = await traceFiles(folder, /\.pdf$/i);
  const found = new Set(
    set.extraction.links
      .filter(({ sourceId, targetId }) => /^SRS/.test(sourceId) && /^N?FR/.test(targetId))
      .map(({ sourceId, targetId }) => `${short(targetId)},${short(sourceId)}`),
  );
  const stated = statedPairs(set);
  const truth = new Set(
    readFileSync(join(gold, 'links.csv'), 'utf8')
      .split(/\r?\n/)
      .slice(1)
      .filter((line) => line !== ''),
  );
  const ofStated = compare(found, stated);
  return [
    {
      set: 'warc',
      about: 'links stated in the PDF',
      expected: `${stated.size} links, precision 1.000, recall 1.000`,
      found: `${found.size} links, ${ofStated.text}`,
      holds: ofStated.wrong === 0 && ofStated.missing === 0,
    },
    {
      set: 'warc',
      about: 'the same against the gold links',
      expected: `${truth.size} links; as good as the statements: ${compare(stated, truth).text}`,
      found: `${found.size} links, ${compare(found, truth).text}`,
      holds: compare(found, truth).text === compare(stated, truth).text,
    },
  ];
}

/** `FR 1`, `FR 01` → `FR01`, as the gold set has it. */
function short(id: string): string {
  const [, letters = '', digits = ''] = /^(\p{L}+)\D*(\d+)$/u.exec(id) ?? [];
  return `${letters}${digits.padStart(2, '0')}`;
}

function statedPairs({ documents }: TracedSet): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const { text } of documents.flatMap(({ document }) => document.blocks)) {
    const match = STATEMENT.exec(text.trim());
    if (!match) continue;
    const sources = numbers(match[1]!, match[2]);
    let prefix = '';
    for (const part of match[3]!.split(/,| and /)) {
      const [, letters, first, last] = /^\s*(N?FR)?\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
      prefix = letters ?? prefix;
      for (const target of numbers(first!, last))
        for (const source of sources) pairs.add(`${short(`${prefix} ${target}`)},${short(`SRS ${source}`)}`);
    }
  }
  return pairs;
}

function numbers(first: string, last = first): number[] {
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at);
}

function compare(found: ReadonlySet<string>, truth: ReadonlySet<string>) {
  const right = [...found].filter((pair) => truth.has(pair)).length;
  const precision = right / Math.max(1, found.size);
  const recall = right / Math.max(1, truth.size);
  return {
    wrong: found.size - right,
    missing: truth.size - right,
    text: `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
  };
}
