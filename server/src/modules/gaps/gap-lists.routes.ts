import { Readable } from 'node:stream';
import { inLanguage } from '@normtrace/engine';
import type { z } from 'zod';
import { notFound } from '../../platform/http/api-error.js';
import { type Page, readPage } from '../../platform/http/pagination.js';
import { type ReadContext, type Route, readRoute } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { namesIn } from '../names/names.js';
import { gapExample, gapId, standardId, workProductId, workspaceId } from '../runs/examples.js';
import { FILE_HEAD, type FiledGap, fileLine } from './gap-file.js';
import * as lists from './gap-lists.repository.js';
import {
  FACETS,
  FacetQuery,
  GapFacets,
  GapFileQuery,
  type GapSummary,
  GapSummaryList,
  SummaryQuery,
} from './gap-lists.schemas.js';
import { toLocation } from './gaps.service.js';

const common = {
  method: 'GET',
  tag: 'Analysis',
  permission: 'analyses.read',
  resource: 'workspace',
} as const;

const getFacets = readRoute({
  ...common,
  operation: 'getGapFacets',
  path: '/analysis/gaps/facets',
  summary: 'Count gaps by the values of filters',
  description:
    'How many gaps the list would have with each value of a filter instead of the chosen ones, under all other filters, as ' +
    'the list takes them.',
  within: ({ query }) => query.workspace_id,
  query: FacetQuery,
  answer: GapFacets,
  examples: {
    query: { workspace_id: workspaceId, status: 'open', facets: 'severity,assignee' },
    answer: {
      total: 12,
      facets: {
        severity: {
          values: [
            { value: 'high', label: null, count: 9 },
            { value: 'critical', label: null, count: 3 },
          ],
          more: 0,
        },
      },
    },
  },
  handle: async ({ query, read, caller, now }) => {
    const { facets = FACETS, ...filters } = query;
    const reader = { userId: caller.userId, now };
    await requireWorkspace(query.workspace_id, read);
    const [row] = await read<lists.FacetsRow>(lists.selectFacets(filters, [...new Set(facets)], reader));
    return row;
  },
});

const listSummaries = readRoute({
  ...common,
  operation: 'listGapSummaries',
  path: '/analysis/gaps/summaries',
  summary: 'List gaps in short',
  description:
    'As the list of gaps, with what a row of a table shows: up to 500 on a page, and names beside the ids. `GET ' +
    '/analysis/gaps/{gap_id}` has the rest. With `offset` it begins anywhere.',
  worded: true,
  within: ({ query }) => query.workspace_id,
  query: SummaryQuery,
  answer: GapSummaryList,
  examples: {
    query: { workspace_id: workspaceId, severity: 'critical,high', sort: '-severity', limit: 200 },
    answer: {
      items: [
        {
          ...shortExample(),
          evidence_count: 1,
          comment_count: 0,
          first_place: {
            work_product_id: workProductId,
            version: 2,
            location: { page: 12 },
            range: { start: 18_204, end: 18_254 },
          },
        },
      ],
      total: 1,
      page: 1,
      limit: 200,
      next_cursor: null,
      refs: {
        people: {},
        work_products: { [workProductId]: { name: 'Functional safety concept' } },
        standards: { [standardId]: { name: 'ISO 26262-3:2018' } },
      },
    },
  },
  handle: async (context) => {
    const { query, read } = context;
    await requireWorkspace(query.workspace_id, read);
    const page = await readSummaries(context, query, ({ gap }) => gap);
    return { ...page, refs: await namesIn(context, page.items) };
  },
});

type Reading = Pick<ReadContext, 'read' | 'cursors' | 'caller' | 'operation' | 'now' | 'language'>;

const readSummaries = <Item>(
  context: Reading,
  query: z.output<typeof SummaryQuery>,
  toItem: (of: FiledGap) => Item,
) => {
  const { caller, now, language } = context;
  const reader = { userId: caller.userId, now };
  return readPage(context, {
    query,
    matching: lists.selectGapKeys(query, reader),
    details: lists.selectGapSummary(query.workspace_id, reader),
    whole: query.search !== undefined,
    toItem: (row: lists.GapSummaryRow): Item => {
      const { words, first_place: place } = row;
      const gap: GapSummary = {
        ...row,
        title: inLanguage(words, language).title,
        first_place: place && { ...place, location: toLocation(place.location) },
        created_at: timestamp(row.created_at),
        updated_at: timestamp(row.updated_at),
      };
      return toItem({ gap, place });
    },
    sorts: lists.SUMMARY_SORTS,
  });
};

/** Lines of a file that are read at once. */
const LINES_AT_ONCE = 2000;

const exportGaps = readRoute({
  ...common,
  operation: 'exportGaps',
  path: '/analysis/gaps/export',
  summary: 'Export a list of gaps',
  description:
    'The whole list as CSV (UTF-8, safe in a spreadsheet), under the filters and in the order of the list, with names of ' +
    'people, documents and standards. It is the list, not a report: it has no hash, and says nothing of what the filters ' +
    'leave out.',
  worded: true,
  permission: 'reports.export',
  enforces: ['marked_copy'],
  within: ({ query }) => query.workspace_id,
  query: GapFileQuery,
  produces: { 'text/csv': 'text' },
  examples: { query: { workspace_id: workspaceId, severity: 'critical,high', sort: '-severity' } },
  handle: async (context) => {
    await requireWorkspace(context.query.workspace_id, context.read);
    const pages = filePages(context, context.query);
    // The first one before the answer begins: what is wrong is still an error then.
    const { value: first = '' } = await pages.next();
    const whole = async function* () {
      yield FILE_HEAD + first;
      yield* pages;
    };
    return context.reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="gaps.csv"')
      .send(Readable.from(whole()));
  },
});

async function* filePages(
  context: Reading,
  query: z.output<typeof GapFileQuery>,
): AsyncGenerator<string, undefined> {
  let cursor: string | null = '';
  while (cursor !== null) {
    const asked: z.output<typeof SummaryQuery> = {
      ...query,
      cursor,
      limit: LINES_AT_ONCE,
      offset: undefined,
    };
    const page: Page<FiledGap> = await readSummaries(context, asked, (one) => one);
    const refs = await namesIn(context, page.items);
    yield page.items.map((one) => fileLine(one, refs)).join('');
    cursor = page.next_cursor;
  }
}

async function requireWorkspace(id: string, read: ReadContext['read']): Promise<void> {
  if ((await read(lists.selectWorkspace(id))).length === 0) throw notFound('workspace');
}

function shortExample() {
  const {
    analysis_type,
    standard_id,
    work_product_id,
    criterion_id,
    clause,
    type,
    title,
    status,
    change,
    severity,
    severity_original,
    confidence,
    asil,
    assignee,
    due_date,
    overdue,
    acceptance_pending,
    created_at,
    updated_at,
  } = gapExample;
  return {
    id: gapId,
    analysis_type,
    standard_id,
    work_product_id,
    criterion_id,
    clause,
    type,
    title,
    status,
    change,
    severity,
    severity_original,
    confidence,
    asil,
    assignee,
    due_date,
    overdue,
    acceptance_pending,
    created_at,
    updated_at,
  };
}

export const gapListRoutes: readonly Route[] = [getFacets, listSummaries, exportGaps];
