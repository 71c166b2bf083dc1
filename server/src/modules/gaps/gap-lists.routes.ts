import { inLanguage } from '@normtrace/engine';
import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type ReadContext, type Route, readRoute } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { namesIn } from '../names/names.js';
import { gapExample, gapId, standardId, workProductId, workspaceId } from '../runs/examples.js';
import * as lists from './gap-lists.repository.js';
import {
  FACETS,
  FacetQuery,
  GapFacets,
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
    const { query, caller, now, language, read } = context;
    const reader = { userId: caller.userId, now };
    await requireWorkspace(query.workspace_id, read);
    const page = await readPage(context, {
      query,
      matching: lists.selectGapKeys(query, reader),
      details: lists.selectGapSummary(query.workspace_id, reader),
      whole: query.search !== undefined,
      toItem: (row: lists.GapSummaryRow): GapSummary => {
        const { words, first_place } = row;
        return {
          ...row,
          title: inLanguage(words, language).title,
          first_place: first_place && { ...first_place, location: toLocation(first_place.location) },
          created_at: timestamp(row.created_at),
          updated_at: timestamp(row.updated_at),
        };
      },
      sorts: lists.SUMMARY_SORTS,
    });
    return { ...page, refs: await namesIn(context, page.items) };
  },
});

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

export const gapListRoutes: readonly Route[] = [getFacets, listSummaries];
