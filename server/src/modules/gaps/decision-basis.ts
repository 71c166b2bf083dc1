import { createHash } from 'node:crypto';
import { type Evidence, type Finding, isAtLeast } from '@normtrace/engine';

// What a decision about a finding rests on, and when it does not hold any more. Facts of the documents only: how the
// tool words a finding, and where in the document it stands, is no part of it.

/** What is known of a finding, of a run or as it is stored. */
export interface Facts
  extends Pick<Finding, 'kind' | 'severity' | 'asil' | 'affectedItems' | 'defects' | 'observed'> {
  readonly search?: { readonly statement: string } | undefined;
  readonly evidence: readonly Pick<Evidence, 'role' | 'quote'>[];
}

/** Facts as they are kept with a decision: lists of hashes, sorted, equal ones as often as they occur. */
export interface Basis {
  readonly kind: string;
  readonly severity: Finding['severity'];
  readonly asil: string | null;
  readonly items: readonly string[];
  /** Everything that is wrong; null where the engine does not list it: then quotes and values tell. */
  readonly defects: readonly string[] | null;
  /** Quotes that speak against the demand being met, or for it. */
  readonly against: readonly string[];
  readonly support: readonly string[];
  /** Ids, levels and quantities in what was observed. */
  readonly values: readonly string[];
}

/** Why a decision does not hold any more. */
export interface Difference {
  readonly about: 'kind' | 'severity' | 'integrity' | 'items' | 'defects' | 'quotes' | 'observed';
  /** A part of a sentence: ids and values, no quotes. */
  readonly said: string;
}

export function basisOf(facts: Facts): Basis {
  const lists = wordsOf(facts);
  return {
    kind: facts.kind,
    severity: facts.severity,
    asil: facts.asil ?? null,
    items: hashes(lists.items),
    defects: lists.defects && hashes(lists.defects),
    against: hashes(lists.against),
    support: hashes(lists.support),
    values: hashes(lists.values),
  };
}

/** Identity of a basis: the same for the same facts in any order and spacing. 32 hexadecimal digits. */
export function basisHash({ kind, severity, asil, items, defects, against, support, values }: Basis): string {
  return digest(JSON.stringify([kind, severity, asil, items, defects, against, support, values]), 32);
}

/**
 * What was found that the decision did not cover; empty while it holds. It covers fewer defects than it was made about,
 * less severe ones, and the same ones found again: only what it was not made about takes it away.
 */
export function differences(decided: Basis, facts: Facts): readonly Difference[] {
  const now = wordsOf(facts);
  const list = (about: Difference['about'], what: string, found: readonly string[]): Difference[] =>
    found.length === 0 ? [] : [{ about, said: `${what} ${named(found)}` }];
  const listsAll = decided.defects !== null && now.defects !== null;
  const quotes = addedTo(decided.against, now.against).length;
  const lost = addedTo(hashes(now.support), decided.support, (known) => known).length;
  return [
    ...(facts.kind === decided.kind
      ? []
      : [{ about: 'kind' as const, said: `it is ${plain(facts.kind)} now, it was ${plain(decided.kind)}` }]),
    ...(!isAtLeast(decided.severity, facts.severity)
      ? [{ about: 'severity' as const, said: `it is ${facts.severity} now, it was ${decided.severity}` }]
      : []),
    ...(isNoLower(decided.asil, facts.asil ?? null)
      ? [
          {
            about: 'integrity' as const,
            said: `its level is ${facts.asil} now, it was ${decided.asil ?? 'not known'}`,
          },
        ]
      : []),
    ...list('items', 'it is now also about', addedTo(decided.items, now.items)),
    ...(listsAll
      ? list('defects', 'new:', addedTo(decided.defects ?? [], now.defects ?? []))
      : [
          ...list('observed', 'observed now:', addedTo(decided.values, now.values)),
          ...(quotes > 0 ? [{ about: 'quotes' as const, said: `new quotes: ${quotes}` }] : []),
          ...(lost > 0 ? [{ about: 'quotes' as const, said: `quotes that are gone: ${lost}` }] : []),
        ]),
  ];
}

const MOST_NAMED = 5;
const named = (found: readonly string[]): string => {
  const each = [...new Set(found)];
  const shown = each.slice(0, MOST_NAMED).map(shortened).join(', ');
  return each.length > MOST_NAMED ? `${shown} and ${each.length - MOST_NAMED} more` : shown;
};
const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
const plain = (kind: string): string => kind.replaceAll('_', ' ');

/** The facts in their words. */
function wordsOf({ affectedItems, defects, observed, search, evidence }: Facts) {
  const quotesOf = (role: Evidence['role']) =>
    evidence.filter((one) => one.role === role).map(({ quote }) => quote);
  const against = quotesOf('counter');
  const support = quotesOf('support');
  // Beside an absence, and beside other quotes, context is what happens to be near.
  const isAboutContext = search === undefined && against.length === 0 && support.length === 0;
  return {
    items: affectedItems,
    defects: defects ?? null,
    against: isAboutContext ? quotesOf('context') : against,
    support,
    values: valuesOf(search === undefined ? observed : observed.replace(search.statement, '')),
  };
}

/** Ids (`FSR-02`), levels (`ASIL C`, `B(D)`, `risk 4`) and quantities (`200 ms`); quotes are facts of their own. */
const VALUES =
  /\b(?:ASIL|CAL|risk)\s?(?:QM|[A-D]|\d)(?:\((?:QM|[A-D])\))?|(?<=[\p{Ll},(]\s?)(?:QM|[A-D])(?:\((?:QM|[A-D])\))?(?=[\s.,;:)])|\b\p{L}[\p{L}\d]*(?:[-_.]\p{L}+)*[-_]?\d+(?:[-_.]\d+)*\b|\b\d+(?:[.,]\d+)?\s?(?:µs|ms|s|min|h|km\/h|m\/s|mm|m|%|°C|V|A|N|Nm|FIT)(?!\p{L})/gu;
const valuesOf = (observed: string): readonly string[] => [
  ...new Set(
    (
      observed
        .normalize('NFKC')
        .replace(/“[^”]*”|"[^"]*\.\w{2,5}"/gu, ' ')
        .match(VALUES) ?? []
    ).map(normalised),
  ),
];

/** Of `found`, what is there more often than in `known`. */
function addedTo(
  known: readonly string[],
  found: readonly string[],
  hashOf: (text: string) => string = hash,
): readonly string[] {
  const left = new Map<string, number>();
  for (const one of known) left.set(one, (left.get(one) ?? 0) + 1);
  return found.filter((one) => {
    const key = hashOf(one);
    const times = left.get(key) ?? 0;
    left.set(key, times - 1);
    return times <= 0;
  });
}

const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/gu;
const normalised = (text: string): string =>
  text.normalize('NFKC').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim();
const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);
const hash = (text: string): string => digest(normalised(text), 16);
const hashes = (texts: readonly string[]): readonly string[] => texts.map(hash).sort();

const LEVELS = ['QM', 'A', 'B', 'C', 'D'];
/** Scale and rank of an integrity level as findings state it: `D`, `ASIL B(D)`, `CAL 3`, `risk 5`. */
function levelOf(integrity: string): { readonly scale: string; readonly rank: number } | undefined {
  const [, scale, number] = /^(CAL|risk) (\d)$/.exec(integrity) ?? [];
  if (scale !== undefined) return { scale, rank: Number(number) };
  // Of a decomposed level the one that it comes from counts: that is what a decision takes on.
  const asil = /^(?:ASIL )?(QM|[A-D])(?:\((QM|[A-D])\))?$/.exec(integrity);
  return asil ? { scale: 'ASIL', rank: LEVELS.indexOf(asil[2] ?? asil[1]!) } : undefined;
}

/** The level is another one, and not a lower one of the same scale. A level that is not known any more is no worse. */
function isNoLower(before: string | null, now: string | null): boolean {
  if (now === null || now === before) return false;
  if (before === null) return true;
  const [then, found] = [levelOf(before), levelOf(now)];
  return !then || !found || then.scale !== found.scale || found.rank > then.rank;
}
