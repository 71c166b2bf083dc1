import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { GoldDataError } from '../gold.js';
import type { Label } from './gold-findings.js';
import type { PrintedFinding } from './printed-finding.js';

/** One line of the ledger. */
interface Judgement {
  /** Kind of the finding: the name of its rule. */
  readonly rule: string;
  /** `placeOf` the finding. */
  readonly place: string;
  /** T useful, F formal or not due, D repetition, W wrong, as the gold labels. */
  readonly label: string;
  /** Ids of defects that it tells. */
  readonly defects?: readonly string[];
  readonly why: string;
}

/** Beside the sources: no part of the product, and without any words of the documents. */
const FILE = fileURLToPath(new URL('../../finding-judgements.yaml', import.meta.url));

/** What we judged ourselves of findings that no gold label matches: by set, then by `judgementKey`. Throws `GoldDataError`. */
export type Judgements = ReadonlyMap<string, ReadonlyMap<string, Label>>;

export function loadJudgements(file: string = FILE): Judgements {
  if (!existsSync(file)) throw new GoldDataError(`${file} is missing.`);
  const { sets }: { readonly sets: Readonly<Record<string, readonly Judgement[]>> } = parse(
    readFileSync(file, 'utf8'),
  );
  return new Map(
    Object.entries(sets).map(([set, own]) => [
      set,
      new Map(own.map((one) => [`${one.rule} ${one.place}`, asLabel(one, file)])),
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

function asLabel({ rule, place, label, defects = [], why }: Judgement, file: string): Label {
  if (!rule || !why || !/^[0-9a-f]{12}$/.test(place) || !/^[TFDW]$/.test(label)) {
    throw new GoldDataError(
      `${file}: ${rule} ${place} needs a rule, a place of 12 digits, T, F, D or W, and why.`,
    );
  }
  const none = { engine: '', criterion: '', title: '', document: '', quote: '' };
  return { ...none, kind: rule, label, ...(defects.length > 0 ? { defect: defects.join(' ') } : {}) };
}
