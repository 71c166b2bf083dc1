import { inLanguage, SEVERITIES } from '@normtrace/engine';
import { type Route, readRoute } from '../../platform/http/route.js';
import { toLocation } from '../gaps/gaps.service.js';
import { analysisId, gapExample, gapId, standardId, workProductId } from '../runs/examples.js';
import { readVersion, resource } from './read-version.js';
import { DiffParams } from './version-diff.schemas.js';
import {
  type RunPair,
  selectRunPairs,
  selectVersionGaps,
  type VersionGapsRow,
} from './version-gaps.repository.js';
import { type VersionGap, VersionGaps, VersionGapsQuery } from './version-gaps.schemas.js';

const compareGaps = readRoute({
  operation: 'compareVersionGaps',
  method: 'GET',
  path: '/work-products/:id/diff/gaps',
  tag: 'Work products',
  summary: 'Compare the gaps of two versions of a document',
  description:
    'Which gaps about a document went, came or moved from one version to another: for each standard, checklist and type of ' +
    'analysis the newest run that read the older version beside the newest that read the newer one.',
  worded: true,
  permission: 'analyses.read',
  within: 'visible',
  resource,
  params: DiffParams,
  query: VersionGapsQuery,
  answer: VersionGaps,
  examples: {
    params: { id: workProductId },
    query: { base: 1, head: 2 },
    answer: {
      work_product_id: workProductId,
      base: 1,
      head: 2,
      runs: [
        {
          analysis_type: 'gap_analysis',
          standard_id: standardId,
          base: '2b7d1f3a-8c4e-4d5f-9a6b-1c2d3e4f5a6b',
          head: analysisId,
          others_changed: 0,
        },
      ],
      gone: {
        total: 1,
        items: [
          {
            gap_id: gapId,
            criterion_id: gapExample.criterion_id,
            clause: gapExample.clause,
            title: gapExample.title,
            status: 'resolved',
            severity: 'high',
            base: { location: { page: 12 }, range: { start: 18_204, end: 18_254 } },
            head: null,
          },
        ],
      },
      new: { total: 0, items: [] },
      moved: { total: 0, items: [] },
      same: 41,
      not_compared: 0,
    },
  },
  handle: async (context) => {
    const { params, query, read, caller, now, language } = context;
    const [base] = await Promise.all(
      [query.base, query.head].map((version) => readVersion({ read, params: { ...params, version } })),
    );
    const versions = { workspaceId: base!.workspace_id, workProductId: params.id, ...query };
    const runs = await read<RunPair>(selectRunPairs(versions));
    const found = await Promise.all(
      runs.map((pair) =>
        read<VersionGapsRow>(selectVersionGaps(pair, versions, { userId: caller.userId, now })),
      ),
    );
    const rows = found.flat();
    const count = (kind: VersionGapsRow['kind']): number =>
      rows.reduce((sum, row) => sum + (row.kind === kind ? row.count : 0), 0);
    const told = (kind: VersionGapsRow['kind']) => ({
      total: count(kind),
      items: rows
        .flatMap((row) => (row.kind === kind ? row.items : []))
        .map(
          ({ id, finding, base_place, head_place, ...gap }): VersionGap => ({
            gap_id: id,
            ...gap,
            title: inLanguage(finding, language).title,
            base: toPlace(base_place),
            head: toPlace(head_place),
          }),
        )
        .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
    });
    return {
      work_product_id: params.id,
      base: query.base,
      head: query.head,
      runs,
      gone: told('gone'),
      new: told('new'),
      moved: told('moved'),
      same: count('same'),
      not_compared: count('not_compared'),
    };
  },
});

const toPlace = (row: VersionGapsRow['items'][number]['base_place']): VersionGap['base'] =>
  row && { location: toLocation(row.location), range: { start: row.start, end: row.end } };

export const versionGapsRoutes: readonly Route[] = [compareGaps];
