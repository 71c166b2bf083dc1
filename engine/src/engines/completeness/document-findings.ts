import type { CorpusDocument } from '../../corpus/corpus.js';
import type { EmptyTalk } from '../../corpus/empty-talk.js';
import { quote } from '../../corpus/evidence.js';
import type { AffectedItem, Finding, Severity } from '../../findings/finding.js';
import { ownerOf } from '../../findings/recommendations.js';
import { gradePlaceholder, severityWord } from '../../findings/severity.js';
import { fillingOf } from '../../judgement/judge-work-product.js';
import { render } from '../../sentences/render.js';
import { type LocalWords, type Sentence, say, wordsOf } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { isOtherLanguage } from '../../text/language.js';
import { missingMetadata } from './causes.js';
import type { MetadataResult, PlaceholderResult } from './completeness.js';
import type { CheckContext } from './context.js';
import { makeFinding } from './make-finding.js';
import type { StructureDefect } from './structure-defect.js';

const QUOTES = 3;
const ROWS = 8;
const LONGEST_ROW = 40;

/** Text without any meaning where a statement is due: one finding a document, with the places. */
export function emptyTalkFindings(document: CorpusDocument, { corpus }: CheckContext): readonly Finding[] {
  const { places, original } = document.emptyTalk ?? { places: [], original: document.read.document };
  if (places.length === 0) return [];
  const isWhole = document.parts.some(
    (part) => part.whole && fillingOf(part, { corpus }).filling === 'says_nothing',
  );
  if (isOtherLanguage(places.map(({ start, end }) => original.text.slice(start, end)).join('\n')))
    return [otherLanguageFinding(document, places, original)];
  const named = places.map(({ row, column }) => (row === undefined ? [] : [[row, column ?? ''].join(': ')]));
  return [
    makeFinding({
      document,
      kind: 'text_says_nothing',
      topic: 'content',
      item: '',
      title: say('completeness.text-says-nothing-title', { places: places.length }),
      severity: isWhole ? 'critical' : 'high',
      confidence: 'medium',
      reasons: [say('completeness.where-a-statement-is-due-stand-words')],
      expected: say('completeness.what-stands-there-is-about-the-item'),
      observed: say('completeness.of-these-no-reader-learns-anything', {
        name: document.name,
        places: places.length,
        rows: [
          ...new Set(places.flatMap(({ row }) => (row === undefined ? [] : [row.slice(0, LONGEST_ROW)]))),
        ].slice(0, ROWS),
      }),
      whyItMatters: say('completeness.form-is-filled-content-is-not'),
      recommendation: say('completeness.write-what-holds-for-the-item', {
        owner: ownerOf(typesOf(document)),
      }),
      effortHint: 'hours',
      affectedItems: named.flat(),
      evidence: places
        .slice(0, QUOTES)
        .map(({ passage, start, end }) =>
          quote(
            original,
            passage,
            { start, end },
            { role: 'counter', note: say('completeness.says-nothing') },
          ),
        ),
    }),
  ];
}

/** What is neither English nor German is not judged, and may say a lot. */
function otherLanguageFinding(
  document: CorpusDocument,
  places: readonly EmptyTalk[],
  original: CorpusDocument['read']['document'],
): Finding {
  return makeFinding({
    document,
    kind: 'other_language',
    topic: 'content',
    item: '',
    title: say('completeness.other-language-title', { places: places.length }),
    severity: 'high',
    confidence: 'medium',
    reasons: [say('completeness.only-two-languages-are-read')],
    expected: say('completeness.the-document-is-there-in-a-language'),
    observed: say('completeness.hardly-a-word-of-two-languages', {
      name: document.name,
      places: places.length,
    }),
    whyItMatters: say('completeness.what-is-not-read-is-not-judged'),
    recommendation: say('completeness.give-it-in-a-language-that-is-read', {
      owner: ownerOf(typesOf(document)),
    }),
    effortHint: 'hours',
    affectedItems: [],
    evidence: places
      .slice(0, QUOTES)
      .map(({ passage, start, end }) =>
        quote(original, passage, { start, end }, { role: 'counter', note: say('completeness.not-judged') }),
      ),
  });
}

/** Gaps of metadata: what is missing, what only the file's properties say, what cannot be right. */
export function metadataFindings(
  document: CorpusDocument,
  fields: readonly MetadataResult[],
): readonly Finding[] {
  const demanded = fields.filter((field) => field.applies);
  const open = demanded.filter((field) => field.state === 'missing' || field.state === 'open');
  const missing =
    open.length === 0
      ? []
      : [
          missingMetadata({
            documents: [document],
            templates: [],
            affected: open.map((field) => affectedField(document, field)),
            confidence: 'medium',
            evidence: open.flatMap((field) => field.evidence).slice(0, QUOTES),
          }),
        ];
  const hidden = demanded.filter((field) => field.state === 'file_property_only');
  const properties =
    hidden.length === 0
      ? []
      : [
          metadataFinding(document, hidden, {
            kind: 'metadata_not_visible',
            item: '',
            title: say('completeness.metadata-not-visible-in-the-document'),
            severity: 'low',
            reasons: [say('completeness.a-value-that-only-the-file')],
            observed: say('completeness.only-the-properties-of-the-file', { labels: labelsOf(hidden) }),
            action: say('completeness.state-fields-in-the-text', { labels: labelsOf(hidden) }),
          }),
        ];
  const wrong = fields.filter((field) => field.problems.length > 0);
  const values = wrong.map(
    (field): Finding =>
      metadataFinding(document, [field], {
        kind: 'metadata_value',
        item: field.key,
        title: say('completeness.field-problem', {
          label: field.said.label,
          problem: field.said.problems[0],
        }),
        severity: field.severity,
        reasons: [say('completeness.the-field-carries', { severity: severityWord(field.severity) })],
        observed: say('completeness.field-problems', {
          label: field.said.label,
          problems: field.said.problems,
        }),
        action: say('completeness.correct-field', { label: field.said.label }),
      }),
  );
  return [...missing, ...properties, ...values];
}

function affectedField(
  document: CorpusDocument,
  { key, severity, evidence: [place], said }: MetadataResult,
): AffectedItem {
  return {
    id: key,
    kind: 'metadata_missing',
    severity,
    documentId: document.id,
    ...(place ? { location: place.location } : {}),
    ...worded({ title: said.label }),
  };
}

/** English names of fields are no names in a sentence, German ones are nouns. */
const labelsOf = (fields: readonly MetadataResult[]): readonly LocalWords[] =>
  fields.map(({ label, said }) => ({ en: label.toLowerCase(), de: render(said.label, 'de') }));

function metadataFinding(
  document: CorpusDocument,
  fields: readonly MetadataResult[],
  what: {
    readonly kind: string;
    readonly item: string;
    readonly title: Sentence;
    readonly severity: Severity;
    readonly reasons: readonly Sentence[];
    readonly observed: Sentence;
    readonly action: Sentence;
  },
): Finding {
  const { action, observed, ...rest } = what;
  return makeFinding({
    ...rest,
    document,
    topic: 'metadata',
    confidence: 'high',
    expected: say('completeness.a-document-says-what-it-is'),
    observed: say('completeness.observed-in-document', { name: document.name, observed }),
    whyItMatters: say('completeness.without-it-nobody-can-tell-which'),
    recommendation: say('completeness.in-owner-done-when-cover-change', {
      action,
      name: document.name,
      owner: ownerOf(typesOf(document)),
    }),
    effortHint: 'minutes',
    affectedItems: fields.map((field) => field.key),
    evidence: fields.flatMap((field) => field.evidence).slice(0, QUOTES),
  });
}

/** One gap for each section and pattern (domain D.5.4). */
export function placeholderFindings(
  document: CorpusDocument,
  open: readonly PlaceholderResult[],
  context: CheckContext,
): readonly Finding[] {
  return open.map((entry): Finding => {
    const where = say('findings.where', { document: document.name, section: entry.section });
    const places = entry.count;
    const named = entry.items.slice(0, 3);
    const { reasons } = gradePlaceholder({
      place: entry.place,
      status: document.status,
      asil: context.asil,
      adjustments: [],
    });
    return makeFinding({
      kind: 'placeholder',
      document,
      topic: 'placeholders',
      item: `${entry.section}\n${entry.pattern}`,
      title:
        named.length === 0
          ? say('completeness.open-content', { places })
          : say('completeness.content-still-open', { named }),
      severity: entry.severity,
      confidence: entry.confidence >= 0.8 ? 'high' : entry.confidence >= 0.6 ? 'medium' : 'low',
      reasons: [
        ...reasons,
        ...(entry.tracked ? [say('completeness.it-has-an-owner-and-a')] : []),
        ...(entry.count >= 3 ? [say('completeness.the-same-in-three-places-or')] : []),
        say('completeness.severity-so', { severity: severityWord(entry.severity) }),
      ],
      expected: say('completeness.nothing-that-the-document-demands-or'),
      observed: say('completeness.places-left-open', {
        places,
        where,
        what: wordsOf(entry.said.what),
        tracked: entry.tracked,
      }),
      whyItMatters: say('completeness.what-is-left-open-here-is'),
      recommendation: say('completeness.determine-and-enter-the-open-content', {
        where,
        named,
        owner: ownerOf(typesOf(document)),
      }),
      effortHint: entry.place === 'normative' ? 'hours' : 'minutes',
      affectedItems: entry.items,
      defects: entry.defects,
      evidence: entry.evidence,
    });
  });
}

/** Instructions of the template that are still there; one gap for a document. */
export function instructionFindings(
  document: CorpusDocument,
  { count, evidence }: { readonly count: number; readonly evidence: Finding['evidence'] },
  context: CheckContext,
): readonly Finding[] {
  if (count === 0) return [];
  const { severity, reasons } = gradePlaceholder({
    place: 'other',
    status: document.status,
    asil: context.asil,
    adjustments: [],
  });
  return [
    makeFinding({
      kind: 'template_text',
      document,
      topic: 'template text',
      item: '',
      title: say('completeness.template-text-left-in-the-document', { count }),
      severity,
      confidence: 'high',
      reasons: reasons,
      expected: say('completeness.a-document-holds-statements-about-the'),
      observed: say('completeness.of-the-template-still-in-they', { count, name: document.name }),
      whyItMatters: say('completeness.a-reader-cannot-tell-what-was'),
      recommendation: say('completeness.remove-the-instructions-of-the-template', {
        name: document.name,
        owner: ownerOf(typesOf(document)),
      }),
      effortHint: 'minutes',
      affectedItems: [],
      evidence,
    }),
  ];
}

export function structureFindings(
  document: CorpusDocument,
  defects: readonly StructureDefect[],
): readonly Finding[] {
  return defects.map(({ rule, severity, item, title, observed, evidence }) => {
    return makeFinding({
      kind: rule,
      document,
      topic: 'structure',
      item,
      title,
      severity,
      confidence: rule === 'EM-10' ? 'low' : 'medium',
      reasons: [say('completeness.severity-by-rule', { severity: severityWord(severity) })],
      expected: say(`completeness.${rule}-expected`),
      observed: say('completeness.observed-in-document', { name: document.name, observed }),
      whyItMatters: say('completeness.a-reader-cannot-tell-whether-what'),
      recommendation: say('completeness.in-owner-done-when-a-reviewer', {
        action: say(`completeness.${rule}-action`),
        name: document.name,
        owner: ownerOf(typesOf(document)),
      }),
      effortHint: 'minutes',
      affectedItems: [],
      evidence,
    });
  });
}

export function typesOf(document: CorpusDocument): readonly string[] {
  return document.parts.map((part) => part.typeId);
}
