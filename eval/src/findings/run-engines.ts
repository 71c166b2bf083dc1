import {
  type AnalysedDocument,
  analyseGaps,
  type Checklist,
  checkChecklist,
  checkCompleteness,
  type DocumentType,
  detectDocumentTypes,
  type Evidence,
  examineTraceability,
  extractArtifacts,
  type Finding,
  loadChecklist,
  loadDocumentTypes,
  loadStandard,
  loadTraceabilityRules,
  SEVERITIES,
  type Standard,
  takeApart,
  traceCauses,
  traceFindings,
} from '@normtrace/engine';
import type { EngineResults, JudgedCriterion, PrintedFinding } from './printed-finding.js';

const STANDARDS = [2, 3, 4, 6].map((part) => `iso-26262-${part}-2018`);
const CHECKLISTS = ['FS-PLAN', 'FS-HARA', 'FS-FSC', 'FS-TSC', 'FS-SSR'];
/** The truth was written on this day; dates in the documents are judged by it. */
const TODAY = '2026-11-22';

/** What the engines judge by, loaded once. */
export interface Judges {
  readonly standards: readonly Standard[];
  readonly checklists: readonly Checklist[];
}

export async function loadJudges(): Promise<Judges> {
  return {
    standards: await Promise.all(STANDARDS.map((id) => loadStandard(id))),
    checklists: await Promise.all(CHECKLISTS.map((id) => loadChecklist(id))),
  };
}

/** All engines over the documents, as the command line calls them, without embeddings. */
export async function runEngines(
  documents: readonly AnalysedDocument[],
  { standards, checklists }: Judges,
): Promise<EngineResults> {
  const findings: PrintedFinding[] = [];
  const scores = new Map<string, number>();
  const verdicts = new Map<string, JudgedCriterion>();
  for (const standard of standards) {
    const engine = `gap ${standard.id.replace(/^iso-|-2018$/g, '')}`;
    const result = await analyseGaps({ standard, documents, scope: {}, options: {} });
    scores.set(engine, result.score.value ?? 0);
    for (const finding of result.findings) findings.push(asPrinted(engine, finding));
    for (const { criterionId, verdict, confidence, evidence } of result.verdicts) {
      verdicts.set(`${engine} ${criterionId}`, { verdict, confidence, support: supportOf(evidence) });
    }
  }
  const completeness = await checkCompleteness({
    documents,
    templates: [],
    scope: {},
    options: { today: TODAY },
  });
  scores.set('completeness', completeness.score.value ?? 0);
  const types = await loadDocumentTypes();
  for (const finding of completeness.findings) {
    const parts = partsOf(finding, types).map((part) => asPrinted('completeness', part));
    findings.push({ ...asPrinted('completeness', finding), ...(parts.length > 0 ? { parts } : {}) });
  }
  for (const checklist of checklists) {
    const { items } = await checkChecklist({
      checklist,
      documents,
      scope: {},
      options: { conditions: {}, today: TODAY },
    });
    for (const { itemId, verdict, confidence, reason, severity = '', evidence } of items) {
      verdicts.set(`checklist ${itemId}`, { verdict, confidence, support: supportOf(evidence) });
      if (verdict !== 'fail' && verdict !== 'missing') continue;
      findings.push({
        engine: 'checklist',
        kind: verdict,
        criterion: itemId,
        severity,
        title: reason,
        observed: reason,
        quotes: evidence.map(({ documentId, quote }) => ({ document: documentId, quote })),
        counted: true,
      });
    }
  }
  return { findings: [...findings, ...(await traceOf(documents))], scores, verdicts };
}

/** What was judged one by one: each section that is not there, metadata by severity. */
function partsOf(finding: Finding, types: ReadonlyMap<string, DocumentType>): readonly Finding[] {
  const { kind, affected = [] } = finding;
  if (kind === 'section_missing') {
    return affected.map(({ id, title = id, severity, search }): Finding => {
      const type = types.get(id.slice(0, id.lastIndexOf('.')))?.name.en ?? id;
      const words = { title: `${type}: "${title}" missing`, observed: search?.statement ?? title };
      return { ...finding, criterionId: id, severity, ...words };
    });
  }
  return SEVERITIES.flatMap((severity): Finding[] => {
    const own = affected.filter((one) => one.severity === severity).map(({ title, id }) => title ?? id);
    if (own.length === 0) return [];
    const title = own.length === 1 ? `${own[0]} not stated` : `${own.length} metadata fields not stated`;
    return [{ ...finding, severity, title, observed: own.join(', ') }];
  });
}

async function traceOf(documents: readonly AnalysedDocument[]): Promise<readonly PrintedFinding[]> {
  const types = [...(await loadDocumentTypes()).values()];
  const sources = documents.map(({ id, name, document }) => {
    const parts = detectDocumentTypes({ fileName: name, read: takeApart(id, document) }, types);
    const documentType = parts.find((part) => part.whole)?.typeId;
    return { id, document, ...(documentType === undefined ? {} : { documentType }) };
  });
  const extraction = extractArtifacts(sources);
  const { analysis } = examineTraceability({
    ...extraction,
    rules: await loadTraceabilityRules(),
    options: { externalPrefixes: [] },
  });
  const texts = new Map(documents.map(({ id, document }) => [id, document.text]));
  const byId = new Map(extraction.artifacts.map((artifact) => [artifact.id, artifact]));
  const evidenceOf = (position: number): readonly Evidence[] => {
    const { link, artifactId } = analysis.gaps[position]!;
    const place = link === undefined ? byId.get(artifactId) : extraction.links[link];
    if (!place) return [];
    const { documentId, location, start, end } = place;
    const quote = (texts.get(documentId) ?? '').slice(start, end);
    return [{ documentId, location, quote, start, end, role: 'support' }];
  };
  const printed = (finding: Finding): PrintedFinding => ({
    ...asPrinted('trace', finding),
    title: finding.observed,
  });
  const single = analysis.gaps.map((gap, position) =>
    printed(traceFindings([gap], () => evidenceOf(position))[0]!),
  );
  const gaps = traceCauses(analysis.gaps).map((cause): PrintedFinding => {
    const all = [...cause.gaps, ...cause.consequences];
    const [finding] = traceFindings(
      all.map(({ gap }) => gap),
      (at) => evidenceOf(all[at]!.position),
    );
    return {
      ...printed(finding!),
      ...(all.length > 1 ? { parts: all.map(({ position }) => single[position]!) } : {}),
    };
  });
  const remarks = analysis.remarks.flatMap(({ kind, grade, listed }) =>
    listed.map(
      ({ text }): PrintedFinding => ({
        engine: 'remark',
        kind,
        criterion: '',
        severity: grade,
        title: text,
        observed: text,
        quotes: [],
        counted: false,
      }),
    ),
  );
  return [...gaps, ...remarks];
}

function asPrinted(
  engine: string,
  finding: {
    readonly kind: string;
    readonly criterionId: string;
    readonly severity: string;
    readonly title: string;
    readonly observed: string;
    readonly evidence: readonly Evidence[];
  },
): PrintedFinding {
  const { kind, criterionId, severity, title, observed, evidence } = finding;
  const quotes = evidence
    .filter(({ role }) => role !== 'context')
    .map(({ documentId, quote }) => ({ document: documentId, quote }));
  return { engine, kind, criterion: criterionId, severity, title, observed, quotes, counted: true };
}

function supportOf(evidence: readonly Evidence[]): readonly string[] {
  return evidence.filter(({ role }) => role === 'support').map(({ quote }) => quote);
}
