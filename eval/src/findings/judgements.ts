import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { GoldDataError } from '../gold.js';
import type { Label } from './gold-findings.js';
import type { PrintedFinding } from './printed-finding.js';

const judgementSchema = z.strictObject({
  /** Kind of the finding: the name of its rule. */
  rule: z.string(),
  /** `placeOf` the finding. */
  place: z.string().regex(/^[0-9a-f]{12}$/),
  /** T useful, F formal or not due, D repetition, W wrong, as the gold labels. */
  label: z.enum(['T', 'F', 'D', 'W']),
  /** Ids of defects that it tells. */
  defects: z.array(z.string()).default([]),
  why: z.string(),
});
const schema = z.strictObject({ sets: z.record(z.string(), z.array(judgementSchema)) });

/** Beside the sources: no part of the product, and without any words of the documents. */
const FILE = fileURLToPath(new URL('../../finding-judgements.yaml', import.meta.url));

/** What we judged ourselves of findings that no gold label matches: by set, then by `judgementKey`. Throws `GoldDataError`. */
export type Judgements = ReadonlyMap<string, ReadonlyMap<string, Label>>;

export function loadJudgements(file: string = FILE): Judgements {
  if (!existsSync(file)) throw new GoldDataError(`${file} is missing.`);
  const { success, data, error } = schema.safeParse(parse(readFileSync(file, 'utf8')));
  if (!success) throw new GoldDataError(`${file}: ${z.prettifyError(error)}`);
  return new Map(
    Object.entries(data.sets).map(([set, own]) => [
      set,
      new Map(own.map((one) => [`${one.rule} ${one.place}`, asLabel(one)])),
    ]),
  );
}

/** Rule and place of a finding. */
export const judgementKey = (finding: PrintedFinding): string => `${finding.kind} ${placeOf(finding)}`;

/** Twelve hexadecimal digits of the criterion and everything that is quoted, whatever the order and white space; of the title where nothing is. */
export function placeOf({ criterion, quotes, title }: PrintedFinding): string {
  const places = quotes.map(({ document, quote }) => `${document}\n${quote.replaceAll(/\s+/g, ' ').trim()}`);
  const text = [criterion, ...(places.length > 0 ? [...new Set(places)].sort() : [title])].join('\n\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function asLabel({ rule, label, defects }: z.output<typeof judgementSchema>): Label {
  const none = { engine: '', criterion: '', title: '', document: '', quote: '' };
  return { ...none, kind: rule, label, ...(defects.length > 0 ? { defect: defects.join(' ') } : {}) };
}
