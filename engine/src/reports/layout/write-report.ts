import type { Report, ReportChapter, ReportPart } from '../report.js';
import type { ReportWords } from '../report-words.js';
import type { Block } from './block.js';
import { writeCauses } from './causes.js';
import { writeFindings, writeWaivers } from './findings.js';
import { writeCover, writeDocuments, writeSignOff } from './frame.js';
import { writeMethod } from './method.js';
import { writeOverview } from './overview.js';
import { writeAdvice, writeDifferences, writeQuestions, writeResults } from './results.js';
import { writeSummary } from './summary.js';
import { writeMatrix } from './trace.js';

/**
 * The report as a reader goes through it. Blocks are made one by one, so that a large report is never whole in memory.
 * `detailed`: findings of a part that are told in full, the most severe ones; all where absent.
 */
export function* writeReport(
  report: Report,
  words: ReportWords,
  detailed = Number.POSITIVE_INFINITY,
): Generator<Block> {
  yield* writeCover(report, words);
  yield* writeOverview(report, words);
  yield { kind: 'contents', title: words.text('contents') };
  const has = (chapter: ReportChapter): boolean => report.chapters?.includes(chapter) ?? true;
  if (has('causes')) yield* writeCauses(report, words);
  for (const part of report.parts) {
    const title = partTitle(report, part, words);
    if (has('summaries')) yield* writeSummary(part, title, words);
  }
  yield* writeDocuments(report, words);
  yield* writeMethod(report, words);
  const documents = new Map(report.documents.map(({ id, name }) => [id, name]));
  for (const part of report.parts) {
    const title = partTitle(report, part, words);
    if (has('findings')) yield* writeFindings(part, title, { words, detailed, documents });
    if (has('matrix')) yield* writeMatrix(part, title, words);
    if (has('results')) yield* writeResults(part, title, words);
    if (has('differences')) yield* writeDifferences(part, title, words);
    if (has('advice')) yield* writeAdvice(part, title, words);
  }
  if (has('questions')) yield* writeQuestions(report, words);
  if (has('waivers')) yield* writeWaivers(report, words);
  if (has('sign_off')) yield* writeSignOff(words);
}

/** A heading that the contents list. */
export interface ContentsEntry {
  readonly id: string;
  readonly text: string;
  readonly level: 1 | 2;
}

/**
 * What the contents list, from a pass of its own: nothing else of the report has to be kept for it. The page before the contents
 * is not in them; sections are only where they fit on one page with the chapters.
 */
export function headingsOf(report: Report, words: ReportWords): ContentsEntry[] {
  const entries: ContentsEntry[] = [];
  for (const block of writeReport(report, words)) {
    if (block.kind === 'contents') entries.length = 0;
    if (block.kind !== 'heading' || block.level === 3) continue;
    entries.push({ id: block.id, text: block.text, level: block.level });
  }
  const chapters = entries.filter(({ level }) => level === 1);
  const lines = chapters.length * LINES_OF_CHAPTER + entries.length - chapters.length;
  return lines > LINES_OF_PAGE ? chapters : entries;
}

/** What a page holds, in lines of a section; a chapter has space around it. */
const LINES_OF_PAGE = 54;
const LINES_OF_CHAPTER = 1.6;

/** Names a part after its kind; with several parts also after its subject. */
function partTitle(report: Report, part: ReportPart, words: ReportWords): (chapter: string) => string {
  if (report.parts.length === 1) return (chapter) => chapter;
  const kind = words.of('types', part.type);
  const subject = part.subject === '' ? kind : `${kind}, ${part.subject}`;
  return (chapter) => `${chapter}: ${subject}`;
}
