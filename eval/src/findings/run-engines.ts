import {
  type AnalysedDocument,
  analyseGaps,
  type Checklist,
  type Confidence,
  checkChecklist,
  checkCompleteness,
  checklistPart,
  completenessDocuments,
  completenessPart,
  type DocumentType,
  detectDocumentTypes,
  dueGaps,
  type EntryMember,
  type Evidence,
  engineVersion,
  entriesOf,
  examineTraceability,
  extractArtifacts,
  type Finding,
  gapAnalysisPart,
  loadChecklist,
  loadDocumentTypes,
  loadReportWords,
  loadStandard,
  loadTraceabilityRules,
  outsideOfProject,
  type ReportPart,
  SEVERITIES,
  type Standard,
  takeApart,
  traceabilityPart,
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

/** All engines over the documents, as the command line calls them, without embeddings; findings are the entries of its report. */
export async function runEngines(
  documents: readonly AnalysedDocument[],
  { standards, checklists }: Judges,
): Promise<EngineResults> {
  const parts: ReportPart[] = [];
  /** Of a finding of a part: each single thing that it says. */
  const singles = new Map<string, readonly PrintedFinding[]>();
  const scores = new Map<string, number>();
  const verdicts = new Map<string, JudgedCriterion>();
  const tell = (
    part: string,
    { fingerprint }: Pick<Finding, 'fingerprint'>,
    own: readonly PrintedFinding[],
  ) => singles.set(`${part} ${fingerprint}`, own);
  for (const standard of standards) {
    const engine = `gap ${standard.id.replace(/^iso-|-2018$/g, '')}`;
    const result = await analyseGaps({ standard, documents, scope: {}, options: {} });
    scores.set(engine, result.score.value ?? 0);
    const byId = new Map(result.verdicts.map((verdict) => [verdict.criterionId, verdict]));
    for (const finding of result.findings) {
      const own = (finding.affected ?? []).map(({ id, kind, severity, title = id }): Finding => {
        const { reason, evidence } = byId.get(id)!;
        return { ...finding, criterionId: id, kind, severity, title, observed: reason, evidence };
      });
      tell(
        engine,
        finding,
        (own.length > 1 ? own : [finding]).map((one) => asPrinted(engine, one)),
      );
    }
    for (const { criterionId, verdict, confidence, evidence } of result.verdicts) {
      verdicts.set(`${engine} ${criterionId}`, { verdict, confidence, support: supportOf(evidence) });
    }
    parts.push(gapAnalysisPart(result, { id: engine, standard }));
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
    const own = partsOf(finding, types);
    tell(
      'completeness',
      finding,
      (own.length > 0 ? own : [finding]).map((one) => asPrinted('completeness', one)),
    );
  }
  parts.push(completenessPart(completeness, { id: 'completeness', language: 'en' }));
  for (const checklist of checklists) {
    const result = await checkChecklist({
      checklist,
      documents,
      scope: {},
      options: { conditions: {}, today: TODAY },
    });
    for (const {
      itemId,
      verdict,
      confidence,
      reason,
      severity = '',
      evidence,
      fingerprint,
    } of result.items) {
      verdicts.set(`checklist ${itemId}`, { verdict, confidence, support: supportOf(evidence) });
      if (verdict !== 'fail' && verdict !== 'missing') continue;
      const quotes = evidence.map(({ documentId, quote }) => ({ document: documentId, quote }));
      const words = { title: reason, observed: reason, quotes };
      tell(checklist.id, { fingerprint }, [
        {
          engine: 'checklist',
          kind: verdict,
          criterion: itemId,
          severity,
          confidence,
          ...words,
          counted: true,
        },
      ]);
    }
    parts.push(checklistPart(result, { id: checklist.id, checklist, language: 'en' }));
  }
  const trace = await traceOf(documents);
  for (const { finding, own } of trace.told) tell('trace', finding, own);
  parts.push(trace.part);
  const { entries, forPersons } = entriesOf(
    { parts, documents: completenessDocuments(completeness) },
    await loadReportWords('en'),
  );
  const singlesOf = ({ part, finding }: EntryMember) => singles.get(`${part.id} ${finding.fingerprint}`)!;
  const findings = entries.map((entry): PrintedFinding => {
    const own = entry.members.flatMap(singlesOf);
    const [first] = singlesOf({ part: entry.parts[0]!, finding: entry.members[0]!.finding });
    const { kind, criterionId: criterion, observed, confidence } = entry.finding;
    const { title, severity } = entry;
    const quotes = own.flatMap((one) => one.quotes);
    const about = { engine: first!.engine, kind, criterion, severity, confidence };
    const lead = { ...about, title, observed, quotes, counted: true };
    return own.length === 1 ? { ...own[0]!, severity } : { ...lead, parts: own };
  });
  const asked = forPersons.flatMap(singlesOf).map((one) => ({ ...one, counted: false }));
  return { findings: [...findings, ...asked, ...trace.remarks], scores, verdicts };
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

async function traceOf(documents: readonly AnalysedDocument[]): Promise<{
  readonly part: ReportPart;
  /** Findings with each gap that they hold. */
  readonly told: readonly { readonly finding: Finding; readonly own: readonly PrintedFinding[] }[];
  readonly remarks: readonly PrintedFinding[];
}> {
  const types = [...(await loadDocumentTypes()).values()];
  const sources = documents.map(({ id, name, document }) => {
    const parts = detectDocumentTypes({ fileName: name, read: takeApart(id, document) }, types);
    const documentType = parts.find((part) => part.whole)?.typeId;
    return { id, document, ...(documentType === undefined ? {} : { documentType }) };
  });
  const extraction = extractArtifacts(sources);
  const examination = examineTraceability({
    ...extraction,
    rules: await loadTraceabilityRules(),
    options: { externalPrefixes: [] },
  });
  const { analysis } = examination;
  const texts = new Map(documents.map(({ id, document }) => [id, document.text]));
  const byId = new Map(extraction.artifacts.map((artifact) => [artifact.id, artifact]));
  const evidenceOf = ({ link, artifactId }: (typeof analysis.gaps)[number]): readonly Evidence[] => {
    const place = link === undefined ? byId.get(artifactId) : extraction.links[link];
    if (!place) return [];
    const { documentId, location, start, end } = place;
    const quote = (texts.get(documentId) ?? '').slice(start, end);
    return [{ documentId, location, quote, start, end, role: 'support' }];
  };
  const outside = await outsideOfProject(documents, {});
  const { due } = dueGaps(analysis.gaps, outside);
  const at = (position: number) => evidenceOf(due[position]!);
  const printed = (finding: Finding): PrintedFinding => ({
    ...asPrinted('trace', finding),
    title: finding.observed,
  });
  const single = due.map((gap, position) => printed(traceFindings([gap], () => at(position))[0]!));
  const found = traceFindings(due, at);
  const told = traceCauses(due).map(({ gaps, consequences }, index) => ({
    finding: found[index]!,
    own: [...gaps, ...consequences].map(({ position }) => single[position]!),
  }));
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
  const part = traceabilityPart(examination, {
    id: 'trace',
    engine: engineVersion(),
    documents: new Map(documents.map((one) => [one.id, one])),
    evidenceOf,
    outside,
  });
  return { part, told, remarks };
}

function asPrinted(
  engine: string,
  finding: {
    readonly kind: string;
    readonly criterionId: string;
    readonly severity: string;
    readonly confidence: Confidence;
    readonly title: string;
    readonly observed: string;
    readonly evidence: readonly Evidence[];
  },
): PrintedFinding {
  const { kind, criterionId, severity, confidence, title, observed, evidence } = finding;
  const quotes = evidence
    .filter(({ role }) => role !== 'context')
    .map(({ documentId, quote }) => ({ document: documentId, quote }));
  return {
    engine,
    kind,
    criterion: criterionId,
    severity,
    confidence,
    title,
    observed,
    quotes,
    counted: true,
  };
}

function supportOf(evidence: readonly Evidence[]): readonly string[] {
  return evidence.filter(({ role }) => role === 'support').map(({ quote }) => quote);
}
