import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { summarise } from '../advice/summarise.js';
import { loadChecklist } from '../checklists/load-checklists.js';
import { usualAnalyses } from '../checklists/usual-analyses.js';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import { usableDocuments } from '../corpus/corpus.js';
import { corpusOf } from '../corpus/corpus-of.js';
import type { Checklist } from '../engines/checklist/checklist.js';
import { checkChecklist } from '../engines/checklist/run.js';
import { checkCompleteness } from '../engines/completeness/run.js';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import { engineVersion } from '../engines/run-method.js';
import { loadTraceabilityRules } from '../engines/traceability/rules.js';
import { examineTraceability } from '../engines/traceability/run.js';
import { extractArtifacts } from '../facts/artifacts/extract-artifacts.js';
import { assumedLinks } from '../facts/artifacts/trace-link.js';
import { bySeverity, countSeverities, hasAtLeast } from '../findings/severities.js';
import { outsideOfProject } from '../judgement/planned-work.js';
import { askingWith, type ModelUse } from '../models/asking.js';
import { entriesOf } from '../reports/entries.js';
import { makeReport, type ReportInput } from '../reports/make-report.js';
import { checklistPart } from '../reports/parts/checklist-part.js';
import { completenessDocuments, completenessPart } from '../reports/parts/completeness-part.js';
import { gapAnalysisPart } from '../reports/parts/gap-analysis-part.js';
import { traceabilityPart } from '../reports/parts/traceability-part.js';
import type { Report, ReportLanguage, ReportPart } from '../reports/report.js';
import { reportSchema } from '../reports/report-schema.js';
import { loadReportWords } from '../reports/report-words.js';
import { sinceBefore } from '../reports/since-before.js';
import { inLanguage } from '../sentences/worded.js';
import type { Standard } from '../standards/criterion.js';
import { standardIn } from '../standards/criterion-words.js';
import { loadStandard } from '../standards/load-standard.js';
import { type Streams, standardOf } from './analyse-command.js';
import { answersOf } from './answers.js';
import { checklistOf } from './checklist-command.js';
import { CommandError } from './command-error.js';
import { exitCodeOf, RESULT_OPTIONS, resultOptions, SCOPE_OPTIONS, scopeOf } from './document-options.js';
import { EMBEDDING_OPTIONS, embeddingsOf } from './embedding-options.js';
import { MODEL_OPTIONS, modelOf, printEstimate } from './model-options.js';
import { writeOutput } from './options.js';
import { printOverview } from './print-overview.js';
import { createProgress, type Progress } from './progress.js';
import { readFiles, withReader } from './read-files.js';
import { quotesOfGaps } from './trace-command.js';
import { typed } from './trace-file.js';
import { REPORT_USAGE } from './usage.js';
import { asNotAssessed, writeReportFile } from './write-report.js';

/** `normtrace report`: all analyses in one report; resolves to the exit code 0 or 1. Throws `CommandError` for what a person can correct. */
export async function reportCommand(args: readonly string[], { out, error }: Streams): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      standard: { type: 'string', multiple: true, default: [] },
      checklist: { type: 'string', multiple: true, default: [] },
      ...SCOPE_OPTIONS,
      ...EMBEDDING_OPTIONS,
      ...MODEL_OPTIONS,
      summary: { type: 'boolean', default: false },
      baseline: { type: 'string' },
      ...RESULT_OPTIONS,
    },
  });
  if (values.help) {
    out.write(REPORT_USAGE);
    return 0;
  }
  if (positionals.length === 0)
    throw new CommandError('No folder or file was given.', 'For example: normtrace report docs');
  const { format, failOn, report, language } = resultOptions(values);
  const withEmbeddings = embeddingsOf(values);
  const conditions = await answersOf(values.answer);
  const chosen: readonly Checklist[] = await Promise.all(values.checklist.map(checklistOf));
  const model = await modelOf(values);
  if (values.summary && !model)
    throw new CommandError(
      '--summary is written by a language model.',
      'Add --judge ai, --base-url and --model.',
    );
  const before = values.baseline === undefined ? undefined : await readReport(values.baseline);
  const withModelUse = model ? { model: model.use } : {};
  const scope = scopeOf(values);
  const today = new Date().toISOString().slice(0, 10);
  const progress = createProgress(error);
  const { given, documents, notAssessed, unread } = await withReader(async (reader) => {
    const given: Standard[] = [];
    for (const one of values.standard) given.push(await standardOf(one, reader));
    return { given, ...(await readFiles(positionals, progress, { reader })) };
  });
  const isChosen = given.length > 0 || chosen.length > 0;
  const { standards, checklists } = isChosen
    ? { standards: given, checklists: chosen }
    : await usualFor(documents, progress);

  const parts: ReportPart[] = [];
  await withEmbeddings(progress, async (embedding) => {
    for (const standard of standards) {
      progress.step(standard.designation, parts.length, standards.length + checklists.length + 2);
      const result = await analyseGaps({
        standard,
        documents,
        scope,
        options: { conditions },
        ...(embedding ? { embedding } : {}),
        ...withModelUse,
      });
      parts.push(
        gapAnalysisPart(inLanguage(result, language), {
          id: `gap-analysis-${parts.length + 1}`,
          standard: standardIn(standard, language),
        }),
      );
    }
  });
  progress.step('Completeness', standards.length, standards.length + checklists.length + 2);
  const completeness = inLanguage(
    await checkCompleteness({ documents, templates: [], scope, options: { conditions, today } }),
    language,
  );
  parts.push(
    completenessPart(completeness, {
      id: 'completeness',
      language,
      notAssessed: asNotAssessed(notAssessed, language),
    }),
  );
  for (const checklist of checklists) {
    progress.step(checklist.id, parts.length, standards.length + checklists.length + 2);
    const result = await checkChecklist({
      checklist,
      documents,
      scope,
      options: { conditions, today },
      ...withModelUse,
    });
    parts.push(
      checklistPart(inLanguage(result, language), { id: `checklist-${parts.length}`, checklist, language }),
    );
  }
  const extraction = extractArtifacts(await Promise.all(documents.map((one) => typed(one, undefined))));
  const examination = examineTraceability({
    artifacts: extraction.artifacts,
    links: extraction.links,
    ends: extraction.ends,
    rules: await loadTraceabilityRules(),
  });
  parts.push(
    traceabilityPart(examination, {
      assumed: assumedLinks(extraction.links).length,
      id: 'traceability',
      outside: await outsideOfProject(documents, scope),
      language,
      engine: engineVersion(),
      documents: new Map(documents.map((one) => [one.id, one])),
      evidenceOf: quotesOfGaps(
        documents.map(({ id, document }) => ({ id, text: document.text })),
        extraction,
      ),
    }),
  );
  const summary =
    model && values.summary ? await summaryOf(parts, { language, model: model.use }) : undefined;
  progress.end();
  if (model?.estimate) {
    printEstimate(out, await model.estimate(), model);
    return 0;
  }

  const compared = before ? sinceBefore(parts, before) : parts;
  const input: Omit<ReportInput, 'createdAt'> = {
    title: values.title ?? (language === 'de' ? 'Sicherheitsdokumente' : 'Safety documents'),
    language,
    scope,
    documents: completenessDocuments(completeness),
    parts: compared,
    ...(summary ? { summary } : {}),
  };
  const words = await loadReportWords(language);
  const { entries } = entriesOf(input, words);
  const counts = countSeverities(entries);
  const written = report
    ? await writeReportFile(input, { format: report.format, failOn, out, outputFile: values.output })
    : await writeOutput(
        { out, outputFile: values.output },
        format === 'json'
          ? { json: makeReport({ ...input, createdAt: new Date().toISOString() }) }
          : {
              print: (target) =>
                printOverview(target, makeReport({ ...input, createdAt: new Date().toISOString() }), words),
            },
      );
  if (written !== undefined) {
    const { critical, high, medium, low } = counts;
    progress.note(`Wrote ${written}: ${critical} critical, ${high} high, ${medium} medium, ${low} low.`);
  }
  const isReached = failOn !== undefined && hasAtLeast(counts, failOn);
  return exitCodeOf({ unread, isReached }, values['allow-unread'], error);
}

/** Standards and checklists that the types of the documents suggest, and a word about them. */
async function usualFor(
  documents: readonly AnalysedDocument[],
  progress: Progress,
): Promise<{ readonly standards: readonly Standard[]; readonly checklists: readonly Checklist[] }> {
  // A paragraph about the item in a plan is no item definition.
  const corpus = await corpusOf({ documents }, async () => {});
  const whole = usableDocuments(corpus).flatMap(({ parts }) => parts.filter((part) => part.whole));
  const usual = await usualAnalyses(new Set(whole.map(({ typeId }) => typeId)));
  const ids = [...usual.standards, ...usual.checklists];
  progress.note(
    ids.length > 0
      ? `Compared with ${ids.join(', ')}, which documents of these types are usually held against; --standard and --checklist choose others.`
      : 'Compared with no standard and no checklist: the types of the documents suggest none. --standard and --checklist name them.',
  );
  return {
    standards: await Promise.all(usual.standards.map((id) => loadStandard(id))),
    checklists: await Promise.all(usual.checklists.map((id) => loadChecklist(id))),
  };
}

/** A report that this command wrote as JSON. Throws `CommandError` for anything else. */
async function readReport(file: string): Promise<Report> {
  const hint = 'Give the result of an earlier "normtrace report --format json --output <file>".';
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`--baseline ${file} cannot be read.`, hint);
  });
  try {
    return reportSchema.parse(JSON.parse(text)) as Report;
  } catch {
    throw new CommandError(`--baseline ${file} is no report in JSON.`, hint);
  }
}

/** A few sentences of a language model about all findings; undefined where it had none that stood the checks. */
async function summaryOf(
  parts: readonly ReportPart[],
  { language, model }: { readonly language: ReportLanguage; readonly model: ModelUse },
): Promise<ReportInput['summary']> {
  // Titles about an uploaded standard repeat its words.
  const sendable = parts.filter(({ standard }) => standard?.source !== 'uploaded' || model.sendsStandard);
  const findings = sendable.flatMap((part) => part.findings).sort(bySeverity);
  const counts = countSeverities(findings);
  const written = await summarise(
    {
      subject: sendable
        .map(({ subject }) => subject)
        .filter((one) => one !== '')
        .join(', '),
      language,
      counts: Object.fromEntries(Object.entries(counts).map(([name, count]) => [`gaps.${name}`, count])),
      findings: findings.map(({ fingerprint: id, severity, title }) => ({ id, severity, title })),
    },
    { asking: askingWith(model) },
  );
  if ('failed' in written || written.sentences.length === 0) return undefined;
  return { model: model.model.id, sentences: written.sentences };
}
