import type { CorpusDocument } from '../../corpus/corpus.js';
import type { DocumentPart } from '../../corpus/detect-document-types.js';
import { saidBy } from '../../documents/reading-notes.js';
import type { StatedRequirement } from '../../facts/requirement.js';
import type { AffectedItem, Finding } from '../../findings/finding.js';
import { fillingOf } from '../../judgement/judge-work-product.js';
import { english } from '../../sentences/render.js';
import { say, written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { missingSectionsFinding } from './causes.js';
import type { DocumentCompleteness, SectionResult, TemplateCheck } from './completeness.js';
import type { CheckContext, CheckedPart } from './context.js';
import {
  emptyTalkFindings,
  instructionFindings,
  metadataFindings,
  placeholderFindings,
  structureFindings,
} from './document-findings.js';
import { checkMetadata } from './metadata.js';
import { requirementQuality } from './observations.js';
import { openContent } from './open-content.js';
import { scoreOf } from './score.js';
import {
  confidenceOfAbsence,
  emptyTemplateFinding,
  missingSections,
  sectionFindings,
} from './section-findings.js';
import { checkSections } from './sections.js';
import { structureDefects, templateInstructions } from './structure.js';
import { tableFindings } from './table-findings.js';
import { checkTables } from './tables.js';

/** Everything about one document: its templates, metadata, open content, instructions and observations. */
export function checkDocument(
  document: CorpusDocument,
  {
    sha256,
    requirements,
    context,
  }: {
    readonly sha256: string;
    readonly requirements: readonly StatedRequirement[];
    readonly context: CheckContext;
  },
): { readonly document: DocumentCompleteness; readonly findings: readonly Finding[] } {
  const base = {
    id: document.id,
    name: document.name,
    version: document.version,
    sha256,
    language: document.read.document.language,
    status: document.status,
    ...worded({ notes: saidBy(document.read.document.notes) }),
  };
  if (document.setAside !== undefined) {
    return { document: { ...base, setAside: document.setAside, ...nothing() }, findings: [] };
  }
  const parts = checkedParts(document, context);
  const templates = parts.map((checked) => checkTemplate(checked, context));
  const sections = templates.flatMap((one) => one.check.sections);
  const isEmpty = templates.length > 0 && templates.every((one) => one.check.emptyTemplate);
  const missing = templates.flatMap((one) => one.missing);
  const metadata = checkMetadata(document, context);
  const placeholders = isEmpty ? [] : openContent(parts, document, { sections, context });
  const instructions = templateInstructions(document);
  const findings = [
    ...templates.flatMap((one) => one.findings),
    ...(missing.length === 0
      ? []
      : [
          missingSectionsFinding({
            documents: [document],
            templates: parts.map(({ type }) => type),
            affected: missing,
            confidence: confidenceOfAbsence(
              document,
              sections.filter(({ state }) => state === 'missing'),
            ),
            evidence: [],
          }),
        ]),
    // What is no work product owes no metadata.
    ...(parts.some(({ part }) => part.whole) && !isEmpty ? metadataFindings(document, metadata) : []),
    ...placeholderFindings(document, placeholders, context),
    ...(isEmpty
      ? []
      : [
          ...emptyTalkFindings(document, context),
          ...instructionFindings(document, instructions, context),
          ...structureFindings(document, structureDefects(document, sections)),
        ]),
  ];
  return {
    document: {
      ...base,
      templates: templates.map((one) => one.check),
      metadata,
      placeholders,
      instructions,
      requirementQuality: requirementQuality(document, requirements, context.options),
      score: scoreOf(sections),
      findings: findings.map((finding) => finding.fingerprint),
    },
    findings,
  };
}

const nothing = () => ({
  templates: [],
  metadata: [],
  placeholders: [],
  instructions: { count: 0, evidence: [] },
  requirementQuality: {
    requirements: 0,
    clean: null,
    rules: [],
    ears: { unwanted: 0, event: 0, state: 0, optional: 0, ubiquitous: 0, none: 0 },
    scores: [],
    observations: [],
  },
  score: scoreOf([]),
  findings: [],
});

/** The types of the whole document; where it is none, the work products that it holds as sections. */
function checkedParts(document: CorpusDocument, { corpus }: CheckContext): readonly CheckedPart[] {
  const whole = document.parts.filter((part) => part.whole);
  const parts: readonly DocumentPart[] =
    whole.length > 0 ? whole : document.parts.filter((part) => part.confidence !== 'low');
  return parts.flatMap((part) => {
    const type = corpus.documentTypes.get(part.typeId);
    return type ? [{ document, part, type }] : [];
  });
}

const HOLLOW_SHARE = 0.6;
const HOLLOW_SECTIONS = 3;

/** Nearly every section that is there holds the template's instructions and nothing else. */
function isHollow(sections: readonly SectionResult[]): boolean {
  const here = sections.filter((section) => section.heading !== undefined);
  const hollow = here.filter(
    ({ state, words }) => state === 'empty' || state === 'placeholder' || (state === 'thin' && words === 0),
  );
  const instructed = here.some((section) => section.instructions > 0);
  return instructed && hollow.length >= HOLLOW_SECTIONS && hollow.length >= here.length * HOLLOW_SHARE;
}

/** Ids and levels in a document whose text says nothing fill no section. */
const sayingNothing = (section: SectionResult): SectionResult =>
  section.state === 'missing'
    ? section
    : {
        ...section,
        state: 'empty',
        ...worded({
          reason: say('completeness.its-document-says-nothing'),
          title: section.said.title,
        }),
      };

function checkTemplate(
  checked: CheckedPart,
  context: CheckContext,
): {
  readonly check: TemplateCheck;
  readonly findings: readonly Finding[];
  /** Told in one finding of the document. */
  readonly missing: readonly AffectedItem[];
} {
  const { part, type, document } = checked;
  const { filling } = fillingOf(part, context);
  const found = checkSections(checked, context);
  const sections = filling === 'says_nothing' ? found.map(sayingNothing) : found;
  const tables = checkTables(checked, sections, context);
  const emptyTemplate = filling === 'empty' || (filling !== 'says_nothing' && isHollow(sections));
  const isTold = filling === 'says_nothing' || emptyTemplate;
  return {
    check: {
      type: type.id,
      ...worded({
        name: written({
          en: document.read.document.language === 'de' ? type.name.de : type.name.en,
          de: type.name.de,
        }),
      }),
      part: part.whole ? 'document' : 'section',
      confidence: part.confidence,
      reasons: part.reasons.map(english),
      emptyTemplate,
      sections,
      tables,
      score: scoreOf(sections),
    },
    missing: isTold ? [] : missingSections(checked, sections),
    // A document without meaning is one finding, of its text.
    findings:
      filling === 'says_nothing'
        ? []
        : emptyTemplate
          ? [emptyTemplateFinding(checked, sections)]
          : [...sectionFindings(checked, sections, context), ...tableFindings(checked, tables, sections)],
  };
}
