import type { DocumentPart } from '../corpus/detect-document-types.js';
import type { FieldState } from '../corpus/metadata-fields.js';
import { headingTokens } from '../corpus/passages/headings.js';
import type { Confidence, Evidence } from '../findings/finding.js';
import { type Sentence, say } from '../sentences/sentence.js';
import type { Criterion } from '../standards/criterion.js';
import type { Judgement } from './judgement.js';
import type { ColumnState } from './probe-columns.js';
import type { FoundSection } from './probe-sections.js';
import type { TermGroup, WeighedHit } from './probe-terms.js';

const MOST_EVIDENCE = 8;

/** What was found for one expectation, by kind of evidence. */
export interface Probes {
  readonly criterion: Criterion;
  readonly home: readonly DocumentPart[];
  readonly columns: readonly ColumnState[];
  readonly sections: readonly FoundSection[];
  readonly groups: readonly TermGroup[];
  readonly fields: readonly FieldState[];
  /** Ranks and margins suggest that some passage treats it, whatever its words. */
  readonly seemsTreated: boolean;
}

/** Parts that a place states. */
export const shownGroups = ({ groups }: Probes) => groups.filter((group) => group.stated.length > 0);
/** Parts that nothing shows: no statement, no filled column or full section whose name is one of the phrases. */
export const openGroups = (probes: Probes) => {
  const names = [
    ...filledColumns(probes).flatMap((column) => column.names),
    ...probes.sections.filter((section) => section.state === 'complete').flatMap((section) => section.names),
  ];
  const known = new Set(names.map((name) => headingTokens(name).join(' ')));
  return probes.groups.filter(
    (group) =>
      group.stated.length === 0 &&
      !group.phrases.some((phrase) => known.has(headingTokens(phrase).join(' '))),
  );
};

/** All evidence of some places. */
export const evidenceOf = (hits: readonly WeighedHit[]): readonly Evidence[] =>
  hits.flatMap((hit) => hit.evidence);
/** The best place of each group. */
export const groupEvidence = (groups: readonly TermGroup[]) =>
  groups.flatMap((group) => evidenceOf(group.stated.slice(0, 1)));
/** Groups by their first phrase, for a person. */
export const named = (groups: readonly TermGroup[]): readonly Sentence[] =>
  groups.map(({ phrases: [en = ''], german: de }) =>
    say('general.quoted', { text: de === undefined ? en : { en, de } }),
  );

/** What nothing states: words that were not found, apart from those that are there without stating it, or not where it is expected. */
export function notStated(groups: readonly TermGroup[]): {
  readonly open: readonly Sentence[];
  readonly near: readonly Sentence[];
} {
  const isNear = ({ announced, denied, unclear, elsewhere, ignored }: TermGroup) =>
    [announced, denied, unclear, elsewhere, ignored].some(({ length }) => length > 0);
  return {
    open: named(groups.filter((group) => !isNear(group))),
    near: named(groups.filter(isNear)),
  };
}

/** Groups by the words that the document states them with: a phrase that does not stand there would be refuted by the quote. */
export const namedAsFound = (groups: readonly TermGroup[]): readonly Sentence[] =>
  unique(groups.map(({ stated, phrases }) => stated[0]?.words ?? phrases[0] ?? '')).map((text) =>
    say('general.quoted', { text }),
  );

/** Parts of a demand that nothing states, as defects: by number, because their words may be those of a licensed standard. */
export const partsNotShown = ({ groups }: Probes, open: readonly TermGroup[]): readonly string[] =>
  open.map((group) => `not stated: part ${groups.indexOf(group) + 1} of the demand`);

/** A judgement with each rule and each place once. */
export function judgement(
  verdict: Judgement['verdict'],
  confidence: Confidence,
  rest: {
    readonly rules: readonly string[];
    readonly reason: Sentence;
    readonly evidence: readonly Evidence[];
    readonly defects?: readonly string[];
  },
): Judgement {
  return {
    verdict,
    confidence,
    rules: unique(rest.rules),
    reason: rest.reason,
    evidence: distinct(rest.evidence),
    ...(rest.defects && rest.defects.length > 0 ? { defects: rest.defects } : {}),
  };
}

/** Columns with a value in every row. */
export const filledColumns = ({ columns }: Probes) =>
  columns.filter((column) => column.filledRows > 0 && column.emptyRows === 0);

/** Places that name a missing part without treating it. */
export function nearMisses(groups: readonly TermGroup[]): readonly Evidence[] {
  const hits = groups.flatMap((group) => [
    ...group.announced,
    ...group.denied,
    ...group.elsewhere,
    ...group.ignored,
  ]);
  return hits
    .slice(0, 2)
    .flatMap((hit) => (hit.worth === 'stated' ? evidenceOf([hit]).map(asContext) : evidenceOf([hit])));
}

/** Support that counts elsewhere is only context here. */
export function asContext(evidence: Evidence): Evidence {
  return evidence.role === 'support' ? { ...evidence, role: 'context' } : evidence;
}

/** Each value once, in order. */
export function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** Each place once, at most eight. */
function distinct(evidence: readonly Evidence[]): readonly Evidence[] {
  const seen = new Set<string>();
  const kept = evidence.filter(({ documentId, start, end, quote }) => {
    const key = `${documentId}:${start}:${end}`;
    if (quote === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return kept.slice(0, MOST_EVIDENCE);
}
