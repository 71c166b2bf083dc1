/** The front door of the engine: everything that other packages may import. */

export type { LinkExample } from './advice/judge-links.js';
export { type ProposedDemand, proposeDemands } from './advice/propose-demands.js';
export { type Outline, type ProposedPart, proposeSections } from './advice/propose-sections.js';
export { type SummarySentence, summarise, type ToSummarise } from './advice/summarise.js';
export { type AsilAttribute, readAsilAttribute } from './asil/asil-attribute.js';
export { checkDecomposition, type DecompositionDefect } from './asil/decomposition.js';
export {
  listChecklistIds,
  loadChecklist,
  loadChecklists,
  parseChecklist,
  UnknownChecklistError,
} from './checklists/load-checklists.js';
export { ChecklistFileError, type ChecklistFileProblem } from './checklists/own/checklist-file-error.js';
export { type ChecksForText, loadChecksForText } from './checklists/own/checks-for-text.js';
export type { ImportedAnswer, OwnItem } from './checklists/own/own-item.js';
export {
  type OwnChecklist,
  ownChecklist,
  type ReadChecklistOptions,
  readChecklistFile,
} from './checklists/own/read-checklist-file.js';
export { type UsualAnalyses, usualAnalyses } from './checklists/usual-analyses.js';
export type { Condition } from './conditions/condition.js';
export { loadConditions } from './conditions/load-conditions.js';
export type { Agreement } from './contradictions/agreement.js';
export type { AnalysedDocument } from './corpus/analysed-document.js';
export type { AnalysisScope } from './corpus/corpus.js';
export { type DocumentPart, detectDocumentTypes, typeOfWhole } from './corpus/detect-document-types.js';
export type { Passage, PassageRole } from './corpus/passages/passage.js';
export { type ReadDocument, takeApart } from './corpus/passages/passages-of.js';
export { DataError, type DataProblem } from './data/data-error.js';
export { listDocumentTypeIds } from './data/list-document-types.js';
export { BUILT_IN_DATA, type DataFolder, openDataFolder } from './data/load-data.js';
export { loadDocumentMetadata, type MetadataField } from './document-types/document-metadata.js';
export type {
  DocumentType,
  TemplateColumn,
  TemplateSection,
  TemplateTable,
} from './document-types/document-type.js';
export {
  loadDocumentType,
  loadDocumentTypes,
  parseDocumentType,
} from './document-types/load-document-types.js';
export type {
  Block,
  BlockKind,
  Cell,
  Document,
  DocumentFormat,
  FileProperties,
  ReadingNote,
  RecordLink,
  TableRecord,
} from './documents/document.js';
export { DocumentError, type DocumentErrorCode } from './documents/document-error.js';
export {
  createDocumentReader,
  type DocumentReader,
  type DocumentReaderOptions,
  readDocumentSafely,
} from './documents/document-reader.js';
export { READABLE_FORMATS } from './documents/formats.js';
export { type Location, printLocation } from './documents/location.js';
export { DOCUMENT_MEDIA_TYPES, type FirstBytes, mediaTypeOf } from './documents/media-types.js';
export { type Archive, type ArchivedFile, openArchive } from './documents/open-archive.js';
export {
  openPages,
  type PackedPages,
  type PageLine,
  type PageShape,
  packPages,
} from './documents/page-places/page-file.js';
export {
  type ContainedDocument,
  type ReadArchiveOptions,
  readArchive,
} from './documents/read-archive.js';
export { readDocument } from './documents/read-document.js';
export type { ReadOptions } from './documents/read-draft.js';
export { DEFAULT_LIMITS, type ReadingLimits } from './documents/reading-limits.js';
export { type ClosableEmbeddingModel, openBuiltInModel } from './embeddings/built-in-model.js';
export {
  type EmbeddingCache,
  memoryEmbeddingCache,
  withEmbeddingCache,
} from './embeddings/embedding-cache.js';
export { fileEmbeddingCache } from './embeddings/file-embedding-cache.js';
export {
  EmbeddingServiceError,
  type OpenAiCompatibleSettings,
  openAiCompatibleModel,
} from './embeddings/open-ai-compatible-model.js';
export {
  type Check,
  type CheckGroup,
  type CheckName,
  type CheckOf,
  checkSchema,
  type LeafCheck,
} from './engines/checklist/check.js';
export type { Checklist, ChecklistItem } from './engines/checklist/checklist.js';
export {
  type ChecklistAnalysis,
  type ChecklistEvent,
  type ChecklistInput,
  type ChecklistStage,
  ITEM_VERDICTS,
  type ItemResult,
  type ItemVerdict,
  type SettledItem,
  shownVerdict,
} from './engines/checklist/checklist-analysis.js';
export type { ChecklistOptions } from './engines/checklist/checklist-options.js';
export { findingOfItem } from './engines/checklist/finding-of-item.js';
export type {
  Automation,
  ChecklistDomain,
  LocalText,
  NotApplicable,
} from './engines/checklist/question.js';
export { checkChecklist, checklistEvents } from './engines/checklist/run.js';
export {
  type ChapterOpinion,
  type CheckedDocument,
  COMPLETENESS_STATES,
  type ColumnResult,
  type CompletenessAnalysis,
  type CompletenessEvent,
  type CompletenessInput,
  type CompletenessOptions,
  type CompletenessScore,
  type CompletenessStage,
  type CompletenessState,
  type DocumentCompleteness,
  type MetadataResult,
  type Observation,
  type OpenQuestion,
  type PlaceholderResult,
  type RequirementOpinion,
  type RequirementQualityResult,
  type SectionReference,
  type SectionResult,
  type TableResult,
  type TemplateCheck,
} from './engines/completeness/completeness.js';
export { checkCompleteness, completenessEvents } from './engines/completeness/run.js';
export { engineIdentity } from './engines/engine-identity.js';
export type { RunCallbacks } from './engines/engine-run.js';
export type { RunQuestion } from './engines/gap-analysis/ask-phase.js';
export type {
  GapAnalysis,
  GapAnalysisEvent,
  GapAnalysisInput,
  GapAnalysisOptions,
  GapAnalysisStage,
} from './engines/gap-analysis/gap-analysis.js';
export { analyseGaps, gapAnalysisEvents } from './engines/gap-analysis/run.js';
export { SEVERITY_WEIGHT, scoreOf, VERDICT_VALUE } from './engines/gap-analysis/score.js';
export { engineVersion } from './engines/run-method.js';
export { dueGaps } from './engines/traceability/due-gaps.js';
export { ownDefinition } from './engines/traceability/nodes.js';
export type { TracePairs } from './engines/traceability/pairs.js';
export { type ProposedTraceLink, proposeTraceLinks } from './engines/traceability/propose-trace-links.js';
export {
  GAP_KINDS,
  GAP_TYPES,
  type GapKind,
  type GapType,
  linkOfWording,
  loadTraceabilityRules,
  type RemarkKind,
  type TraceabilityRules,
} from './engines/traceability/rules.js';
export {
  analyseTraceability,
  examineTraceability,
  type TraceabilityExamination,
} from './engines/traceability/run.js';
export { type LinkOpinion, type LinkOpinions, secondLinks } from './engines/traceability/second-links.js';
export { traceCauses } from './engines/traceability/trace-causes.js';
export { traceFindings } from './engines/traceability/trace-findings.js';
export {
  LISTED,
  MATRIX_STATES,
  type MapEdges,
  TRACE_DUTIES,
  type TraceDuty,
  type TraceMap,
} from './engines/traceability/trace-map.js';
export type {
  Coverage,
  CoverageMetrics,
  IntegrityClass,
  MatrixLink,
  MatrixRow,
  MatrixStatus,
  Remark,
  TraceabilityAnalysis,
  TraceabilityInput,
  TraceabilityOptions,
  TraceGap,
} from './engines/traceability/traceability.js';
export {
  ARTIFACT_TYPES,
  type Artifact,
  type ArtifactType,
  contentHash,
  EVIDENCE_RESULTS,
  type EvidenceResult,
} from './facts/artifacts/artifact.js';
export { compareStatements } from './facts/artifacts/compare-statements.js';
export {
  extractArtifacts,
  joinDocuments,
  type ReadStatements,
  readDocumentStatements,
} from './facts/artifacts/extract-artifacts.js';
export { idKey } from './facts/artifacts/id-spelling.js';
export { packStatements } from './facts/artifacts/pack-statements.js';
export type {
  ExtractedArtifact,
  ExtractedLink,
  Extraction,
  ExtractionNote,
  Quote,
  SourceDocument,
} from './facts/artifacts/statement.js';
export {
  ASSUMED_BECAUSE,
  type AssumedBecause,
  assumedLinks,
  LINK_TYPES,
  type LinkType,
  type SuspectLink,
  suspectLinks,
  type TraceLink,
} from './facts/artifacts/trace-link.js';
export { unpackStatements } from './facts/artifacts/unpack-statements.js';
export { outsideByPerson } from './facts/project-scope.js';
export type { QualityHit, QualityOptions, RequirementText } from './facts/requirement.js';
export {
  type AffectedItem,
  type Confidence,
  type CriterionVerdict,
  type Evidence,
  type Finding,
  type Remedy,
  SEVERITIES,
  type Search,
  type Severity,
  type Verdict,
} from './findings/finding.js';
export type { NotDue } from './findings/not-due.js';
export { countSeverities, isAtLeast } from './findings/severities.js';
export type { DecidedOpinion } from './judgement/model/decided-examples.js';
export type {
  ModelOpinion,
  PartOpinion,
  RulesAlone,
  SettledVerdict,
} from './judgement/model/settled-verdict.js';
export { outsideOfProject } from './judgement/planned-work.js';
export { type AnswerOf, answerSchema } from './models/answer-schemas.js';
export {
  type AnswerEntry,
  type AnswerStore,
  answerKey,
  memoryAnswerStore,
  withAnswerStore,
} from './models/answer-store.js';
export { askingWith, type ModelStatement, type ModelUse } from './models/asking.js';
export { type Estimate, estimatingModel, type ModelHabits } from './models/estimate.js';
export { estimateTokens } from './models/estimate-tokens.js';
export { type FakeJudgeOptions, fakeJudge } from './models/fake-judge.js';
export { fakeModel } from './models/fake-model.js';
export { fileAnswerStore } from './models/file-answer-store.js';
export {
  type AnswerSchema,
  type AnswerShape,
  ENDS_ASKING,
  type LanguageModel,
  MODEL_FAILURES,
  type ModelAnswer,
  type ModelFailure,
  type ModelRequest,
  type Sampling,
  type SentPassage,
  type StoredAnswer,
  TASK_IDS,
  type TaskId,
  type Usage,
} from './models/language-model.js';
export { type CallGate, modelId, openModel } from './models/providers/open-model.js';
export { PROBE_POINTS, type Probe, type ProbePoint, probeModel } from './models/providers/probe.js';
export {
  PROVIDERS,
  type Provider,
  type ProviderSettings,
  STRUCTURED,
  type Structured,
} from './models/providers/provider.js';
export { isArea, lifecycle } from './phases/lifecycle.js';
export { limitTime } from './remote/limit-time.js';
export { type Entries, type Entry, type EntryMember, entriesOf } from './reports/entries.js';
export { type FirstPage, firstPageOf, type GoalLine } from './reports/first-page.js';
export { csvCell } from './reports/formats/csv.js';
export { nameOf } from './reports/layout/causes.js';
export { printSource } from './reports/layout/print-place.js';
export { makeReport, type ReportInput } from './reports/make-report.js';
export { checklistPart, itemsPart } from './reports/parts/checklist-part.js';
export {
  completenessDocuments,
  completenessPart,
  documentsPart,
  type SectionValues,
  statedBy,
} from './reports/parts/completeness-part.js';
export { criteriaPart, gapAnalysisPart, modelFacts } from './reports/parts/gap-analysis-part.js';
export type { EvidenceValues, FindingValues, OpinionValues, RunValues } from './reports/parts/part-values.js';
export { traceabilityPart, tracePart } from './reports/parts/traceability-part.js';
export {
  REPORT_FILES,
  REPORT_FORMATS,
  type RenderOptions,
  type ReportFormat,
  renderReport,
} from './reports/render-report.js';
export {
  REPORT_CHAPTERS,
  REPORT_LANGUAGES,
  type Report,
  type ReportAdvice,
  type ReportDocument,
  type ReportEvidence,
  type ReportFinding,
  type ReportLanguage,
  type ReportPart,
  type ReportResult,
  type ReportTrace,
  type ResultState,
} from './reports/report.js';
export { reportJsonSchema, reportSchema } from './reports/report-schema.js';
export { loadReportWords, type ReportWords } from './reports/report-words.js';
export { selectFindings, type WantedFindings } from './reports/select-findings.js';
export { withoutStandardWords } from './reports/without-words.js';
export {
  assessRequirement,
  assessRequirements,
  type RequirementAssessment,
  type RequirementQuality,
  type RuleCount,
} from './requirement-quality/requirement-quality.js';
export type { Candidate, EmbeddingModel } from './retrieval/candidate.js';
export type { CoverageSignals } from './retrieval/coverage-signals.js';
export {
  type CoverageEstimate,
  type CoverageModel,
  type CoverageWeights,
  estimateCoverage,
  shippedCoverageModel,
} from './retrieval/estimate-coverage.js';
export { buildLexicalIndex, type LexicalIndex } from './retrieval/lexical-index.js';
export {
  emptyScores,
  type LexicalHit,
  type LexicalQuery,
  lexicalQuery,
  searchLexical,
} from './retrieval/lexical-search.js';
export { proposeLinks } from './retrieval/propose-links.js';
export {
  type CandidateRanking,
  type RankedCriterion,
  type RetrievalMethod,
  rankCandidates,
} from './retrieval/rank-candidates.js';
export {
  EVIDENCE_RANKING,
  LINK_RANKING,
  type RankableTexts,
  type RankedText,
  type RankingSettings,
  rankTexts,
  type TextRanking,
} from './retrieval/rank-texts.js';
export { textsToEmbed } from './retrieval/texts-to-embed.js';
export { compileLate } from './scheduling/compile-late.js';
export { programOf } from './scheduling/program.js';
export { render } from './sentences/render.js';
export { type Sentence, say } from './sentences/sentence.js';
export { inLanguage, wordsOnly } from './sentences/worded.js';
export {
  type CatalogEntry,
  catalogEntry,
  findInCatalog,
  GROUP_OF_CATEGORY,
  listCatalog,
  STANDARD_CATEGORIES,
  STANDARD_STRUCTURES,
  type StandardCategory,
  type StandardGroup,
  type StandardStructure,
} from './standards/catalog.js';
export type { Criterion, CriterionKind, LookFor, Standard, Verification } from './standards/criterion.js';
export { criterionIn } from './standards/criterion-words.js';
export { type InformationItem, loadInformationItems } from './standards/information-items.js';
export {
  type ConfirmationIndependence,
  type ConfirmationMeasure,
  type HardwareMetric,
  type IndependenceLevel,
  loadConfirmationIndependence,
  loadHardwareMetrics,
} from './standards/integrity-facts.js';
export { loadGeneralExpectations, loadStandard, UnknownStandardError } from './standards/load-standard.js';
export { partOfStandard, UnknownClauseError } from './standards/part-of-standard.js';
export { hasLicenceMark } from './standards/uploaded/licence-mark.js';
export {
  type ReadStandardOptions,
  readStandardFile,
} from './standards/uploaded/read-standard-file.js';
export { StandardFileError, type StandardFileProblem } from './standards/uploaded/standard-file-error.js';
export type { StandardIdentity } from './standards/uploaded/standard-identity.js';
export { type LearnOptions, learnTemplate } from './templates/learn-template.js';
export { printTemplate } from './templates/print-template.js';
export { readTemplate } from './templates/read-template.js';
export { TemplateError } from './templates/template-error.js';
export { detectLanguage, type Language } from './text/language.js';
export { normaliseText, normaliseWord } from './text/normalise.js';
export { type PhraseMatch, phraseFinder } from './text/phrases.js';
export { splitSentences, type TextRange } from './text/sentences.js';
export { termsOf } from './text/terms.js';
export { type Token, tokenise } from './text/tokenise.js';
export {
  type EarsPattern,
  type QualityRule,
  type QualitySeverity,
  qualityWords,
  type RequirementLevel,
} from './words/quality-words.js';
