import {
  type Entry,
  firstPageOf,
  loadReportWords,
  makeReport,
  nameOf,
  printSource,
  type ReportFinding,
  type ReportLanguage,
  type ReportWords,
} from '@normtrace/engine';
import type { EngineTask } from '../engine/engine-task.js';
import { toLocation } from '../gaps/gaps.service.js';
import type { FirstPage } from './first-page.schemas.js';
import { documentsOf, partsOf } from './report-parts.js';
import type { PartRows, ReportedGap } from './report-rows.js';

export interface FirstPageInput {
  readonly language: ReportLanguage;
  readonly parts: readonly PartRows[];
  /** Entries that are listed. */
  readonly most: number;
}

type Evidence = FirstPage['entries'][number]['evidence'];

/** Ids and details of one entry that are listed. */
const MOST_LISTED = 100;

/** What is decided once over several analyses: in a process of its own, as reports are. */
export const firstPageTask: EngineTask<FirstPageInput, FirstPage> = {
  name: 'firstPage',
  processorSeconds: 300,
  work: async ({ language, parts: rows, most }) => {
    const parts = await partsOf(rows, language);
    const documents = documentsOf(rows, language);
    const report = makeReport({ title: '', language, createdAt: '', scope: {}, documents, parts });
    const words = await loadReportWords(language);
    const page = firstPageOf(report, words);
    const gapIds = idsOfGaps(rows);
    const listed = page.open.slice(0, most);
    const numbers = new Map(listed.map((entry, at) => [entry, at]));
    const numbersOf = (entries: readonly Entry[]) => entries.flatMap((entry) => numbers.get(entry) ?? []);
    return {
      result: {
        analyses: parts.map((part) => ({ id: part.id, type: part.type, name: nameOf(part, words) })),
        by_severity: {
          critical: countOf(page.open, 'critical'),
          high: countOf(page.open, 'high'),
          medium: countOf(page.open, 'medium'),
          low: countOf(page.open, 'low'),
        },
        total: page.open.length,
        entries: listed.map((entry) => {
          const ids = entry.members.flatMap(({ finding, part }) => gapIds.get(keyOf(part.id, finding)) ?? []);
          const lead = entry.members.find(({ finding }) => finding === entry.finding);
          const leadId = lead && gapIds.get(keyOf(lead.part.id, lead.finding));
          return {
            title: entry.title,
            severity: entry.severity,
            details: entry.details.slice(0, MOST_LISTED),
            details_total: entry.details.length,
            observed: entry.finding.observed,
            recommendation: entry.finding.recommendation,
            evidence: shownEvidence(entry.finding, words),
            analysis_ids: entry.parts.map(({ id }) => id),
            gap_id: leadId ?? ids[0] ?? null,
            gap_ids: ids.slice(0, MOST_LISTED),
            gaps_total: ids.length,
          };
        }),
        first: numbersOf(page.first),
        goals: page.goals.map(({ goal, open }) => ({
          id: goal.id,
          text: goal.text,
          integrity: goal.integrity ?? null,
          integrity_from: goal.integrityFrom ?? null,
          followed_by: goal.downstream.slice(0, MOST_LISTED).map(({ artifactId }) => artifactId),
          followed_by_total: goal.downstream.length,
          open: numbersOf(open),
          open_total: open.length,
        })),
        for_persons: page.forPersons.length,
        waiting: page.waiting.length,
      },
    };
  },
};

const countOf = (entries: readonly Entry[], severity: Entry['severity']): number =>
  entries.filter((entry) => entry.severity === severity).length;

const keyOf = (analysisId: string, { fingerprint }: Pick<ReportFinding, 'fingerprint'>): string =>
  `${analysisId} ${fingerprint}`;

function idsOfGaps(rows: readonly PartRows[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(({ analysis, gaps }) =>
      gaps
        .flatMap((page) => JSON.parse(page) as ReportedGap[])
        .map(({ id, finding }): [string, string] => [keyOf(analysis.id, finding), id]),
    ),
  );
}

/** The first quote that shows it; where nothing was found, what is near shows nothing. */
function shownEvidence({ evidence, search }: ReportFinding, words: ReportWords): Evidence {
  const one = evidence.find(
    ({ quote, role }) => quote !== '' && (role !== 'context' || search === undefined),
  );
  if (!one) return null;
  const { documentId: work_product_id, quote } = one;
  return { work_product_id, source: printSource(one, words), location: toLocation(one.location), quote };
}
