import {
  inLanguage,
  render,
  say,
  type TraceabilityAnalysis,
  type TraceabilityExamination,
  type TraceGap,
} from '@normtrace/engine';
import type { Language } from '../../platform/http/language.js';
import type { TaskContext, TaskResult } from '../../platform/processes/serve-tasks.js';
import { toLocation } from '../gaps/gaps.service.js';
import { examine, type TraceOptions } from './examine-trace-task.js';
import { type PackedRows, packRows } from './packed-rows.js';
import { readTrace, type TraceColumns } from './read-trace.js';
import { askPlaces, type PlaceRow } from './trace-places.js';
import { AnalysedGap, ListedGap } from './trace-views.schemas.js';

export interface ListGapsInput {
  readonly workspaceId: string;
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
  /** `gaps`: as `ListedGap`, with requirements that no test reaches after the others. `analysis`: as `AnalysedGap`. */
  readonly as: 'gaps' | 'analysis';
  readonly language: Language;
}

export interface ListedGaps {
  /** Without its gaps. */
  readonly analysis: TraceabilityAnalysis;
  /** All gaps as the API shows them, most severe first. */
  readonly rows: PackedRows;
}

/** Examines a trace and writes all its gaps with their places, which it asks for. */
export async function listGaps(
  { workspaceId, columns, options, as, language }: ListGapsInput,
  context: TaskContext,
): Promise<TaskResult<ListedGaps>> {
  const trace = readTrace(columns);
  const examination = await examine(trace, { ...options, listedPerType: ALL_GAPS });
  const { gaps } = examination.analysis;
  const places = await askPlaces(gaps, { workspaceId, links: trace.links }, context);
  return { result: writeGaps(examination, { places, as, language }) };
}

/** No gap is left out of the list. */
export const ALL_GAPS = Number.MAX_SAFE_INTEGER;

/**
 * Writes all gaps of an examination.
 * @param places In the order of its gaps.
 */
export function writeGaps(
  { analysis, withoutTest }: TraceabilityExamination,
  {
    places,
    as,
    language,
  }: Pick<ListGapsInput, 'as' | 'language'> & { readonly places: readonly (PlaceRow | null)[] },
): ListedGaps {
  function* rows(): IterableIterator<unknown> {
    for (const [at, found] of analysis.gaps.entries()) {
      const gap = inLanguage(found, language);
      const rest = { gap_type: gap.gapType, ...toGap(gap, places[at] ?? null) };
      yield as === 'gaps'
        ? ListedGap.parse({ requirement_id: gap.artifactId, ...rest })
        : AnalysedGap.parse({ artifact_id: gap.artifactId, ...rest });
    }
    if (as === 'gaps') for (const id of withoutTest()) yield ListedGap.parse(untested(id, language));
  }
  return { analysis: { ...analysis, gaps: [] }, rows: packRows(rows()) };
}

const toGap = (gap: TraceGap, place: PlaceRow | null) => ({
  severity: gap.severity,
  description: gap.description,
  kind: gap.kind,
  integrity: gap.integrity ?? null,
  severity_if_released: gap.severityIfReleased ?? null,
  related: [...gap.related],
  missing: gap.missing ?? null,
  suggested_action: gap.suggestedAction,
  place: place && {
    work_product_id: place.work_product_id,
    version: place.version,
    location: toLocation(place.location),
    quote: place.quote,
    range: { start: place.start, end: place.end },
  },
});

/** The specification has these in the list of gaps only. */
const untested = (id: string, language: Language) => ({
  requirement_id: id,
  gap_type: 'missing_downstream',
  severity: 'high',
  description: render(say('trace.no-test.description', { id }), language),
  kind: 'no_test',
  integrity: null,
  severity_if_released: null,
  related: [],
  missing: null,
  suggested_action: render(say('trace.no-test.action', { id }), language),
  place: null,
});
