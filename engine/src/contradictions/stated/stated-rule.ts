import { type AsilLevel, asilRank, parseAsil } from '../../asil/asil.js';
import type { Corpus } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { extractionWords } from '../../facts/artifacts/extraction-words.js';
import { identifiersIn } from '../../facts/artifacts/identifiers.js';
import { typeInTitle } from '../../facts/artifacts/infer-type.js';
import type { StatedKind } from '../../facts/stated/stated-columns.js';
import type { StatedFacts } from '../../facts/stated/stated-facts.js';
import { idsIn, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import type { Evidence, Finding } from '../../findings/finding.js';
import type { Prose, Value } from '../../sentences/sentence.js';
import { termsOf } from '../../text/terms.js';

/** What rules about stated facts look at. */
export interface StatedContext {
  readonly corpus: Corpus;
  readonly facts: StatedFacts;
}

/** Two statements that cannot both be true, or one that cannot be meant. Its words are in `data/texts/stated.*.yaml`. */
export interface StatedContradiction {
  /** Name of the rule and of its texts. */
  readonly rule: string;
  /** What it is about: the identity of the finding. */
  readonly item: string;
  readonly asil?: AsilLevel | undefined;
  readonly confidence: Finding['confidence'];
  /** Words that are put into the texts. */
  readonly words: Readonly<Record<string, Value>>;
  readonly affected: readonly string[];
  /** Both places, the one that is to be corrected first. */
  readonly evidence: readonly Evidence[];
}

export type StatedRule = (context: StatedContext) => readonly StatedContradiction[];

/** A value as evidence. */
export function shown(item: StatedItem, value: StatedValue | undefined, note: Prose): readonly Evidence[] {
  if (!value) return [];
  return [quote(item.document.read.document, value.passage, value, { role: 'counter', note })];
}

/** Values and cells of an item, each place once. */
export const valuesOf = (item: StatedItem): readonly StatedValue[] => [
  ...new Map([...item.cells, ...item.values.values()].map((value) => [value.start, value])).values(),
];

export function textOf(item: StatedItem, kind: StatedKind): string {
  return item.values.get(kind)?.text ?? '';
}

/** ASIL that an item states; of a part, the one before the decomposition. */
export function levelOf(item: StatedItem): AsilLevel | undefined {
  const asil = parseAsil(textOf(item, 'asil'));
  return asil && (asil.original ?? asil.own);
}

export function higherLevel(a: AsilLevel | undefined, b: AsilLevel | undefined): AsilLevel | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return asilRank(a) >= asilRank(b) ? a : b;
}

/** Items that an item comes from, by its links. */
export function parentItems({ facts }: StatedContext, item: StatedItem): readonly StatedItem[] {
  return facts.parentsOf(item).flatMap((key) => facts.byKey.get(key) ?? []);
}

/** Requirements that a test verifies; its steps and its results stand in other places than what says so. */
export function tested({ facts }: StatedContext, test: StatedItem): readonly StatedItem[] {
  const isTest = test.values.has('expected') || test.values.has('stimulus');
  const isRun = isTest || test.values.has('measured');
  const told = () => facts.byKey.get(test.key)?.find((one) => one.values.has('verifies'));
  // "Requirement", "Covers" over a row of tests: what it is linked to is what it tests.
  const verifies =
    test.values.get('verifies') ??
    (isTest ? test.values.get('parent') : undefined) ??
    (isRun && test.hasId ? told()?.values.get('verifies') : undefined);
  const keys = verifies
    ? idsIn(verifies.text).map(({ key }) => key)
    : isRun
      ? facts.verifiedBy(test.key)
      : [];
  return keys.flatMap((key) => facts.byKey.get(key) ?? []).filter((item) => item !== test);
}

/** A safety goal, by its id or by the title that its text stands under. */
export function isGoal(item: StatedItem): boolean {
  if (item.type === 'safety_goal' || identifiersIn(item.id)[0]?.family === 'safety_goal') return true;
  // "Safety_Goal_01"
  const named = item.id.replaceAll(/[_\d.-]+/g, ' ').trim();
  if (/\d$/.test(item.id) && typeInTitle(named, extractionWords()) === 'safety_goal') return true;
  // An event may have its goal as its only text.
  const title = item.hasId && !item.values.has('severity') ? item.values.get('text')?.title : undefined;
  return title !== undefined && typeInTitle(title, extractionWords()) === 'safety_goal';
}

/** A hazardous event, by its type or by the rating that only events have. */
export const isEvent = (item: StatedItem): boolean =>
  item.type === 'hazardous_event' || item.values.has('severity');

/** What an item says, in stems without stop words. */
export function stemsOf(text: string): ReadonlySet<string> {
  return new Set(termsOf(text).filter((term) => /^\p{L}{3,}$/u.test(term)));
}

/** Share of the smaller set that is in the other one; 1 where one is empty. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const least = Math.min(a.size, b.size);
  return least === 0 ? 1 : [...a].filter((one) => b.has(one)).length / least;
}

/** The first contradiction of an identity. */
export function firstOfEach(found: readonly StatedContradiction[]): readonly StatedContradiction[] {
  const seen = new Set<string>();
  return found.filter(
    ({ rule, item }) => !seen.has(`${rule} ${item}`) && Boolean(seen.add(`${rule} ${item}`)),
  );
}
