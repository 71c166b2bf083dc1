import { usableDocuments } from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import { fieldWords, type ItemRecord } from '../facts/artifacts/records.js';
import type { Field } from '../facts/field.js';
import type { Evidence } from '../findings/finding.js';
import { type Sentence, say } from '../sentences/sentence.js';
import { normaliseText } from '../text/normalise.js';
import { patternOf } from '../words/read-words.js';
import type { ConsistencyContext, Contradiction } from './contradiction.js';

/** One cell of the risk matrix as the documents state it. */
interface MatrixEntry {
  readonly impact: number;
  readonly feasibility: string;
  readonly risk: number;
  readonly evidence: Evidence;
}

/** The risk value of a threat is not the one that the document's own matrix gives. */
export function riskNotReproducible({ corpus, records }: ConsistencyContext): readonly Contradiction[] {
  return records.flatMap((record): Contradiction[] => {
    const risk = statedRisk(record);
    const entry = risk === undefined ? undefined : entryOf(record, matrixOf(corpus));
    if (risk === undefined || !entry || entry.risk === risk) return [];
    return [
      {
        kind: 'risk_value',
        item: record.key,
        risk: Math.max(risk, entry.risk),
        confidence: 'high',
        title: say('contradictions.risk-not-reproducible.title', {
          id: record.id,
          risk,
          computed: entry.risk,
        }),
        expected: say('contradictions.risk-not-reproducible.expected'),
        observed: say('contradictions.risk-not-reproducible.observed', {
          id: record.id,
          risk,
          computed: entry.risk,
        }),
        whyItMatters: say('contradictions.risk-not-reproducible.why'),
        recommendation: say('contradictions.risk-not-reproducible.action', {
          id: record.id,
          document: record.document.name,
        }),
        doneWhen: say('contradictions.risk-not-reproducible.done'),
        affectedItems: [record.id],
        evidence: [
          ...evidenceOf(record, 'risk', say('contradictions.risk-not-reproducible.note')),
          entry.evidence,
        ],
      },
    ];
  });
}

/** A risk is retained and no claim says why that is acceptable. */
export function retainedWithoutClaim({ corpus, records }: ConsistencyContext): readonly Contradiction[] {
  const { retained, safetyImpact } = fieldWords();
  return records.flatMap((record): Contradiction[] => {
    const treatment = normaliseText(record.fields.get('treatment')?.value ?? '');
    if (!retained.some((word) => patternOf(`(?<!\\p{L})${word}`, 'u').test(treatment))) return [];
    const goal = record.fields.get('goal')?.value ?? '';
    const hasClaim =
      /[\p{L}\p{N}]{2,}/u.test(goal) ||
      record.references.some((reference) => reference.family === 'claim') ||
      isClaimed(record, records);
    if (hasClaim) return [];
    const impact = record.fields.get('impact')?.value ?? '';
    const isSafety = patternOf(safetyImpact).test(impact);
    return [
      {
        kind: isSafety ? 'untreated_risk' : 'risk_value',
        item: record.key,
        ...riskOf(record, corpus),
        confidence: 'high',
        title: say('contradictions.retained-without-claim.title', { id: record.id }),
        expected: say('contradictions.retained-without-claim.expected'),
        observed: say('contradictions.retained-without-claim.observed', {
          id: record.id,
          treatment: record.fields.get('treatment')!.value,
          safety: isSafety ? 1 : 0,
        }),
        whyItMatters: say('contradictions.retained-without-claim.why'),
        recommendation: say('contradictions.retained-without-claim.action', {
          id: record.id,
          document: record.document.name,
        }),
        doneWhen: say('contradictions.retained-without-claim.done'),
        affectedItems: [record.id],
        evidence: [
          ...evidenceOf(record, 'treatment', say('contradictions.retained-without-claim.note-treatment')),
          ...evidenceOf(record, 'impact', say('contradictions.retained-without-claim.note-impact')),
        ],
      },
    ];
  });
}

/** A feasibility rating without the parameters that it rests on. */
export function feasibilityWithoutParameters({
  corpus,
  records,
}: ConsistencyContext): readonly Contradiction[] {
  const { feasibilityParameters } = fieldWords();
  const parameters = new RegExp(`(?<!\\p{L})(?:${feasibilityParameters.join('|')})(?!\\p{L})`, 'iu');
  return records.flatMap((record): Contradiction[] => {
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
        kind: 'rating_without_parameters',
        item: record.key,
        ...riskOf(record, corpus),
        confidence: 'medium',
        title: say('contradictions.feasibility-without-parameters.title', { id: record.id }),
        expected: say('contradictions.feasibility-without-parameters.expected'),
        observed: say('contradictions.feasibility-without-parameters.observed', {
          id: record.id,
          rating: field.value,
        }),
        whyItMatters: say('contradictions.feasibility-without-parameters.why'),
        recommendation: say('contradictions.feasibility-without-parameters.action', {
          id: record.id,
          document: record.document.name,
        }),
        doneWhen: say('contradictions.feasibility-without-parameters.done'),
        affectedItems: [record.id],
        evidence: evidenceOf(
          record,
          'feasibility',
          say('contradictions.feasibility-without-parameters.note'),
        ),
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
function riskOf(record: ItemRecord, corpus: ConsistencyContext['corpus']): Pick<Contradiction, 'risk'> {
  const known = [statedRisk(record), entryOf(record, matrixOf(corpus))?.risk].filter(
    (one) => one !== undefined,
  );
  return known.length === 0 ? {} : { risk: Math.max(...known) };
}

function evidenceOf(record: ItemRecord, key: string, note: Sentence): Evidence[] {
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
          { role: 'counter', note: say('contradictions.risk-not-reproducible.note-matrix') },
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
