import { type Block, type Document, inLanguage } from '@normtrace/engine';
import { ApiError, invalid } from '../../platform/http/api-error.js';
import type { Language } from '../../platform/http/language.js';
import { blockAt } from '../documents/block-at.js';
import { toLocation } from '../gaps/gaps.service.js';
import type { TitleOf } from './answer-titles.js';
import type * as repository from './document-view.repository.js';
import type { DocumentMarks, DocumentOutline, DocumentView, MARKED } from './document-view.schemas.js';

/** Letters of an answer, except where one block alone has more. */
const MOST_LETTERS = 1_000_000;
const MOST_HEADINGS = 5_000;
const MOST_MARKS = 5_000;
const TITLE_LETTERS = 200;

type Mark = DocumentMarks['marks'][number];

/** The key of the parsed document. Throws 409 for a version that was not read. */
export function parsedKeyOf({ parsed_key, version }: repository.ReadVersionRow): string {
  if (parsed_key !== null) return parsed_key;
  throw new ApiError('CONFLICT', `Version ${version} has not been read.`, { reason: 'not_read' });
}

/** Blocks from one on, or around a position, as many as fit. Throws 422 for both at once. */
export function toDocumentView(
  { work_product_id, version, sha256 }: repository.ReadVersionRow,
  document: Document,
  {
    from_block,
    around,
    blocks: most,
    language,
  }: {
    readonly from_block?: number | undefined;
    readonly around?: number | undefined;
    readonly blocks: number;
    readonly language: Language;
  },
): DocumentView {
  if (from_block !== undefined && around !== undefined) {
    throw invalid('query.around', 'Name either from_block or around.', 'ambiguous');
  }
  const { blocks } = document;
  const middle = around === undefined ? undefined : blockAt(blocks, around);
  const first = middle === undefined ? (from_block ?? 0) : Math.max(0, middle - Math.floor(most / 2));
  let letters = 0;
  const shown: Block[] = [];
  for (const block of blocks.slice(first, first + most)) {
    letters += block.text.length;
    // A position is always shown, whatever stands before it.
    if (shown.length > 0 && letters > MOST_LETTERS && (middle === undefined || block.index > middle)) break;
    shown.push(block);
  }
  const next = first + shown.length;
  return {
    work_product_id,
    version,
    sha256,
    format: document.format,
    language: document.language,
    page_count: document.pageCount ?? null,
    block_count: blocks.length,
    text_length: document.text.length,
    notes: inLanguage(document.notes, language).map(({ code, message, location }) => ({
      code,
      message,
      ...(location ? { location: toLocation(location) } : {}),
    })),
    blocks: shown.map(toBlock),
    next_block: next < blocks.length ? next : null,
  };
}

const toBlock = ({ location, cells, record, hidden, ...block }: Block): DocumentView['blocks'][number] => ({
  ...block,
  location: toLocation(location),
  ...(cells ? { cells: cells.map((cell) => ({ ...cell, location: toLocation(cell.location) })) } : {}),
  ...(record
    ? { record: { id: record.id, ...(record.type === undefined ? {} : { type: record.type }) } }
    : {}),
  ...(hidden ? { hidden: hidden.map(({ start, end }) => ({ start, end })) } : {}),
});

/** Headings; where a sheet begins, its name one level above them. */
export function toOutline({ blocks }: Pick<Document, 'blocks'>): DocumentOutline {
  const headings: DocumentOutline['headings'] = [];
  let sheet: string | undefined;
  const isWorkbook = blocks.some(({ location }) => location.sheet !== undefined);
  for (const { index, kind, level = 1, text, start, location } of blocks) {
    const place = {
      block: index,
      start,
      ...(location.page === undefined ? {} : { page: location.page }),
      ...(location.sheet === undefined ? {} : { sheet: location.sheet }),
    };
    const isNewSheet = location.sheet !== undefined && location.sheet !== sheet;
    if (isNewSheet) {
      sheet = location.sheet;
      headings.push({ ...place, level: 1, title: location.sheet! });
    }
    if (kind !== 'heading' || (isNewSheet && text === sheet)) continue;
    headings.push({ ...place, level: isWorkbook ? level + 1 : level, title: text });
  }
  return { headings: headings.slice(0, MOST_HEADINGS), total: headings.length };
}

export interface MarkRows {
  readonly gaps: readonly repository.GapMarkRow[];
  readonly unplaced: readonly repository.UnplacedGapRow[];
  readonly answers: readonly repository.AnswerMarkRow[];
  readonly trace: readonly repository.TraceMarkRow[];
  /** Where gaps and answers are those of an older version. */
  readonly carried?: { readonly from: number; readonly lost: number };
}

interface MarkFilters {
  readonly about?: readonly (typeof MARKED)[number][] | undefined;
  readonly status?: readonly Mark['status'][] | undefined;
  readonly language: Language;
}

/** All marks of a version in the order of the document. */
export function toMarks(
  { work_product_id, version, newest_marked_version }: repository.ReadVersionRow,
  { carried, ...rows }: MarkRows,
  { about, status, language }: MarkFilters,
  titleOf: TitleOf,
): DocumentMarks {
  const hasStatus = (one: { readonly status: Mark['status'] }) => !status || status.includes(one.status);
  const isWanted = (one: Mark['about']) => !about || about.includes(one);
  const marks = [
    ...rows.gaps.filter(hasStatus).map((row) => gapMark(row, language)),
    ...rows.answers.map((row) => answerMark(row, titleOf(row))),
    ...rows.trace.map(traceMark),
  ]
    .filter((mark) => isWanted(mark.about))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const by_about: Partial<Record<Mark['about'], number>> = {};
  for (const { about } of marks) by_about[about] = (by_about[about] ?? 0) + 1;
  return {
    work_product_id,
    version,
    newest_marked_version,
    carried_from: carried?.from ?? null,
    lost: carried?.lost ?? 0,
    total: marks.length,
    by_about,
    marks: marks.slice(0, MOST_MARKS),
    without_place: rows.unplaced
      .filter((row) => hasStatus(row) && isWanted(aboutOf(row)))
      .map((row) => unplaced(row, language)),
  };
}

const gapReference = ({ id, clause, criterion_id }: repository.UnplacedGapRow | repository.GapMarkRow) => ({
  id,
  label: clause || criterion_id,
});

/** Of gaps open points are told apart from everything else that is wrong. */
const aboutOf = ({ kind }: repository.UnplacedGapRow | repository.GapMarkRow): 'gap' | 'placeholder' =>
  kind === 'placeholder' ? 'placeholder' : 'gap';

const gapMark = (row: repository.GapMarkRow, language: Language): Mark => ({
  about: aboutOf(row),
  ...placeOf(row),
  role: row.role,
  ref: gapReference(row),
  severity: row.severity,
  status: row.status,
  change: row.change,
  verdict: null,
  title: shortened(inLanguage(row.words, language).title),
});

const unplaced = (
  row: repository.UnplacedGapRow,
  language: Language,
): DocumentMarks['without_place'][number] => ({
  ref: gapReference(row),
  severity: row.severity,
  status: row.status,
  title: shortened(inLanguage(row.words, language).title),
  searched: row.search && { passages: row.search.passages, terms: [...row.search.terms] },
});

const ANSWERED = { gap_analysis: 'criterion', completeness: 'section', checklist: 'item' } as const;

const answerMark = (row: repository.AnswerMarkRow, title: string | null): Mark => ({
  about: ANSWERED[row.analysis_type],
  ...placeOf(row),
  role: row.role,
  ref: {
    id: row.criterion_id,
    label: row.clause ?? row.criterion_id,
  },
  ...NO_GAP,
  verdict: row.verdict,
  title: title === null ? null : shortened(title),
});

const traceMark = (row: repository.TraceMarkRow): Mark => ({
  about: row.kind,
  ...placeOf(row),
  role: row.kind === 'artifact' ? 'defines' : 'states',
  ref: { id: row.id, label: row.label },
  ...NO_GAP,
  verdict: row.type,
  title: row.title === null ? null : shortened(row.title),
});

const NO_GAP = { severity: null, status: null, change: null } as const;

const placeOf = ({
  start,
  end,
  location,
}: repository.GapMarkRow | repository.AnswerMarkRow | repository.TraceMarkRow) => ({
  start,
  end,
  location: toLocation(location),
});

const shortened = (text: string): string =>
  text.length <= TITLE_LETTERS ? text : `${text.slice(0, TITLE_LETTERS - 1).trimEnd()}…`;
