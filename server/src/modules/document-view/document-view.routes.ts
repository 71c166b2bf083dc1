import { type Route, readRoute } from '../../platform/http/route.js';
import { readKept } from '../documents/kept-documents.js';
import { gapId, workProductId } from '../runs/examples.js';
import { answerTitles } from './answer-titles.js';
import * as repository from './document-view.repository.js';
import {
  DocumentMarks,
  DocumentOutline,
  DocumentQuery,
  DocumentView,
  MarkQuery,
  VersionParams,
} from './document-view.schemas.js';
import { parsedKeyOf, toDocumentView, toMarks, toOutline } from './document-view.service.js';
import { pageRoutes } from './pages.routes.js';
import { guestsOfVersions, type Reading, readVersion, resource } from './read-version.js';
import { versionDiffRoutes } from './version-diff.routes.js';
import { carryMarks, differenceOf } from './version-diff.service.js';
import { versionGapsRoutes } from './version-gaps.routes.js';

/** Gaps without a place in an answer at most. */
const MOST_UNPLACED = 500;

const common = {
  method: 'GET',
  tag: 'Work products',
  within: 'visible',
  resource,
  etag: true,
  params: VersionParams,
} as const;
const params = { id: workProductId, version: '2' };

const getDocument = readRoute({
  ...common,
  operation: 'getDocument',
  guest: guestsOfVersions,
  path: '/work-products/:id/versions/:version/document',
  summary: 'Read a document as it was read',
  description:
    'The blocks of a version with their places, page by page: what quotes, artifacts and marks are ranges of. The text of ' +
    'blocks is data, never markup. 409 while the version has not been read.',
  permission: 'work-products.read',
  worded: true,
  query: DocumentQuery,
  answer: DocumentView,
  errors: ['CONFLICT'],
  examples: {
    params,
    query: { around: 18_204, blocks: 40 },
    answer: {
      work_product_id: workProductId,
      version: 2,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      format: 'docx',
      language: 'en',
      page_count: null,
      block_count: 412,
      text_length: 61_204,
      notes: [],
      blocks: [
        {
          index: 131,
          kind: 'paragraph',
          text: 'The fault tolerant time interval is to be defined.',
          start: 18_204,
          end: 18_254,
          location: { section: ['4 Safety goals', '4.2 Timing'] },
        },
      ],
      next_block: 132,
    },
  },
  handle: async (context) => {
    const version = await readVersion(context);
    return toDocumentView(version, await documentOf(context, version), {
      ...context.query,
      language: context.language,
    });
  },
});

const getOutline = readRoute({
  ...common,
  operation: 'getDocumentOutline',
  guest: guestsOfVersions,
  path: '/work-products/:id/versions/:version/outline',
  summary: 'Read the outline of a document',
  description:
    'The headings of a version in their order, and the sheets of a workbook. 409 while it has not been read.',
  permission: 'work-products.read',
  answer: DocumentOutline,
  errors: ['CONFLICT'],
  examples: {
    params,
    answer: { headings: [{ block: 120, level: 2, title: '4.2 Timing', start: 17_910, page: 12 }], total: 1 },
  },
  handle: async (context) => toOutline(await documentOf(context, await readVersion(context))),
});

const getMarks = readRoute({
  ...common,
  operation: 'getDocumentMarks',
  path: '/work-products/:id/versions/:version/marks',
  summary: 'Read what is said about the places of a document',
  description:
    'Everything that quotes this version, in the order of the document: gaps as the newest run saw them that found each, ' +
    'answers of the newest run of each standard and checklist, artifacts and links. Ranges are those of the blocks. Gaps that no ' +
    'words of it show stand apart.',
  permission: 'analyses.read',
  worded: true,
  query: MarkQuery,
  answer: DocumentMarks,
  examples: {
    params,
    query: { about: 'gap', status: 'open,in_progress' },
    answer: {
      work_product_id: workProductId,
      version: 2,
      newest_marked_version: 2,
      carried_from: null,
      lost: 0,
      total: 1,
      by_about: { gap: 1 },
      marks: [
        {
          about: 'gap',
          start: 18_204,
          end: 18_254,
          location: { page: 12, section: ['4 Safety goals', '4.2 Timing'] },
          role: 'counter',
          ref: { id: gapId, label: '7.4.2.1' },
          severity: 'high',
          status: 'open',
          change: 'new',
          verdict: null,
          title: 'Safety goal without a fault tolerant time interval',
        },
      ],
      without_place: [],
    },
  },
  handle: async (context) => {
    const { read, caller, now, query, language } = context;
    const version = await readVersion(context);
    const reader = { userId: caller.userId, now };
    const { analysis_id: run } = query;
    // What a run said, it said of the version that it read.
    const marked = run === undefined ? await markedVersion(context, version) : version;
    const [gaps, unplaced, answers, trace] = await Promise.all([
      read<repository.GapMarkRow>(repository.selectGapMarks(marked, reader, run)),
      read<repository.UnplacedGapRow>(
        repository.selectUnplacedGaps(marked, reader, { limit: MOST_UNPLACED, analysisId: run }),
      ),
      read<repository.AnswerMarkRow>(repository.selectAnswerMarks(marked, run)),
      read<repository.TraceMarkRow>(repository.selectTraceMarks(version)),
    ]);
    const rows = { gaps, unplaced, answers, trace };
    const titles = await answerTitles(answers, language);
    if (marked === version) return toMarks(version, rows, { ...query, language }, titles);
    const [base, head] = await Promise.all(
      [marked, version].map(async (one) => ({
        version: one.version,
        key: parsedKeyOf(one),
        document: await documentOf(context, one),
      })),
    );
    const difference = await differenceOf(base!, head!, {
      objects: context.dependencies.storage.within(version.workspace_id),
      engine: context.request.server.engine,
      workspaceId: version.workspace_id,
    });
    return toMarks(version, carryMarks(rows, difference), { ...query, language }, titles);
  },
});

/** The version whose marks are shown: where no run has read this one yet, the newest that a run read. */
async function markedVersion(
  { read, params }: Reading,
  version: repository.ReadVersionRow,
): Promise<repository.ReadVersionRow> {
  const newest = version.newest_marked_version;
  if (newest === null || newest >= version.version || version.parsed_key === null) return version;
  const marked = await readVersion({ read, params: { id: params.id, version: newest } });
  return marked.parsed_key === null ? version : marked;
}

const documentOf = ({ dependencies }: Reading, version: repository.ReadVersionRow) =>
  readKept(dependencies.storage.within(version.workspace_id), parsedKeyOf(version));

export const documentViewRoutes: readonly Route[] = [
  getDocument,
  getOutline,
  getMarks,
  ...pageRoutes,
  ...versionDiffRoutes,
  ...versionGapsRoutes,
];
