import { z } from 'zod';
import { REQUIREMENT_AXES, type RequirementAxis } from '../advice/rate-requirements.js';
import { BUILT_IN_DATA, type DataFolder, once, readDataFile } from '../data/load-data.js';
import type { DocumentType } from '../document-types/document-type.js';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import { GAP_TYPES } from '../engines/traceability/rules.js';
import { ARTIFACT_TYPES } from '../facts/artifacts/artifact.js';
import { MODEL_MARKS, SEVERITIES, type Severity } from '../findings/finding.js';
import { RULES_ALONE } from '../judgement/model/settled-verdict.js';
import {
  ADVICE_SAYS,
  OPINION_DECISIONS,
  REPORTED_TYPES,
  RESULT_STATES,
  type ReportLanguage,
  type ReportResult,
  TRACE_METRICS,
} from './report.js';

/** How a state is to be seen: kept apart from its name so that pictures and tables agree. */
export const TONES = ['good', 'part', 'bad', 'person', 'none'] as const;
export type Tone = (typeof TONES)[number];

/** What marks a word: how bad, or how it stands. Colour is never the only sign: the word says it too. */
export type Mark = Severity | Tone;

const worded = z.strictObject({ en: z.string(), de: z.string() });
const toned = worded.extend({ tone: z.enum(TONES) });
const paragraphs = z.strictObject({ en: z.array(z.string()).min(1), de: z.array(z.string()).min(1) });
const all = <const Key extends string, Value extends z.ZodType>(keys: readonly Key[], value: Value) =>
  z.strictObject(Object.fromEntries(keys.map((key) => [key, value])) as Record<Key, Value>);

const MATRIX_STATES = ['complete', 'partial', 'missing', 'orphan'] as const;
const TEXTS = [
  ...(['notice', 'copy_for', 'page', 'contents', 'skip', 'workspace', 'date', 'author', 'tool'] as const),
  ...(['content_hash', 'item', 'variant', 'whole_workspace', 'scope', 'scope_intro', 'document'] as const),
  ...(['documents', 'version', 'type', 'status', 'sha256', 'remarks', 'no_documents'] as const),
  ...(['compared_with', 'edition', 'uploaded_standard', 'method', 'summary', 'findings', 'results'] as const),
  ...([
    'result',
    'score',
    'score_value',
    'score_up_to',
    'score_agreement',
    'score_method',
    'scores',
    'scores_where',
    'score_none',
    'total',
    'area',
    'other',
  ] as const),
  ...(['documents_say', 'not_stated', 'integrity_from'] as const),
  ...(['phase', 'not_due', 'not_due_reason', 'not_due_items'] as const),
  ...(['none', 'severity_by_area', 'coverage_by_area', 'coverage', 'v_model', 'finding'] as const),
  ...([
    'gap_numbers',
    'no_findings',
    'most_severe_only',
    'others_in_brief',
    'changes',
    'changes_new',
    'changes_gone',
    'reference',
    'expected',
    'observed',
    'why',
  ] as const),
  ...([
    'recommendation',
    'remedy',
    'effort',
    'affected',
    'affected_first',
    'searched',
    'severity',
    'severity_because',
  ] as const),
  ...(['severity_was', 'confidence', 'evidence', 'assignee', 'due', 'note', 'identity'] as const),
  ...(['integrity', 'matrix', 'matrix_cut', 'unlisted', 'id', 'text', 'upstream', 'downstream'] as const),
  ...(['assumed_links', 'assumed_links_count'] as const),
  ...(['traced', 'artifacts', 'links', 'metric', 'share', 'counted', 'clause', 'section', 'title'] as const),
  'reason' as const,
  ...(['instances', 'overridden', 'to_decide', 'to_decide_intro', 'to_decide_none', 'question'] as const),
  ...(['not_assessed', 'not_assessed_none', 'subject', 'waivers', 'waivers_none', 'owner'] as const),
  ...([
    'for_persons',
    'for_persons_count',
    'waiting',
    'waiting_count',
    'results_follow',
    'entries',
    'entry_holds',
    'seen_by',
    'entry_not_given',
  ] as const),
  ...(['entry_metadata', 'entry_open_content', 'entry_content', 'entry_rows'] as const),
  ...(['entry_versions', 'entry_reused_ids', 'entry_rationales', 'entry_small'] as const),
  ...(['entry_empty_templates', 'entry_undefined'] as const),
  ...(['until', 'open_end', 'sign_off', 'sign_off_intro', 'role', 'name', 'decision'] as const),
  ...([
    'owner_label',
    'overview',
    'open_findings',
    'told_once',
    'told_once_count',
    'and_more',
    'nothing',
    'nothing_given_below',
  ] as const),
  ...(['differences', 'differences_intro', 'by_rules', 'by_model', 'summary_by_model'] as const),
  ...(['advice', 'advice_intro', 'advice_about', 'advice_says', 'advice_chapter'] as const),
  ...(['goal', 'goals', 'goals_first', 'follows', 'open', 'decide_first'] as const),
  ...([
    'signature',
    'confidentiality',
    'selection',
    'selection_told',
    'new_since',
    'words_removed',
    'not_printable',
  ] as const),
] as const;
export type TextKey = (typeof TEXTS)[number];

const schema = z.strictObject({
  text: all(TEXTS, worded),
  types: all(REPORTED_TYPES, worded),
  method: all(REPORTED_TYPES, paragraphs),
  score_methods: all(REPORTED_TYPES, worded),
  method_facts: all(
    [
      'engine',
      'mode',
      'rules',
      'ai',
      'passages',
      'embedding',
      'lexical_only',
      'conditions',
      'finished',
      'model',
      'model_asked',
      'answered_as',
      'model_counts',
      'rules_alone',
      'yes',
      'no',
    ],
    worded,
  ),
  model_marks: all(MODEL_MARKS, worded),
  // The last two are of the service, which may not get to asking at all.
  rules_alone: all([...RULES_ALONE, 'not_configured', 'probe'], worded),
  opinion_decisions: all(OPINION_DECISIONS, worded),
  advice_says: all(ADVICE_SAYS, worded),
  advice_axes: all(Object.keys(REQUIREMENT_AXES) as RequirementAxis[], worded),
  severities: all(SEVERITIES, worded),
  confidences: all(['high', 'medium', 'low'], worded),
  efforts: all(['minutes', 'hours', 'days'], worded),
  roles: all(['support', 'counter', 'context'], worded),
  statuses: all(['open', 'in_progress', 'resolved', 'accepted'], worded),
  changes: all(['new', 'unchanged', 'updated', 'absent'], worded),
  states: all(RESULT_STATES, toned),
  document_states: all(['draft', 'reviewed', 'released', 'obsolete'], worded),
  traced: all(MATRIX_STATES, toned),
  metrics: all(TRACE_METRICS, worded),
  gap_types: all(GAP_TYPES, worded),
  artifact_types: all(ARTIFACT_TYPES, worded),
  sign_off_roles: z.array(worded).min(1),
});
type Data = z.output<typeof schema>;
type Tables = Omit<Data, 'text' | 'method' | 'sign_off_roles'>;

/** The words of reports in one language. */
export interface ReportWords {
  readonly language: ReportLanguage;
  /** A text with its `{…}` filled in. */
  text(key: TextKey, values?: Readonly<Record<string, string | number>>): string;
  /** The name of a member of a table: `of('severities', 'high')`. */
  of<Table extends keyof Tables>(table: Table, key: keyof Tables[Table]): string;
  /** The same for keys that come from outside; an unknown one is shown as it is. */
  named(table: keyof Tables, key: string): string;
  /** The name of a document type; a type that is not built in has none here and is shown by its id. */
  documentType(id: string): string;
  tone(table: 'states' | 'traced', key: string): Tone;
  /** How a result counts: as what a person said, else to decide where a person has to. */
  toneOf(result: Pick<ReportResult, 'state' | 'override' | 'needsPerson'>): Tone;
  method(type: keyof Data['method']): readonly string[];
  readonly signOffRoles: readonly string[];
  number(value: number): string;
  /** A date with the time, in UTC: reports say the same wherever they are made. */
  time(iso: string): string;
}

/** Reads `words/report.yaml`. Throws `DataError` for a word that is missing or unknown. */
export async function loadReportWords(
  language: ReportLanguage,
  data: DataFolder = BUILT_IN_DATA,
): Promise<ReportWords> {
  const [words, types] = await Promise.all([
    once(data, 'words/report', async () => {
      const file = await readDataFile(data, 'words/report.yaml', schema);
      return file.value;
    }),
    loadDocumentTypes(data),
  ]);
  return wordsIn(words, types, language);
}

function wordsIn(
  words: Data,
  types: ReadonlyMap<string, Pick<DocumentType, 'name'>>,
  language: ReportLanguage,
): ReportWords {
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  return {
    language,
    text: (key, values = {}) =>
      words.text[key][language].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)),
    of: (table, key) => (words[table][key] as z.output<typeof worded>)[language],
    named: (table, key) =>
      Object.hasOwn(words[table], key)
        ? (words[table] as Record<string, z.output<typeof worded>>)[key]![language]
        : key,
    documentType: (id) => types.get(id)?.name[language] ?? id.replaceAll('_', ' '),
    tone: (table, key) =>
      Object.hasOwn(words[table], key) ? (words[table] as Record<string, { tone: Tone }>)[key]!.tone : 'none',
    toneOf: ({ state, override, needsPerson }) =>
      override ? words.states[override.state].tone : needsPerson ? 'person' : words.states[state].tone,
    method: (type) => words.method[type][language],
    signOffRoles: words.sign_off_roles.map((role) => role[language]),
    number: (value) => numbers.format(value),
    time: (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`.replace(/ {2}/g, ' '),
  };
}
