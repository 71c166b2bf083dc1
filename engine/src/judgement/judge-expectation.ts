import type { DocumentPart } from '../document-types/detect-document-types.js';
import type { Confidence, Evidence } from '../findings/finding.js';
import { headingScore, headingTokens } from '../passages/headings.js';
import type { Criterion } from '../standards/criterion.js';
import type { Judgement, JudgementContext } from './judge-criterion.js';
import { type ColumnState, probeColumns } from './probe-columns.js';
import { type FieldState, probeMetadata } from './probe-metadata.js';
import { type FoundSection, probeSections } from './probe-sections.js';
import { probeTerms, type TermGroup, type WeighedHit } from './probe-terms.js';

const MOST_EVIDENCE = 8;
/** From this score on two titles mean the same (0.9 is one contained in the other, below it the overlap). */
const OWN_TITLE_SCORE = 0.6;

/** What was found for one expectation, by kind of evidence. */
interface Probes {
  readonly criterion: Criterion;
  readonly home: readonly DocumentPart[];
  readonly columns: readonly ColumnState[];
  readonly sections: readonly FoundSection[];
  readonly groups: readonly TermGroup[];
  readonly fields: readonly FieldState[];
  /** Ranks and margins suggest that some passage treats it, whatever its words. */
  readonly seemsTreated: boolean;
}

/**
 * Judges one demand on content. Table fields are surer than sections, sections surer than sentences. The groups
 * of phrases are the parts of the demand: it is covered when every part is shown, partial when some are.
 * Words that are near are never enough: a place must state the thing, and be where it is expected.
 */
export function judgeExpectation(
  criterion: Criterion,
  home: readonly DocumentPart[],
  { corpus, index, coverageOf }: Pick<JudgementContext, 'corpus' | 'index' | 'coverageOf'>,
): Judgement {
  const lookFor = criterion.lookFor ?? {};
  const probes: Probes = {
    criterion,
    home,
    columns: probeColumns(corpus, lookFor.columns ?? [], home),
    sections: probeSections(corpus, lookFor.sections ?? [], home),
    groups: probeTerms(corpus, index, { groups: lookFor.terms ?? [], home, plan: criterion.plan ?? false }),
    fields: probeMetadata(corpus, lookFor.metadata ?? [], home),
    seemsTreated: coverageOf(criterion)?.probablyMissing === false,
  };
  return (
    deniedJudgement(probes) ??
    tailoredJudgement(probes) ??
    columnsJudgement(probes) ??
    sectionJudgement(probes) ??
    termsJudgement(probes) ??
    fieldsJudgement(probes) ??
    absentJudgement(probes)
  );
}

const shownGroups = ({ groups }: Probes) => groups.filter((group) => group.stated.length > 0);
/** Parts that nothing shows: no statement, no filled column or full section whose name is one of the phrases. */
const openGroups = (probes: Probes) => {
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

const evidenceOf = (hits: readonly WeighedHit[]): readonly Evidence[] => hits.flatMap((hit) => hit.evidence);
/** The best place of each group. */
const groupEvidence = (groups: readonly TermGroup[]) =>
  groups.flatMap((group) => evidenceOf(group.stated.slice(0, 1)));
/** Groups by their first phrase, for a person. */
const named = (groups: readonly TermGroup[]) => groups.map((group) => `"${group.phrases[0]}"`).join(', ');

function judgement(
  verdict: Judgement['verdict'],
  confidence: Confidence,
  rest: { rules: readonly string[]; reason: string; evidence: readonly Evidence[] },
): Judgement {
  return {
    verdict,
    confidence,
    rules: unique(rest.rules),
    reason: rest.reason,
    evidence: distinct(rest.evidence),
  };
}

/** Somebody wrote that it was not done (T2), and nobody wrote that it was. */
function deniedJudgement(probes: Probes): Judgement | undefined {
  const denied = probes.groups.flatMap((group) => group.denied);
  if (denied.length === 0) return undefined;
  const supporting = [
    ...groupEvidence(shownGroups(probes)),
    ...filledColumns(probes).flatMap((column) => column.evidence),
  ];
  const rules = denied.map((hit) => hit.rule);
  if (supporting.length === 0 && !probes.sections.some((section) => section.state === 'complete')) {
    const reason = 'A statement says that it was not done, is not needed or was found missing.';
    return judgement('missing', 'high', { rules, reason, evidence: evidenceOf(denied) });
  }
  const isClear = filledColumns(probes).length > 0 && filledColumns(probes).length === probes.columns.length;
  if (isClear || openGroups(probes).length === 0) return undefined;
  return judgement('needs_review', 'medium', {
    rules: [...rules, 'support-and-denial'],
    reason:
      'One place speaks for it, another says that it was not done or is not needed: a person has to decide.',
    evidence: [...evidenceOf(denied).slice(0, 3), ...supporting],
  });
}

/** The section is declared not applicable. */
function tailoredJudgement({ sections }: Probes): Judgement | undefined {
  const best = sections[0];
  if (!best || best.state === 'complete' || best.state === 'thin') return undefined;
  if (best.state === 'tailored_out') {
    return judgement('not_applicable', 'medium', {
      rules: ['section-tailored-out'],
      reason: `The section "${best.title}" declares it not applicable and gives a reason; a person should confirm it.`,
      evidence: best.evidence,
    });
  }
  if (best.state === 'declared_not_applicable') {
    return judgement('missing', 'medium', {
      rules: ['section-not-applicable-without-reason'],
      reason: `The section "${best.title}" declares it not applicable without a reason.`,
      evidence: best.evidence,
    });
  }
  return undefined;
}

const filledColumns = ({ columns }: Probes) =>
  columns.filter((column) => column.filledRows > 0 && column.emptyRows === 0);

/** Table fields: every wanted column is there and filled, or it is said which are not. */
function columnsJudgement(probes: Probes): Judgement | undefined {
  const { columns } = probes;
  if (columns.length === 0) return undefined;
  const filled = columns.filter((column) => column.filledRows > 0);
  const present = filled.some((column) => column.telling) ? filled : [];
  const empty = columns.filter((column) => !column.missing && column.filledRows === 0);
  if (present.length === 0) {
    if (empty.length === 0) return undefined;
    if (shownGroups(probes).length > 0) return undefined;
    return judgement('missing', 'high', {
      rules: ['EM-05-column-empty'],
      reason: `${titles(empty)} ${empty.length === 1 ? 'has' : 'have'} no value in any row.`,
      evidence: emptyColumnEvidence(probes),
    });
  }
  const gaps = [
    ...columns
      .filter((column) => column.missing)
      .map((column) => `no column "${column.title}" in a table "${column.table}"`),
    ...empty.map((column) => `"${column.title}" is empty in every row`),
    ...present
      .filter((column) => column.emptyRows > 0)
      .map((column) => `"${column.title}" is empty in ${rows(column)}`),
  ];
  const evidence = present.flatMap((column) => column.evidence.slice(0, 1));
  const missingParts = openGroups(probes);
  const isManyParts = probes.groups.length > 1;
  const columnRules = ['table-column', ...(gaps.length > 0 ? ['EM-05-required-cells'] : [])];
  if (gaps.length === 0 && (!isManyParts || missingParts.length === 0)) {
    return judgement('covered', 'high', {
      rules: ['table-column'],
      reason: `The table has ${titles(present)} with a value in every row.`,
      evidence: [...evidence, ...groupEvidence(shownGroups(probes))],
    });
  }
  if (gaps.length === 0) {
    return judgement('partial', 'medium', {
      rules: [...columnRules, 'parts-not-shown'],
      reason: `The table has ${titles(present)}, but nothing states ${named(missingParts)}.`,
      evidence: [...evidence, ...groupEvidence(shownGroups(probes)), ...nearMisses(missingParts)],
    });
  }
  // Columns that are not there may be told in prose; cells that are empty are open whatever the prose says.
  const onlyAbsent =
    columns.every((column) => column.missing || column.emptyRows === 0) && empty.length === 0;
  if (onlyAbsent && missingParts.length === 0 && probes.groups.length > 0) {
    return judgement('covered', 'medium', {
      rules: [...columnRules, 'explicit-statement'],
      reason: `The table has ${titles(present)}; the rest is stated elsewhere in the document (${gaps.join('; ')}).`,
      evidence: [...evidence, ...groupEvidence(shownGroups(probes))],
    });
  }
  return judgement('partial', 'high', {
    rules: columnRules,
    reason: `The table has ${titles(present)}, but ${gaps.join('; ')}.`,
    evidence: [...evidence, ...groupEvidence(shownGroups(probes)), ...nearMisses(missingParts)],
  });
}

/** A section that treats it, judged by what stands in it. */
function sectionJudgement(probes: Probes): Judgement | undefined {
  const best = probes.sections[0];
  if (!best) return undefined;
  const { groups } = probes;
  const shown = shownGroups(probes);
  const open = openGroups(probes);
  const title = `the section "${best.title}"`;
  if (best.state === 'complete') {
    if (open.length === 0) {
      const isInside =
        groups.length > 0 && groups.every((group) => group.stated.some((hit) => standsIn(hit, best)));
      return judgement('covered', isInside ? 'high' : 'medium', {
        rules: ['section-complete', ...shown.map((group) => group.stated[0]!.rule)],
        reason: `${capital(title)} treats it.`,
        evidence: [...groupEvidence(shown), ...best.evidence],
      });
    }
    if (shown.length > 0) {
      return judgement('partial', 'medium', {
        rules: ['section-complete', 'parts-not-shown'],
        reason: `${capital(title)} treats it in part; nothing states ${named(open)}.`,
        evidence: [...groupEvidence(shown), ...best.evidence.slice(0, 1), ...nearMisses(open)],
      });
    }
    if (isItsOwnSection(best, probes)) {
      return judgement('covered', 'low', {
        rules: ['section-complete', 'own-section'],
        reason: `${capital(title)} is made for it and has content, though none of the words expected there.`,
        evidence: best.evidence,
      });
    }
    return judgement('needs_review', best.score >= 1 ? 'medium' : 'low', {
      rules: ['section-complete', 'words-not-found'],
      reason: `${capital(title)} has content under a fitting heading, but none of the words expected there: a person has to read it.`,
      evidence: best.evidence,
    });
  }
  if (best.state === 'figure_only') {
    return judgement('needs_review', 'low', {
      rules: ['T14-figure-only'],
      reason: `${capital(title)} holds only a figure, whose content cannot be read here.`,
      evidence: best.evidence,
    });
  }
  if (best.state === 'by_reference') {
    return judgement('needs_review', 'medium', {
      rules: ['section-by-reference'],
      reason: `${capital(title)} points to another document; it has to be among the documents analysed.`,
      evidence: best.evidence,
    });
  }
  if (best.state === 'thin') {
    return judgement(
      shown.length > 0 && open.length === 0 && groups.length > 0 ? 'partial' : 'needs_review',
      'medium',
      {
        rules: ['section-thin'],
        reason: `${capital(title)} says very little, or its table has columns without any value.`,
        evidence: [...best.evidence, ...groupEvidence(shown)],
      },
    );
  }
  // Empty or placeholder: what stands elsewhere in the document can only be a part.
  const rule = best.state === 'placeholder' ? 'EM-02-section-placeholder' : 'EM-01-section-empty';
  if (shown.length > 0) {
    return judgement('partial', 'medium', {
      rules: [rule, ...shown.map((group) => group.stated[0]!.rule)],
      reason: `${capital(title)} is ${best.state}; ${named(shown)} stands elsewhere in the document.`,
      evidence: [...best.evidence, ...groupEvidence(shown)],
    });
  }
  return judgement('missing', 'high', {
    rules: [rule],
    reason: `${capital(title)} is there, but ${best.state === 'placeholder' ? 'holds only open points' : 'holds nothing'}.`,
    evidence: best.evidence,
  });
}

/**
 * A section under the demand's own title, or under a heading of the template that says nearly the same. A section
 * that only also treats the demand is none: requirements need not name their operating modes.
 */
function isItsOwnSection(section: FoundSection, { criterion, groups }: Probes): boolean {
  if (section.score < 1 || groups.length > 1) return false;
  const title = headingTokens(criterion.title);
  const [heading] = section.names;
  return [section.title, heading ?? ''].some(
    (name) => headingScore(headingTokens(name), title) >= OWN_TITLE_SCORE,
  );
}

function standsIn({ hit }: WeighedHit, section: FoundSection): boolean {
  const { blockIndex } = hit.passage;
  return hit.document.id === section.documentId && blockIndex >= section.start && blockIndex < section.end;
}

/** Sentences and table rows in the documents where it is expected. */
function termsJudgement(probes: Probes): Judgement | undefined {
  const { groups } = probes;
  const shown = shownGroups(probes);
  const open = openGroups(probes);
  if (shown.length === 0) return undefined;
  const rules = shown.map((group) => group.stated[0]!.rule);
  const evidence = groupEvidence(shown);
  if (open.length > 0) {
    return judgement('partial', 'medium', {
      rules: [...rules, 'parts-not-shown'],
      reason: `${named(shown)} is stated; nothing states ${named(open)}.`,
      evidence: [...evidence, ...nearMisses(open)],
    });
  }
  const isField = shown.every((group) => group.stated[0]!.source === 'field');
  const near = areNear(shown);
  if (groups.length > 1 && !near && !isField) {
    return judgement('needs_review', 'low', {
      rules: [...rules, 'parts-far-apart'],
      reason:
        'All parts are named, but far from one another: a person has to see whether they belong together.',
      evidence,
    });
  }
  return judgement('covered', isField ? 'high' : 'medium', {
    rules,
    reason: isField ? 'Table fields state it.' : 'A statement in the document where it is expected says so.',
    evidence: [...evidence, ...groups.flatMap((group) => evidenceOf(group.stated.slice(1, 2)))],
  });
}

/** Within this many blocks statements belong together. */
const NEAR_BLOCKS = 25;

/** Whether some statement of each group stands near one of the first. */
function areNear(groups: readonly TermGroup[]): boolean {
  const [first, ...others] = groups;
  return first!.stated.some((anchor) =>
    others.every((group) =>
      group.stated.some(
        ({ hit }) =>
          hit.document === anchor.hit.document &&
          Math.abs(hit.passage.blockIndex - anchor.hit.passage.blockIndex) <= NEAR_BLOCKS,
      ),
    ),
  );
}

/** Metadata of each document where it is expected. */
function fieldsJudgement(probes: Probes): Judgement | undefined {
  const { fields } = probes;
  if (fields.length === 0) return undefined;
  const present = fields.filter((field) => field.state === 'present');
  const lacking = fields.filter((field) => field.state !== 'present');
  const evidence = fields.flatMap((field) => field.evidence);
  if (lacking.length === 0) {
    return judgement('covered', 'high', {
      rules: ['metadata-field'],
      reason: 'The metadata are filled in.',
      evidence,
    });
  }
  if (present.length === 0 && evidence.length === 0) return undefined;
  const labels = unique(lacking.map((field) => `"${field.label}"`)).join(', ');
  return judgement(present.length > 0 ? 'partial' : 'missing', 'high', {
    rules: ['metadata-field', ...(lacking.some((field) => field.state === 'open') ? ['PH-metadata'] : [])],
    reason: `${labels} ${lacking.length === 1 ? 'is' : 'are'} not filled in.`,
    evidence,
  });
}

/** Nothing where it is expected. */
function absentJudgement(probes: Probes): Judgement {
  const { groups, home, seemsTreated } = probes;
  const announced = groups.flatMap((group) => group.announced);
  if (announced.length > 0) {
    return judgement('missing', 'high', {
      rules: announced.map((hit) => hit.rule),
      reason: 'It is announced for later, not shown.',
      evidence: evidenceOf(announced),
    });
  }
  const unclear = groups.flatMap((group) => group.unclear);
  if (unclear.length > 0) {
    return judgement('needs_review', 'low', {
      rules: unclear.map((hit) => hit.rule),
      reason: 'What there is cannot be decided from the text alone.',
      evidence: evidenceOf(unclear),
    });
  }
  const elsewhere = groups.filter((group) => group.elsewhere.length > 0);
  if (elsewhere.length > 0 && elsewhere.length === groups.length) {
    return judgement('needs_review', 'low', {
      rules: ['stated-elsewhere'],
      reason:
        home.length > 0
          ? 'Nothing in the document where it is expected; other documents state it.'
          : 'The work product that should hold it was not found; other documents state it.',
      evidence: elsewhere.flatMap((group) => evidenceOf(group.elsewhere.slice(0, 1))).map(asContext),
    });
  }
  const ignored = [
    ...groups.flatMap((group) => group.ignored),
    ...groups.flatMap((group) => group.elsewhere),
  ];
  return judgement('missing', home.length > 0 && !seemsTreated ? 'medium' : 'low', {
    rules: ['nothing-found', ...ignored.map((hit) => hit.rule).slice(0, 3)],
    reason: ignored.length > 0 ? 'Only named, nowhere treated.' : 'Nothing states it.',
    evidence: evidenceOf(ignored).map(asContext).slice(0, 4),
  });
}

/** Places that name a missing part without treating it. */
function nearMisses(groups: readonly TermGroup[]): readonly Evidence[] {
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

function asContext(evidence: Evidence): Evidence {
  return evidence.role === 'support' ? { ...evidence, role: 'context' } : evidence;
}

function emptyColumnEvidence({ groups }: Probes): readonly Evidence[] {
  return evidenceOf(groups.flatMap((group) => group.ignored))
    .map(asContext)
    .slice(0, 3);
}

function rows(column: ColumnState): string {
  const total = column.filledRows + column.emptyRows;
  const names = column.openRows.filter((name) => name !== '');
  const list =
    names.length > 0 ? ` (${names.join(', ')}${column.emptyRows > names.length ? ', …' : ''})` : '';
  return `${column.emptyRows} of ${total} rows${list}`;
}

function titles(columns: readonly ColumnState[]): string {
  const list = unique(columns.map((column) => `"${column.title}"`)).join(', ');
  return `${columns.length === 1 ? 'the column' : 'the columns'} ${list}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function unique(values: readonly string[]): string[] {
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
