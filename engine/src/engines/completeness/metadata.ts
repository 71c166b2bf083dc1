import { readAsilAttribute } from '../../asil/asil-attribute.js';
import { type Corpus, type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { parseStatus } from '../../corpus/document-status.js';
import { quote } from '../../corpus/evidence.js';
import { type FieldState, fieldOf } from '../../corpus/metadata-fields.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { findPlaceholders } from '../../corpus/placeholders/find-placeholders.js';
import type { MetadataField } from '../../document-types/document-metadata.js';
import { statedAsils } from '../../facts/asil-of-documents.js';
import { dayOf } from '../../facts/day-of.js';
import { parseDate } from '../../facts/parse-date.js';
import { type Sentence, say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { normaliseText } from '../../text/normalise.js';
import { qualityWords } from '../../words/quality-words.js';
import { patternOf } from '../../words/read-words.js';
import { answerFor } from './applicability.js';
import { historyProblems, lastVersion } from './change-history.js';
import type { MetadataResult } from './completeness.js';
import type { CheckContext } from './context.js';
import { completenessRules, isSafetyType } from './rules.js';

/** The metadata of a document: which fields are there, and what is wrong with their values (domain D.2). */
export function checkMetadata(document: CorpusDocument, context: CheckContext): readonly MetadataResult[] {
  const { corpus } = context;
  const states = new Map(
    [...corpus.metadataFields.keys()].map((key) => {
      const labelled = fieldOf(corpus, key, document.id);
      const isLabelled = labelled.state === 'present' || labelled.state === 'open';
      return [key, isLabelled ? labelled : { ...labelled, ...toldOtherwise(key, document, context) }];
    }),
  );
  const isSafety = document.parts.some((part) => part.whole && isSafetyType(part.typeId));
  return [...corpus.metadataFields.values()].map((field): MetadataResult => {
    const state = states.get(field.key)!;
    const { applies, severity } = demandOf(field, document, {
      context,
      isSafety,
      isReport: isReport(document, context),
    });
    const problems =
      state.state === 'present'
        ? problemsOf(field.key, state.value ?? '', { document, states, context, isSafety })
        : [];
    return {
      key: field.key,
      need: field.need,
      applies,
      state: state.state,
      ...(state.value === undefined ? {} : { value: state.value }),
      ...worded({ label: say('general.written', { text: state.label }), problems }),
      severity,
      // An empty cell has no words to quote.
      evidence: state.evidence.filter((one) => one.quote !== ''),
    };
  });
}

/** Fields that need no label: the title stands first, the level beside what has it. */
function toldOtherwise(
  key: string,
  document: CorpusDocument,
  { corpus, documentIds }: CheckContext,
): Partial<FieldState> {
  if (key === 'title') {
    const title = titleOf(document);
    if (!title) return {};
    const evidence = quote(document.read.document, title, title, {
      role: 'support',
      note: say('completeness.first-line-of-the-document'),
    });
    return { state: 'present', value: evidence.quote, evidence: [evidence] };
  }
  if (key === 'references') {
    const reference = patternOf(completenessRules().metadata.reference);
    const numbers = [...documentIds].flatMap(([id, number]) => (id === document.id ? [] : [number]));
    for (const passage of document.read.passages) {
      if ((passage.role !== 'body' && passage.role !== 'scope') || passage.header) continue;
      const { cells = [passage] } = document.read.document.blocks[passage.blockIndex]!;
      const [place] = cells.flatMap((cell) => {
        const other = numbers.find(
          (number) => number.length >= SHORTEST_NUMBER && cell.text.includes(number),
        );
        const text = reference.exec(cell.text)?.[0] ?? other;
        if (text === undefined) return [];
        const start = cell.start + cell.text.indexOf(text);
        return [{ start, end: start + text.length }];
      });
      if (!place) continue;
      const note = say('completeness.named-where-it-is-used');
      const evidence = quote(document.read.document, passage, place, { role: 'support', note });
      return { state: 'present', value: evidence.quote, evidence: [evidence] };
    }
    return {};
  }
  if (key === 'asil_cal') {
    const { highest, evidence } = statedAsils({ ...corpus, documents: [document] });
    if (highest) return { state: 'present', value: highest === 'QM' ? highest : `ASIL ${highest}`, evidence };
  }
  return {};
}

const LONGEST_TITLE = 120;
/** Shorter numbers of documents stand in other words. */
const SHORTEST_NUMBER = 4;
const FIRST_LINES = 3;

/** The first heading or line; of a workbook the name of its sheet says less. */
function titleOf({ read }: CorpusDocument): Passage | undefined {
  const beside = new Set(['header_footer', 'toc', 'guidance', 'figure', 'comment']);
  return read.passages
    .filter((passage) => !beside.has(passage.role) && passage.text.trim() !== '')
    .slice(0, FIRST_LINES)
    .find(
      (passage) =>
        passage.text.length <= LONGEST_TITLE &&
        (passage.role === 'heading' ||
          (read.document.blocks[passage.blockIndex]!.kind === 'paragraph' &&
            !/[.:;]\s*$/.test(passage.text))),
    );
}

function demandOf(
  field: MetadataField,
  document: CorpusDocument,
  {
    context,
    isSafety,
    isReport,
  }: { readonly context: CheckContext; readonly isSafety: boolean; readonly isReport: boolean },
): Pick<MetadataResult, 'applies' | 'severity'> {
  // What is reported about others is released with them.
  const severity = (isSafety && !isReport ? field.safetySeverity : undefined) ?? field.severity;
  if (field.key === 'abbreviations')
    return { applies: acronymCount(document) > completenessRules().metadata.acronyms, severity };
  if (field.need === 'required') return { applies: true, severity };
  if (field.need === 'optional') return { applies: false, severity };
  const { status } = document;
  if (field.fromStatus === 'approved') return { applies: status === 'released', severity };
  if (field.fromStatus === 'reviewed')
    return { applies: status === 'released' || status === 'reviewed', severity };
  if (field.key === 'asil_cal' && !hasLevels(document, context.corpus)) return { applies: false, severity };
  const answer = field.conditionId ? answerFor(field.conditionId, document, context) : undefined;
  return { applies: isSafety && answer?.holds !== false, severity };
}

/** A kind of document whose rows carry a level; a test specification takes them from the requirements. */
function hasLevels({ parts }: CorpusDocument, { documentTypes }: Corpus): boolean {
  return parts.some(
    ({ whole, typeId }) =>
      whole &&
      documentTypes
        .get(typeId)
        ?.tables.some(({ columns }) => columns.some(({ key, required }) => key === 'asil' && required)),
  );
}

/** A record or report about other documents. */
function isReport({ parts }: CorpusDocument, { corpus }: CheckContext): boolean {
  return parts.some(({ whole, typeId }) => whole && corpus.documentTypes.get(typeId)?.isAboutOthers);
}

/** Distinct acronyms that are not common knowledge. */
function acronymCount({ read }: CorpusDocument): number {
  const { knownCapitals } = qualityWords();
  const found = new Set<string>();
  for (const passage of read.passages) {
    if (passage.role !== 'body') continue;
    for (const match of passage.text.matchAll(
      /(?<![\p{L}\p{N}_./-])\p{Lu}{2,6}(?![\p{L}\p{N}_]|[-.]\p{N})/gu,
    )) {
      if (!knownCapitals.has(match[0])) found.add(match[0]);
    }
  }
  return found.size;
}

interface Known {
  readonly document: CorpusDocument;
  readonly states: ReadonlyMap<string, FieldState>;
  readonly context: CheckContext;
  readonly isSafety: boolean;
}

const MOST_WORDS_OF_LEVEL = 6;

/** What is wrong with a value that is there. */
function problemsOf(key: string, value: string, known: Known): readonly Sentence[] {
  const { document, states, context, isSafety } = known;
  const rules = completenessRules();
  const other = (field: string) => {
    const state = states.get(field);
    return state?.state === 'present' ? state.value : undefined;
  };
  const isMask = findPlaceholders(`x: ${value}`, { metadata: true }).length > 0;
  if (isMask && !rules.metadata.sections.includes(key)) return [say('completeness.a-mask-or-a-dummy-not')];
  switch (key) {
    case 'document_id':
      return isShared(value, known) ? [say('completeness.another-document-of-the-set-has')] : [];
    case 'title':
      return patternOf(rules.templateTitle).test(value)
        ? [say('completeness.the-title-of-the-template')]
        : [];
    case 'version':
      return versionProblems(value, document);
    case 'status':
      return parseStatus(value) === 'unknown' ? [say('completeness.says-nothing-about-how-mature-the')] : [];
    case 'date':
      return dateProblems(value, { document, context });
    case 'reviewer':
      return sameAs(value, other('author')) ? [say('completeness.the-reviewer-is-the-author')] : [];
    case 'approver':
      // Who reports a review signs for it.
      return isSafety && !isReport(document, context) && sameAs(value, other('author'))
        ? [say('completeness.the-approver-is-the-author')]
        : [];
    case 'approval_date':
      return approvalProblems(value, other('date'), { document, context });
    case 'change_history':
      return historyProblems(document);
    case 'project_item':
      return isOtherItem(value, context) ? [say('completeness.another-item-than-the-one-under')] : [];
    case 'references':
      return referenceProblems(document);
    case 'asil_cal':
      // A sentence behind the label says what levels mean.
      return readAsilAttribute(value).kind === 'stated' ||
        /CAL\s*[1-4]/u.test(value) ||
        value.trim().split(/\s+/u).length > MOST_WORDS_OF_LEVEL
        ? []
        : [say('completeness.cannot-be-read-as-an-integrity')];
    default:
      return [];
  }
}

function sameAs(value: string, other: string | undefined): boolean {
  return other !== undefined && normaliseText(value).trim() === normaliseText(other).trim();
}

function isShared(value: string, { document, context }: Known): boolean {
  return usableDocuments(context.corpus).some(
    (one) =>
      one.id !== document.id && one.name !== document.name && sameAs(value, context.documentIds.get(one.id)),
  );
}

/** What the template wrote before the value and somebody left there: "[Version]1.0". */
const LEFT_BEFORE = /^\s*(?:\[[^\]]*\]|<[^>]*>|\{[^}]*\})\s*(?=\S)/u;

function versionProblems(written: string, document: CorpusDocument): readonly Sentence[] {
  const value = written.replace(LEFT_BEFORE, '');
  if (!patternOf(completenessRules().metadata.version).test(value))
    return [say('completeness.no-version-number-letter-or-tag')];
  const last = lastVersion(document);
  const plain = (text: string) =>
    normaliseText(text)
      .replace(/^\s*(?:v|version|rev|revision)?\.?\s*/, '')
      .trim();
  return last !== undefined && plain(last) !== plain(value)
    ? [say('completeness.the-change-history-ends-with', { last })]
    : [];
}

/** A document whose cover is judged. */
interface Cover {
  readonly document: CorpusDocument;
  readonly context: CheckContext;
}

function dateProblems(value: string, { document, context }: Cover): readonly Sentence[] {
  const { today } = context.options;
  if (parseDate(value) === undefined) return [say('completeness.no-date')];
  // One day for time zones.
  const latest =
    today === undefined ? undefined : new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
  const date = dayOf(value, document, context.corpus);
  return latest !== undefined && date !== undefined && date > latest
    ? [say('completeness.a-date-in-the-future')]
    : [];
}

function approvalProblems(
  value: string,
  version: string | undefined,
  { document, context }: Cover,
): readonly Sentence[] {
  if (parseDate(value) === undefined) return [say('completeness.no-date')];
  const [date, of] = [value, version ?? ''].map((text) => dayOf(text, document, context.corpus));
  return date !== undefined && of !== undefined && date < of
    ? [say('completeness.before-the-date-of-the-version')]
    : [];
}

function isOtherItem(value: string, { corpus }: CheckContext): boolean {
  const { item, aliases = [] } = corpus.scope;
  if (item === undefined) return false;
  const own = normaliseText(value);
  return ![item, ...aliases].some(
    (name) => own.includes(normaliseText(name)) || normaliseText(name).includes(own.trim()),
  );
}

/** A number, or an identifier of letters: GS-ANF. */
const IDENTIFIER = /\d|(?<![\p{L}-])\p{Lu}{2,}(?:[-_.]\p{Lu}{2,})+(?![\p{L}-])/u;
/** A sentence beside the list, not an entry of it. */
const IN_PROSE = /^(?:\S+\s+){7,}\S+\.\s*$/u;

/** Each reference has an identifier or edition to find the same text again. */
function referenceProblems({ read }: CorpusDocument): readonly Sentence[] {
  const entries = read.passages.filter(
    (passage) =>
      passage.role === 'references' &&
      !passage.header &&
      passage.text.trim() !== '' &&
      (read.document.blocks[passage.blockIndex]!.cells !== undefined || !IN_PROSE.test(passage.text)),
  );
  const vague = entries.filter(
    (passage) => !IDENTIFIER.test(passage.text.replace(/^\s*\[?\d+[\].)]?\s*/, '')),
  );
  return vague.length > 0 && entries.length > 0
    ? [
        say('completeness.of-references-have-no-identifier-version', {
          vague: vague.length,
          entries: entries.length,
        }),
      ]
    : [];
}
