import { isDeepStrictEqual } from 'node:util';
import { inLanguage } from '@normtrace/engine';
import { sql } from '../../platform/database/sql.js';
import { invalid, notFound } from '../../platform/http/api-error.js';
import type { Language } from '../../platform/http/language.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute } from '../../platform/http/route.js';
import { type StoredFinding, severityKey } from '../gaps/gaps.repository.js';
import { toSearch, toSnakeCase } from '../gaps/gaps.service.js';
import { type AnalysisRow, selectAnalysis, workspaceOfAnalysis } from './analyses.repository.js';
import { toAnalysis } from './analyses.service.js';
import { type ComparedRow, countCompared, selectCompared, selectSeries } from './compare-runs.repository.js';
import { type ComparedGap, CompareQuery, Comparison, NO_DIFFERENCES } from './compare-runs.schemas.js';
import { analysisExample, analysisId, gapExample, gapId } from './examples.js';

const earlierId = '2b7d1f3a-8c4e-4d5f-9a6b-1c2d3e4f5a6b';

const compare = readRoute({
  operation: 'compareAnalyses',
  method: 'GET',
  path: '/analysis/compare',
  tag: 'Analysis',
  summary: 'Compare two runs',
  description:
    'What `head` found otherwise than `base`: any two runs of the same series (the same standard, checklist or type) that ' +
    'have a result, also when others lie between them.',
  worded: true,
  permission: 'analyses.read',
  within: ({ query }) => workspaceOfAnalysis(query.head),
  resource: 'analysis',
  query: CompareQuery,
  answer: Comparison,
  errors: ['NOT_FOUND'],
  examples: {
    query: { base: earlierId, head: analysisId, change: 'updated' },
    answer: {
      items: [
        {
          gap_id: gapId,
          change: 'updated',
          criterion_id: gapExample.criterion_id,
          clause: gapExample.clause,
          work_product_id: null,
          status: 'open',
          severity: 'high',
          base: seenExample('medium'),
          head: seenExample('high'),
          differences: [{ field: 'severity', before: 'medium', after: 'high' }],
        },
      ],
      total: 1,
      page: 1,
      limit: 20,
      next_cursor: null,
      base: { ...analysisExample, id: earlierId },
      head: analysisExample,
      counts: { ...NO_DIFFERENCES, new: 3, unchanged: 28, updated: 1, absent: 5 },
    },
  },
  handle: async (context) => {
    const { query, read, caller, now, language } = context;
    const [base, head] = await Promise.all(
      [query.base, query.head].map(async (id) => (await read<AnalysisRow>(selectAnalysis(id)))[0]),
    );
    if (!base || !head) throw notFound('analysis');
    const series = await read<{ workspace_id: string; series: string }>(selectSeries([base.id, head.id]));
    if (new Set(series.map((one) => `${one.workspace_id} ${one.series}`)).size > 1) {
      const message = 'Only runs of the same standard, checklist or type in one workspace can be compared.';
      throw invalid('query.head', message, 'other_series');
    }
    for (const [name, run] of [['base', base] as const, ['head', head] as const]) {
      if (run.status !== 'completed') throw invalid(`query.${name}`, 'This run has no result.', 'no_result');
    }
    const compared = selectCompared(query, { userId: caller.userId, now });
    const [page, counts] = await Promise.all([
      readPage(context, {
        query,
        matching: query.change
          ? sql`select * from (${compared}) as compared where change = ${query.change}`
          : compared,
        toItem: (row: ComparedRow) => toCompared(row, language),
        sorts: {
          severity: severityKey(sql`severity`),
          criterion_id: { by: sql`coalesce(criterion_id, '')`, type: sql`text` },
        },
      }),
      read<{ change: ComparedGap['change']; count: number }>(countCompared(compared)),
    ]);
    return {
      ...page,
      base: toAnalysis(base, language),
      head: toAnalysis(head, language),
      counts: { ...NO_DIFFERENCES, ...Object.fromEntries(counts.map((one) => [one.change, one.count])) },
    };
  },
});

function seenExample(severity: ComparedGap['severity']) {
  const { confidence, title, observed } = gapExample;
  return { severity, confidence, title, observed };
}

const toCompared = ({ id, base, head, ...row }: ComparedRow, language: Language): ComparedGap => ({
  gap_id: id,
  change: row.change,
  criterion_id: row.criterion_id,
  clause: row.clause,
  work_product_id: row.work_product_id,
  status: row.status,
  severity: row.severity,
  base: base && seen(inLanguage(base, language)),
  head: head && seen(inLanguage(head, language)),
  differences: base && head ? differences(base, head, language) : [],
});

const seen = ({ severity, confidence, title, observed }: StoredFinding) => ({
  severity,
  confidence,
  title,
  observed,
});

/** Fields that differ; those of words by what they say, where both runs kept that. */
function differences(
  base: StoredFinding,
  head: StoredFinding,
  language: Language,
): ComparedGap['differences'] {
  const names = [...new Set([...Object.keys(base), ...Object.keys(head)])].sort() as (keyof StoredFinding)[];
  const [before, after] = [inLanguage(base, language), inLanguage(head, language)];
  return names
    .filter(
      (name) => name !== 'said' && !isDeepStrictEqual(sayingOf(base, name, head), sayingOf(head, name, base)),
    )
    .map((name) => ({
      field: toSnakeCase(name),
      before: shownValue(before, name),
      after: shownValue(after, name),
    }));
}

/** What a field says: key and values, unless one of the two findings has its words only. */
function sayingOf(finding: StoredFinding, name: keyof StoredFinding, other: StoredFinding): unknown {
  if (name === 'search') {
    const bothSaid = finding.search?.said && other.search?.said;
    return bothSaid ? { ...finding.search, statement: '' } : toSearch(finding.search);
  }
  const said = finding.said as Readonly<Record<string, unknown>> | undefined;
  return (other.said && said?.[name]) ?? finding[name];
}

const shownValue = (finding: StoredFinding, name: keyof StoredFinding): unknown =>
  name === 'search' ? toSearch(finding.search) : (finding[name] ?? null);

export const compareRoutes: readonly Route[] = [compare];
