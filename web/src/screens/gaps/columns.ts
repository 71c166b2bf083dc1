import type { Sort } from './filters.ts';

/** What a row of the list can show beside title and severity, by the names of the API, and how wide it is at most. */
const WIDTHS = {
  clause: 176,
  first_place: 164,
  status: 92,
  assignee: 90,
  due_date: 96,
  change: 96,
  severity_original: 110,
  confidence: 130,
  asil: 70,
  analysis_type: 120,
  type: 130,
  evidence_count: 90,
  comment_count: 110,
  created_at: 100,
  updated_at: 100,
} as const;
export type Column = keyof typeof WIDTHS;
export const COLUMNS = Object.keys(WIDTHS) as readonly Column[];
/** Those that the list begins with. */
export const USUAL: readonly Column[] = ['clause', 'first_place', 'status', 'assignee'];

const isColumn = (name: string): name is Column => name in WIDTHS;

/** Those that an address names, in its order; unknown ones are left out. */
export function columnsOf(search: URLSearchParams): readonly Column[] {
  const named = [...new Set((search.get('columns') ?? '').split(','))].filter(isColumn);
  return named.length > 0 ? named : USUAL;
}

/** As an address says it; empty for the usual ones. */
export const columnsInAddress = (columns: readonly Column[]): string =>
  columns.join() === USUAL.join() ? '' : columns.join(',');

/** Tracks of a grid for these columns, which leave the title its part. */
export const tracksOf = (columns: readonly Column[]): string =>
  columns.map((name) => `minmax(0, ${WIDTHS[name]}px)`).join(' ');

/** One place earlier (-1) or later (1). */
export function moved(columns: readonly Column[], name: Column, step: -1 | 1): readonly Column[] {
  const from = columns.indexOf(name);
  const to = from + step;
  if (from < 0 || to < 0 || to >= columns.length) return columns;
  return columns.with(from, columns[to]!).with(to, name);
}

/** What rows can be grouped by, and the order that puts those of one group beside each other. */
export const GROUPS = {
  severity: '-severity',
  clause: 'clause',
  assignee: 'assignee',
  work_product_id: 'work_product_id',
} as const satisfies Readonly<Record<string, Sort>>;
export type Group = keyof typeof GROUPS;

export const groupOf = (search: URLSearchParams): Group | undefined => {
  const name = search.get('group') ?? '';
  return name in GROUPS ? (name as Group) : undefined;
};
