import { z } from 'zod';
import { listSchema, readWords } from '../words/read-words.js';
import { EVIDENCE_RESULTS, type EvidenceResult } from './artifacts/artifact.js';

const KNOWN = EVIDENCE_RESULTS.filter((result) => result !== 'unknown');
const schema = z.strictObject(
  Object.fromEntries(KNOWN.map((result) => [result, listSchema])) as Record<
    (typeof KNOWN)[number],
    typeof listSchema
  >,
);

let compiled: ReadonlyMap<string, EvidenceResult> | undefined;

/** The word list `results`, by spelling. Throws for a word that means two things. */
function results(): ReadonlyMap<string, EvidenceResult> {
  if (!compiled) {
    const words = readWords('results', schema);
    const meanings = new Map<string, EvidenceResult>();
    for (const result of KNOWN) {
      for (const word of words[result]) {
        const other = meanings.get(spelling(word));
        if (other !== undefined && other !== result)
          throw new Error(`In data/words/results.yaml, "${word}" means ${other} and ${result}; keep one.`);
        meanings.set(spelling(word), result);
      }
    }
    compiled = meanings;
  }
  return compiled;
}

/** What a cell or field says about the outcome of a test: `unknown` for words that nobody knows, undefined for an empty one. */
export function readResult(text: string): EvidenceResult | undefined {
  const own = spelling(text);
  return own === '' ? undefined : (results().get(own) ?? 'unknown');
}

/** Letters and digits in lower case; signs where there is nothing else, so that a tick stays one. */
function spelling(text: string): string {
  const letters = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return letters === '' ? text.replace(/[\s\p{M}]+/gu, '') : letters;
}
