import { usableDocuments } from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import { type Field, fieldWords, type ItemRecord } from '../facts/artifacts/records.js';
import type { Evidence } from '../findings/finding.js';
import { normaliseText } from '../text/normalise.js';
import type { ConsistencyContext, Inconsistency } from './consistency-finding.js';

/** One cell of the risk matrix as the documents state it. */
interface MatrixEntry {
  readonly impact: number;
  readonly feasibility: string;
  readonly risk: number;
  readonly evidence: Evidence;
}

/** The risk value of a threat is not the one that the document's own matrix gives. */
export function riskNotReproducible({ corpus, records }: ConsistencyContext): readonly Inconsistency[] {
  const matrix = matrixOf(corpus);
  return records.flatMap((record): Inconsistency[] => {
    const risk = statedRisk(record);
    const entry = entryOf(record, matrix);
    if (risk === undefined || !entry || entry.risk === risk) return [];
    return [
      {
        rule: 'risk-not-reproducible',
        kind: 'risk_value',
        item: record.key,
        risk: Math.max(risk, entry.risk),
        confidence: 'high',
        title: `${record.id}: risk value ${risk} differs from the matrix (${entry.risk})`,
        expected: 'A risk value follows from impact and feasibility by the risk matrix.',
        observed: `${record.id} states risk ${risk}; the matrix gives ${entry.risk} for its impact and feasibility.`,
        whyItMatters: 'The treatment was decided on a risk that the own method does not give.',
        recommendation: `Determine the risk value of ${record.id} in "${record.document.name}" again by the matrix and decide its treatment anew`,
        doneWhen: 'the value follows from the matrix and the treatment was decided on it',
        affectedItems: [record.id],
        evidence: [...evidenceOf(record, 'risk', 'stated risk'), entry.evidence],
      },
    ];
  });
}

/** A risk is retained and no claim says why that is acceptable. */
export function retainedWithoutClaim({ corpus, records }: ConsistencyContext): readonly Inconsistency[] {
  const { retained, safetyImpact } = fieldWords();
  return records.flatMap((record): Inconsistency[] => {
    const treatment = normaliseText(record.fields.get('treatment')?.value ?? '');
    if (!retained.some((word) => new RegExp(`(?<!\\p{L})${word}`, 'u').test(treatment))) return [];
    const goal = record.fields.get('goal')?.value ?? '';
    const hasClaim =
      /[\p{L}\p{N}]{2,}/u.test(goal) ||
      record.references.some((reference) => reference.family === 'claim') ||
      isClaimed(record, records);
    if (hasClaim) return [];
    const impact = record.fields.get('impact')?.value ?? '';
    const isSafety = new RegExp(safetyImpact, 'iu').test(impact);
    return [
      {
        rule: 'retained-without-claim',
        kind: isSafety ? 'untreated_risk' : 'risk_value',
        item: record.key,
        ...riskOf(record, corpus),
        confidence: 'high',
        title: `${record.id}: risk is retained without a cybersecurity claim`,
        expected: 'A risk that is retained or shared is justified by a cybersecurity claim.',
        observed: `${record.id} is treated with "${record.fields.get('treatment')!.value}"; no claim refers to it${isSafety ? ', although its safety impact is severe' : ''}.`,
        whyItMatters: 'Nobody has taken responsibility for a risk that stays in the field.',
        recommendation: `State the claim for ${record.id} in "${record.document.name}" with its reasoning and who approved it, or decide another treatment`,
        doneWhen: 'a claim with id, reasoning and approval refers to the threat',
        affectedItems: [record.id],
        evidence: [
          ...evidenceOf(record, 'treatment', 'treatment'),
          ...evidenceOf(record, 'impact', 'impact'),
        ],
      },
    ];
  });
}

/** A feasibility rating without the parameters that it rests on. */
export function feasibilityWithoutParameters({
  corpus,
  records,
}: ConsistencyContext): readonly Inconsistency[] {
  const { feasibilityParameters } = fieldWords();
  const parameters = new RegExp(`(?<!\\p{L})(?:${feasibilityParameters.join('|')})(?!\\p{L})`, 'iu');
  return records.flatMap((record): Inconsistency[] => {
    const field = record.fields.get('feasibility');
    if (!field || record.fields.get('risk') === undefined) return [];
    const columns = record.passage.columns?.join(' ') ?? '';
    const inSection = sectionText(corpus, record);
    if (
      parameters.test(record.passage.text) ||
      parameters.test(columns) ||
      inSection.some((text) => parameters.test(text))
    )
      return [];
    return [
      {
        rule: 'feasibility-without-parameters',
        kind: 'rating_without_parameters',
        item: record.key,
        ...riskOf(record, corpus),
        confidence: 'medium',
        title: `${record.id}: attack feasibility is rated without parameters`,
        expected: 'A feasibility rating shows the parameters that it was determined from.',
        observed: `${record.id} states "${field.value}" only.`,
        whyItMatters: 'The rating, and the risk that follows from it, cannot be checked.',
        recommendation: `Determine the parameters of the feasibility of ${record.id} in "${record.document.name}" by the chosen method and record them beside the rating`,
        doneWhen: 'the rating follows from recorded parameters',
        affectedItems: [record.id],
        evidence: evidenceOf(record, 'feasibility', 'feasibility'),
      },
    ];
  });
}

function statedRisk(record: ItemRecord): number | undefined {
  const digit = /\d/.exec(record.fields.get('risk')?.value ?? '')?.[0];
  return digit === undefined ? undefined : Number(digit);
}

function entryOf(record: ItemRecord, matrix: readonly MatrixEntry[]): MatrixEntry | undefined {
  const impact = highestImpact(record.fields.get('impact'));
  const feasibility = firstWord(record.fields.get('feasibility'));
  return matrix.find((one) => one.impact === impact && one.feasibility === feasibility);
}

/** The higher one of what the record states and what the matrix gives. */
function riskOf(record: ItemRecord, corpus: ConsistencyContext['corpus']): Pick<Inconsistency, 'risk'> {
  const known = [statedRisk(record), entryOf(record, matrixOf(corpus))?.risk].filter(
    (one) => one !== undefined,
  );
  return known.length === 0 ? {} : { risk: Math.max(...known) };
}

function evidenceOf(record: ItemRecord, key: string, note: string): Evidence[] {
  const field = record.fields.get(key);
  return field
    ? [quote(record.document.read.document, record.passage, field, { role: 'counter', note })]
    : [];
}

/** Level of the highest impact named, from 0. */
function highestImpact(field: Field | undefined): number | undefined {
  const text = normaliseText(field?.value ?? '');
  const levels = fieldWords().impactLevels.map((names) =>
    names.some((name) => text.includes(normaliseText(name))),
  );
  const highest = levels.lastIndexOf(true);
  return highest < 0 ? undefined : highest;
}

function firstWord(field: Field | undefined): string | undefined {
  return /(?:very |sehr )?\p{L}+/u.exec(normaliseText(field?.value ?? ''))?.[0];
}

const matrices = new WeakMap<ConsistencyContext['corpus'], readonly MatrixEntry[]>();
function matrixOf(corpus: ConsistencyContext['corpus']): readonly MatrixEntry[] {
  const known = matrices.get(corpus) ?? readMatrix(corpus);
  matrices.set(corpus, known);
  return known;
}

function readMatrix(corpus: ConsistencyContext['corpus']): readonly MatrixEntry[] {
  const words = fieldWords();
  const pattern = new RegExp(words.matrixEntry, 'giu');
  return usableDocuments(corpus).flatMap(({ read }) =>
    read.passages.flatMap((passage) =>
      [...passage.text.matchAll(pattern)].flatMap((match) => {
        const { impact, feasibility, risk } = match.groups!;
        const level = highestImpact({ value: impact!, start: 0, end: 0 });
        if (level === undefined || match[0].includes('\t')) return [];
        const start = passage.start + match.index;
        const evidence = quote(
          read.document,
          passage,
          { start, end: start + match[0].length },
          { role: 'counter', note: 'risk matrix' },
        );
        return [{ impact: level, feasibility: normaliseText(feasibility!), risk: Number(risk), evidence }];
      }),
    ),
  );
}

/** Another record that is a claim and names this one. */
function isClaimed(record: ItemRecord, records: readonly ItemRecord[]): boolean {
  return records.some(
    (one) => one.family === 'claim' && one.references.some((reference) => reference.key === record.key),
  );
}

/** Texts of the passages of the same section that name the record. */
function sectionText(corpus: ConsistencyContext['corpus'], record: ItemRecord): readonly string[] {
  const { read } = corpus.documents.find((document) => document.id === record.document.id)!;
  const section = read.sectionOf[record.passage.blockIndex];
  return read.passages
    .filter((passage) => read.sectionOf[passage.blockIndex] === section && passage.text.includes(record.id))
    .map((passage) => passage.text);
}
