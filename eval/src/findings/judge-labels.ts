import type { Defect, JudgedSet, Label } from './gold-findings.js';
import { judgementKey } from './judgements.js';
import type { PrintedFinding } from './printed-finding.js';

/** A finding beside what a person said of it. */
export interface LabelledFinding {
  readonly finding: PrintedFinding;
  /** Undefined: no gold label matches. */
  readonly label?: Label;
  /** That label together with what we judged ourselves. Undefined: to be judged. */
  readonly judged?: Label;
  /** Of findings to be judged: defects all of whose places it quotes. Never counted as told. */
  readonly perhaps: readonly string[];
}

/**
 * Gives every finding its label, each label to at most one finding where there are several of a title. A cause that several
 * artifacts have takes that of its parts (`labelOfParts`).
 */
export function labelFindings(
  findings: readonly PrintedFinding[],
  labels: readonly Label[],
  defects: readonly Defect[] = [],
  judgements: ReadonlyMap<string, Label> = new Map(),
): readonly LabelledFinding[] {
  const parts = findings.flatMap((finding) => finding.parts ?? [finding]);
  const labelled = new Map(labelEach(parts, labels, defects).map((one) => [one.finding, one]));
  return findings.map((finding): LabelledFinding => {
    const own = (finding.parts ?? [finding]).map((part) => labelled.get(part)!);
    const label = labelOfParts(own.flatMap((one) => one.label ?? []));
    const judged = labelOfParts(
      own.flatMap((one) => one.label ?? judgements.get(judgementKey(one.finding)) ?? []),
    );
    return {
      finding,
      ...(label ? { label } : {}),
      ...(judged ? { judged } : {}),
      perhaps: judged ? [] : own.flatMap((one) => one.perhaps),
    };
  });
}

/** Wrong where most parts are wrong; else useful where one tells a defect for the first time, a repetition where one repeats one. */
function labelOfParts(labels: readonly Label[]): Label | undefined {
  const wrong = labels.filter(({ label }) => label === 'W');
  if (wrong.length > labels.length / 2) return wrong[0];
  const useful = labels.filter(({ label }) => label === 'T');
  if (useful.length > 0) {
    return {
      ...useful[0]!,
      defect: useful
        .map(({ defect }) => defect ?? '')
        .join(' ')
        .trim(),
    };
  }
  return labels.find(({ label }) => label === 'D') ?? labels.find(({ label }) => label !== 'W') ?? labels[0];
}

function labelEach(
  findings: readonly PrintedFinding[],
  labels: readonly Label[],
  defects: readonly Defect[] = [],
): readonly LabelledFinding[] {
  const open = new Set(labels);
  const given = new Map<PrintedFinding, Label>();
  // From the surest to the loosest way to be the same: title and quote, title, what it is about.
  const ways: readonly ((finding: PrintedFinding, label: Label) => boolean)[] = [
    (finding, label) => sameTitle(finding, label) && sameQuote(finding, label),
    sameTitle,
    (finding, label) =>
      sameIds(finding.title, label.title) && sameQuote(finding, label) && label.quote !== '',
    // Of a demand there is one verdict.
    (finding, label) => ONE_VERDICT.test(finding.kind) && finding.criterion === label.criterion,
  ];
  for (const isSame of ways) {
    for (const finding of findings) {
      if (given.has(finding)) continue;
      const label = [...open].find(
        (one) =>
          engineOf(one.engine) === engineOf(finding.engine) &&
          one.kind === finding.kind &&
          (finding.engine === 'remark' || one.criterion === finding.criterion) &&
          isSame(finding, one),
      );
      if (!label) continue;
      given.set(finding, label);
      open.delete(label);
    }
  }
  return findings.map((finding) => {
    const label = given.get(finding);
    return label
      ? { finding, label, perhaps: [] }
      : {
          finding,
          perhaps: defects.filter((defect) => quotesAll(finding, defect)).map(({ id }) => id),
        };
  });
}

/** Defects that findings with the label T tell, or whose cause is told; `judged`: also by what we judged ourselves. */
export function toldDefects(
  { defects }: JudgedSet,
  labelled: readonly LabelledFinding[],
  by: 'label' | 'judged' = 'label',
): ReadonlySet<string> {
  const told = new Set(
    labelled.flatMap(({ [by]: label }) =>
      label?.label === 'T' && label.defect ? label.defect.split(/[;,\s]+/) : [],
    ),
  );
  for (const { id, cause } of defects) if (cause !== undefined && told.has(cause)) told.add(id);
  return told;
}

const ONE_VERDICT = /^(?:missing_work_product|missing_content|partial_content)$/;
const engineOf = (engine: string) => (engine.startsWith('checklist') ? 'checklist' : engine);
const start = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 150);

function sameTitle({ title }: PrintedFinding, label: Label): boolean {
  return start(title) === start(label.title);
}

function sameQuote({ quotes }: PrintedFinding, label: Label): boolean {
  if (label.quote === '') return true;
  return quotes.some(({ quote }) => start(quote).startsWith(start(label.quote).slice(0, 50)));
}

function sameIds(a: string, b: string): boolean {
  const ids = (text: string) => (text.match(/\b[\p{L}_]+[ _-]?\d[\d-]*\b/gu) ?? []).join(' ');
  return ids(a) === ids(b);
}

const SHORT = 4;

/** All places of a defect that has several, or the one telling place. */
function quotesAll({ quotes }: PrintedFinding, { places }: Defect): boolean {
  const isQuoted = (place: Defect['places'][number]) =>
    quotes.some(({ document, quote }) => {
      const [own, wanted] = [start(quote), start(place.quote)];
      if (!document.endsWith(place.document)) return false;
      return (
        own === wanted ||
        (Math.min(own.length, wanted.length) > SHORT && (own.includes(wanted) || wanted.includes(own)))
      );
    });
  if (places.length === 0) return false;
  return places.slice(0, 2).every(isQuoted) && (places.length > 1 || places[0]!.quote.length > 20);
}
