import { parseArgs } from 'node:util';
import { listDocumentTypeIds } from '../data/list-document-types.js';
import { engineVersion } from '../engines/run-method.js';
import { dueGaps } from '../engines/traceability/due-gaps.js';
import { proposeTraceLinks } from '../engines/traceability/propose-trace-links.js';
import { loadTraceabilityRules, type TraceabilityRules } from '../engines/traceability/rules.js';
import { examineTraceability } from '../engines/traceability/run.js';
import { type LinkOpinions, secondLinks } from '../engines/traceability/second-links.js';
import { traceFindings } from '../engines/traceability/trace-findings.js';
import type { TraceGap } from '../engines/traceability/traceability.js';
import { joinDocuments } from '../facts/artifacts/extract-artifacts.js';
import type { ExtractedArtifact } from '../facts/artifacts/statement.js';
import { assumedLinks } from '../facts/artifacts/trace-link.js';
import { outsideByPerson } from '../facts/project-scope.js';
import type { Evidence } from '../findings/finding.js';
import { countSeverities, hasAtLeast } from '../findings/severities.js';
import { askingWith, type ModelUse } from '../models/asking.js';
import { traceabilityPart } from '../reports/parts/traceability-part.js';
import { keepHeapSmall } from '../scheduling/compile-late.js';
import { say } from '../sentences/sentence.js';
import { inLanguage } from '../sentences/worded.js';
import type { Streams } from './analyse-command.js';
import { CommandError } from './command-error.js';
import { exitCodeOf, RESULT_OPTIONS, resultOptions, SCOPE_OPTIONS, scopeOf } from './document-options.js';
import { MODEL_OPTIONS, modelOf, printEstimate } from './model-options.js';
import { writeOutput } from './options.js';
import { matrixSummary, printTrace, type TraceResult } from './print-trace.js';
import { createProgress, type Progress } from './progress.js';
import { readForTrace } from './trace-files.js';
import { TRACE_USAGE } from './usage.js';
import { wordsIn } from './words.js';
import { asNotAssessed, writeReportFile } from './write-report.js';

/** `normtrace trace`; resolves to the exit code 0 or 1. Throws `CommandError` for what a person can correct. */
export async function traceCommand(args: readonly string[], { out, error }: Streams): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      type: { type: 'string', multiple: true, default: [] },
      external: { type: 'string', multiple: true, default: [] },
      configuration: { type: 'string' },
      ...MODEL_OPTIONS,
      phase: SCOPE_OPTIONS.phase,
      'tailored-out': SCOPE_OPTIONS['tailored-out'],
      ...RESULT_OPTIONS,
    },
  });
  if (values.help) {
    out.write(TRACE_USAGE);
    return 0;
  }
  if (positionals.length === 0) {
    throw new CommandError('No folder or file was given.', 'For example: normtrace trace docs');
  }
  const { format, failOn, report, language } = resultOptions(values);
  const scope = scopeOf(values);
  const given = await givenTypes(values.type);

  const model = await modelOf(values);

  keepHeapSmall();
  const progress = createProgress(error);
  const { documents, extraction, notAssessed, unread } = await readAndJoin(positionals, { given, progress });
  progress.step('Examining the trace', 0, 1);
  const rules = await loadTraceabilityRules();
  const examination = examineTraceability({
    artifacts: extraction.artifacts,
    links: extraction.links,
    ends: extraction.ends,
    rules,
    options: {
      externalPrefixes: values.external,
      ...(values.configuration === undefined ? {} : { configuration: values.configuration }),
    },
  });
  const proposed = model
    ? await judgedProposals(extraction.artifacts, examination.analysis.gaps, {
        rules,
        model: model.use,
        progress,
      })
    : undefined;
  progress.end();
  if (model?.estimate) {
    printEstimate(out, await model.estimate(), model);
    return 0;
  }
  const evidenceOf = quotesOfGaps(documents, extraction);
  const outside = outsideByPerson(scope);
  const { due, notDue } = dueGaps(examination.analysis.gaps, outside);
  const result: TraceResult = {
    documents: documents.map(({ id, documentType, notes }) => ({
      id,
      ...(documentType === undefined ? {} : { documentType }),
      notes: inLanguage(notes, language).map(({ code, message }) => ({ code, message })),
    })),
    extraction: { ...extraction, notes: inLanguage(extraction.notes, language) },
    analysis: inLanguage(examination.analysis, language),
    findings: inLanguage(
      traceFindings(due, (position) => evidenceOf(due[position]!)),
      language,
    ),
    notDue: inLanguage(notDue, language),
    matrix: matrixSummary(examination),
    notAssessed,
    ...(proposed ? { proposed } : {}),
  };
  const words = wordsIn(language);
  const written = report
    ? await writeReportFile(
        {
          title: report.title ?? words(say('terminal.title-traceability')),
          language: report.language,
          scope,
          documents: documents.map(({ id, name, version, sha256, documentType: type, notes }) => ({
            ...{ id, name, version, sha256 },
            types: type === undefined ? [] : [type],
            notes: inLanguage(notes, report.language).map(({ message }) => message),
          })),
          parts: [
            traceabilityPart(examination, {
              id: 'traceability',
              language,
              engine: engineVersion(),
              documents: new Map(documents.map((one) => [one.id, one])),
              evidenceOf,
              outside,
              ...(proposed ? { second: proposed } : {}),
              assumed: assumedLinks(extraction.links).length,
              notAssessed: asNotAssessed(notAssessed, language),
            }),
          ],
        },
        { format: report.format, failOn, out, outputFile: values.output },
      )
    : await writeOutput(
        { out, outputFile: values.output },
        format === 'table'
          ? { print: (target) => printTrace(target, result, words) }
          : { json: asJson(result) },
      );
  const counts = countSeverities(result.findings);
  const { critical, high, medium, low } = counts;
  if (written !== undefined) {
    progress.note(`Wrote ${written}: ${critical} critical, ${high} high, ${medium} medium, ${low} low.`);
  }
  const isReached = failOn !== undefined && hasAtLeast(counts, failOn);
  return exitCodeOf({ unread, isReached }, values['allow-unread'], error);
}

/** What was read, without its statements, which are large and have done their work once they are joined. */
async function readAndJoin(
  paths: readonly string[],
  { given, progress }: { readonly given: ReadonlyMap<string, string>; readonly progress: Progress },
) {
  const { documents, ...rest } = await readForTrace(
    paths,
    progress,
    (name) => [...given].find(([wanted]) => isNamed(name, wanted))?.[1],
  );
  refuseUnused(given, documents);
  progress.step('Taking out artifacts and links', 0, 1);
  const extraction = joinDocuments(documents.map(({ statements }) => statements));
  return { ...rest, extraction, documents: documents.map(({ statements: _, ...read }) => read) };
}

function asJson({ extraction, analysis, findings, notDue, matrix, notAssessed, ...rest }: TraceResult) {
  const { documents, proposed } = rest;
  const { artifacts, links, notes, noteCounts } = extraction;
  return {
    documents,
    ...analysis,
    findings,
    notDue,
    matrix,
    artifacts,
    links,
    notes,
    noteCounts,
    notAssessed,
    ...(proposed ? { proposed } : {}),
  };
}

/** Proposes links for artifacts without one upwards, and asks a language model about them. */
async function judgedProposals(
  artifacts: readonly ExtractedArtifact[],
  gaps: readonly TraceGap[],
  {
    rules,
    model,
    progress,
  }: { readonly rules: TraceabilityRules; readonly model: ModelUse; readonly progress: Progress },
): Promise<LinkOpinions> {
  progress.step('Asking the model', 0, 1);
  const byId = new Map<string, ExtractedArtifact>();
  for (const one of artifacts) if (!byId.has(one.id)) byId.set(one.id, one);
  const orphans = new Set(
    gaps.filter(({ gapType }) => gapType === 'orphan_upstream').map(({ artifactId }) => artifactId),
  );
  const open = [...byId.values()].filter(({ id }) => orphans.has(id));
  const proposals = await proposeTraceLinks(
    { open, artifacts: [...byId.values()] },
    { rules, types: new Set(open.map(({ type }) => type)) },
  );
  return secondLinks(proposals, byId, { asking: askingWith(model) });
}

/** What stands at the place of a gap: the link that is wrong, else the artifact. */
export function quotesOfGaps(
  documents: readonly { readonly id: string; readonly text: string }[],
  { artifacts, links }: TraceResult['extraction'],
): (gap: TraceGap) => readonly Evidence[] {
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const byId = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
  return ({ artifactId, link, kind }) => {
    const place = link === undefined ? byId.get(artifactId) : links[link];
    if (!place) return [];
    const { documentId, location, start, end } = place;
    const quote = texts.get(documentId)?.slice(start, end) ?? '';
    const role = kind === 'negative_result' ? 'counter' : 'context';
    return quote === '' ? [] : [{ documentId, location, quote, start, end, role }];
  };
}

async function givenTypes(options: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const known = await listDocumentTypeIds();
  return new Map(
    options.map((one) => {
      const at = one.lastIndexOf('=');
      const type = one.slice(at + 1);
      if (at < 1) {
        throw new CommandError(`--type ${one} is not understood.`, 'Write --type <file>=<document type>.');
      }
      if (!known.has(type)) {
        throw new CommandError(
          `There is no document type "${type}".`,
          `Document types: ${[...known].join(', ')}.`,
        );
      }
      return [one.slice(0, at), type] as const;
    }),
  );
}

function refuseUnused(
  given: ReadonlyMap<string, string>,
  documents: readonly { readonly name: string }[],
): void {
  for (const wanted of given.keys()) {
    if (documents.some(({ name }) => isNamed(name, wanted))) continue;
    throw new CommandError(
      `--type names "${wanted}", which is not among the files that were read.`,
      'Write the name as the result shows it.',
    );
  }
}

function isNamed(name: string, wanted: string): boolean {
  return name === wanted || name.endsWith(`/${wanted}`);
}
