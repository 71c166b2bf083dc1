import { z } from 'zod';
import { GapSummary, SummaryQuery } from '../gaps/gap-lists.schemas.js';
import { Report, ReportQuery } from '../reports/reports.schemas.js';
import { Analysis, AnalysisQuery } from '../runs/analyses.schemas.js';
import { Artifact, ArtifactQuery } from '../traceability/artifacts.schemas.js';
import { LinkQuery, TraceLink } from '../traceability/links.schemas.js';
import { GridQuery } from '../traceability/trace-map.schemas.js';
import { MatrixQuery } from '../traceability/trace-views.schemas.js';
import { WorkProduct, WorkProductQuery } from '../work-products/work-products.schemas.js';

export const SCREENS = ['gaps', 'documents', 'trace', 'runs', 'reports'] as const;
type Screen = (typeof SCREENS)[number];

interface Lists {
  /** Queries of the lists that the screen shows: their filters and orders are what a view can have. */
  readonly queries: readonly z.ZodObject[];
  /** Items of these lists: their fields are the columns. */
  readonly items: readonly z.ZodObject[];
}

/** What the list of gaps shows in groups; of the address alone, the order follows from it. */
const GAP_GROUPS = z.object({ group: z.enum(['severity', 'clause', 'assignee', 'work_product_id']) });

const LISTS: Readonly<Record<Screen, Lists>> = {
  gaps: { queries: [SummaryQuery, GAP_GROUPS], items: [GapSummary] },
  documents: { queries: [WorkProductQuery], items: [WorkProduct] },
  trace: { queries: [MatrixQuery, ArtifactQuery, LinkQuery, GridQuery], items: [Artifact, TraceLink] },
  runs: { queries: [AnalysisQuery], items: [Analysis] },
  reports: { queries: [ReportQuery], items: [Report] },
};
/** What the addresses of screens call otherwise than the API. */
const ADDRESS_NAMES: Readonly<Record<string, string>> = { q: 'search', document: 'work_product_id' };
/** Of a page, not of a list: no view holds them. */
const OF_PAGES = new Set(['workspace_id', 'cursor', 'limit', 'offset', 'refs', 'updated_since']);

interface Kept {
  readonly query: string;
  readonly columns: string[] | null;
  readonly sort: string | null;
}
interface Dropped {
  readonly part: 'query' | 'columns' | 'sort';
  readonly value: string;
}

/** What this version knows of a view, and what it does not: filters, their values, columns and orders. */
export function knownPart(screen: Screen, view: Kept): Kept & { readonly dropped: Dropped[] } {
  const dropped: Dropped[] = [];
  const { queries, items } = LISTS[screen];
  const takes = (name: string, value: string): boolean => {
    const field = ADDRESS_NAMES[name] ?? name;
    return queries.some((query) => !OF_PAGES.has(field) && query.shape[field]?.safeParse(value).success);
  };
  /** Of several values those that the list takes together, in their order, and the others. */
  const knownValues = (name: string, written: string): readonly [known: string[], unknown: string[]] => {
    const known: string[] = [];
    const unknown: string[] = [];
    for (const value of written === '' ? [] : written.split(',')) {
      (takes(name, [...known, value].join(',')) ? known : unknown).push(value);
    }
    return [known, unknown];
  };
  const parts = view.query.split('&').flatMap((written) => {
    if (written === '') return [];
    const [pair] = new URLSearchParams(written);
    if (!pair) return [];
    const [name, value] = pair;
    if (takes(name, value)) return [written];
    const [known, unknown] = knownValues(name, value);
    dropped.push({ part: 'query', value: `${name}=${unknown.join(',')}` });
    return known.length === 0 ? [] : [`${name}=${known.join(',')}`];
  });
  const isColumn = (name: string): boolean => items.some(({ shape }) => name in shape);
  const columns = view.columns?.filter(isColumn) ?? [];
  for (const name of view.columns ?? []) {
    if (!isColumn(name)) dropped.push({ part: 'columns', value: name });
  }
  const [orders, unknownOrders] = knownValues('sort', view.sort ?? '');
  for (const value of unknownOrders) dropped.push({ part: 'sort', value });
  return {
    query: parts.join('&'),
    columns: columns.length === 0 ? null : columns,
    sort: orders.join(',') || null,
    dropped,
  };
}
