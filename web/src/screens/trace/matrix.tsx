import { memo, useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useDocuments } from '../../app/documents.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { useWorkspaceId } from '../../app/workspace.ts';
import { StateGlyph, type Verdict } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Input } from '../../parts/field.tsx';
import { usePagedList } from '../../parts/pages.ts';
import { RowGrid } from '../../parts/row-grid.tsx';
import { useRowPixels } from '../../parts/row-pixels.ts';
import { Empty, Failure, Skeleton } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { number } from '../../words/moments.ts';
import { ArtifactLink } from './artifact-link.tsx';
import { Choice } from './choice.tsx';
import { LinksOf } from './links-of.tsx';
import { TraceTabs } from './tabs.tsx';
import { type ArtifactType, DUTIES, type Duty, isType, TYPES } from './types.ts';
import { useWords } from './use-words.ts';

const STATES = ['missing', 'partial', 'orphan', 'complete'] as const;
type State = (typeof STATES)[number];
export const STATE_SHAPES: Readonly<Record<State, Verdict>> = {
  complete: 'covered',
  partial: 'partial',
  missing: 'missing',
  orphan: 'needs_review',
};
/** In which order rows can come: the ones to look at first. */
const SORTS = ['id', '-severity', '-integrity', '-status', 'links'] as const;
/** Heads of the columns that an order is by. */
const SORTED_BY: Readonly<Record<string, (typeof SORTS)[number]>> = { requirement: 'id', state: '-status' };
const PAGE = 100;
/** Links of a cell; the rest is told by its number. */
const LINKS = 2;
const ROW_PIXELS = { comfortable: 80, compact: 64, narrow: 244 };

export type Row = Api['TraceMatrix']['matrix'][number];
type Matrix = Api['TraceMatrix'] & { readonly items: readonly Row[] };

/** One line for each goal or requirement: what stands above it, what below, and how far it is traced. */
export default function MatrixPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [, go] = useLocation();
  const [query, set] = useAddress();
  const documents = useDocuments(workspace);
  const asked = {
    search: query.get('search') ?? '',
    status: STATES.find((one) => one === query.get('status')) ?? '',
    type: isType(query.get('type')) ? (query.get('type') as ArtifactType) : '',
    integrity: query.get('integrity') ?? '',
    missing: DUTIES.find((one) => one === query.get('missing')) ?? '',
    document: query.get('document') ?? '',
    sort: SORTS.find((one) => one === query.get('sort')) ?? '',
  };
  const key = JSON.stringify(asked);
  const filter = useMemo(() => {
    const { search, status, type, integrity, missing, document, sort } = JSON.parse(key) as typeof asked;
    return {
      ...(search && { search }),
      ...(status && { status: [status as State] }),
      ...(type && { type: [type as ArtifactType] }),
      ...(integrity && { integrity: [integrity] }),
      ...(missing && { missing: [missing as Duty] }),
      ...(document && { work_product_id: document }),
      ...(sort && { sort }),
    };
  }, [key]);
  const { list, error, again, look } = useMatrix(workspace, filter);
  const facets = list?.page.facets;
  const rowPixels = useRowPixels(ROW_PIXELS);
  const isFiltered = Object.keys(filter).some((name) => name !== 'sort');
  const [linked, setLinked] = useState<Row>();
  useTellKeys(
    say('matrix'),
    useMemo(
      () => [
        ['l', say('links_of_row')],
        ['⏎', say('open_artifact')],
      ],
      [say],
    ),
  );
  return (
    <div className="page trace-page" data-wide>
      <div className="page-head">
        <h1>{say('matrix')}</h1>
        <Input
          type="search"
          className="input trace-choice"
          aria-label={say('find_matrix')}
          placeholder={say('find_matrix')}
          value={asked.search}
          onChange={(event) => set({ search: event.target.value })}
        />
        <Exports workspace={workspace} filter={filter} />
      </div>
      <TraceTabs />
      <div className="row trace-filters">
        <Choice
          label={say('state')}
          all={say('all_states')}
          value={asked.status}
          values={STATES}
          counts={facets?.status}
          word={(one) => say(`state_${one}`)}
          onChoose={(status) => set({ status })}
        />
        <Choice
          label={say('type')}
          all={say('goals_and_requirements')}
          value={asked.type}
          values={TYPES.filter((one) => one !== 'unknown')}
          word={(one) => say(`type_${one}`)}
          onChoose={(type) => set({ type })}
        />
        <Choice
          label={say('integrity')}
          all={say('all_levels_of_integrity')}
          value={asked.integrity}
          values={Object.keys(facets?.integrity ?? (asked.integrity ? { [asked.integrity]: 0 } : {})).sort()}
          counts={facets?.integrity}
          word={(one) => (one === 'none' ? say('no_level') : one)}
          onChoose={(integrity) => set({ integrity })}
        />
        <Choice
          label={say('missing')}
          all={say('missing_or_not')}
          value={asked.missing}
          values={DUTIES}
          counts={facets?.missing}
          word={(one) => say(`lacks_${one}`)}
          onChoose={(missing) => set({ missing })}
        />
        <Choice
          label={say('document')}
          all={say('all_documents')}
          value={asked.document}
          values={documents.map(({ id }) => id)}
          word={(id) => documents.find((one) => one.id === id)?.name ?? ''}
          onChoose={(document) => set({ document })}
        />
        <Choice
          label={say('order')}
          all={say('reading_order')}
          value={asked.sort}
          values={SORTS}
          word={(one) => say(`order_${one.replace('-', '') as 'id'}`)}
          onChoose={(sort) => set({ sort })}
        />
      </div>
      {list ? (
        list.total === 0 ? (
          <Empty title={say(isFiltered ? 'none_so' : 'none')}>
            <p>{say(isFiltered ? 'none_so_text' : 'none_text')}</p>
          </Empty>
        ) : (
          <>
            <p className="quiet" role="status">
              {say.count('row_count', list.total)}
            </p>
            <RowGrid
              label={say('matrix')}
              total={list.total}
              at={list.at}
              order={key}
              rowPixels={rowPixels}
              onLook={look}
              onOpen={(row) => row.id && go(`/w/${workspace}/trace/artifacts/${row.id}`)}
              keys={{ l: setLinked }}
              head={['requirement', ...COLUMNS.map(({ word }) => word), 'state' as const].map((word) => (
                <span
                  key={word}
                  role="columnheader"
                  className={`matrix-${word}`}
                  aria-sort={
                    asked.sort && SORTED_BY[word] === asked.sort
                      ? asked.sort.startsWith('-')
                        ? 'descending'
                        : 'ascending'
                      : undefined
                  }
                >
                  {say(word as 'requirement')}
                </span>
              ))}
              row={(row) => <MatrixCells row={row} workspace={workspace} onLinks={setLinked} />}
            />
          </>
        )
      ) : error ? (
        <Failure error={error} onAgain={again} />
      ) : (
        <Skeleton lines={10} slow={say('examined_once')} />
      )}
      {linked && (
        <LinksOf
          workspace={workspace}
          of={{ id: linked.requirement_id, type: linked.type }}
          onClose={() => setLinked(undefined)}
        />
      )}
    </div>
  );
}

/** Rows of the matrix under a filter in the names of the API. */
export function useMatrix(
  workspace: string,
  filter: Readonly<Record<string, unknown>>,
  { size = PAGE, enabled = true }: { readonly size?: number; readonly enabled?: boolean } = {},
) {
  const base = useMemo(() => ['trace', workspace, 'matrix', filter, size], [workspace, filter, size]);
  const read = useCallback(
    async (offset: number, limit: number, signal: AbortSignal): Promise<Matrix> => {
      const page = await take(
        api.GET('/traceability/matrix', {
          params: {
            query: { workspace_id: workspace, ...filter, limit, offset, links_per_type: LINKS },
          },
          signal,
        }),
      );
      return { ...page, items: page.matrix };
    },
    [workspace, filter],
  );
  return usePagedList<Row, Matrix>({ base, size, read, enabled });
}

/** What is linked to a row, by what it is. */
const COLUMNS: readonly {
  readonly word: 'above' | 'refined' | 'designed' | 'verified' | 'evidenced';
  readonly side: 'up' | 'down';
  readonly isOf: (type: ArtifactType) => boolean;
  readonly duty?: Duty;
}[] = [
  { word: 'above', side: 'up', isOf: () => true, duty: 'upstream' },
  {
    word: 'refined',
    side: 'down',
    isOf: (type) => !['design', 'test', 'evidence'].includes(type),
    duty: 'downstream',
  },
  { word: 'designed', side: 'down', isOf: (type) => type === 'design' },
  { word: 'verified', side: 'down', isOf: (type) => type === 'test', duty: 'verification' },
  { word: 'evidenced', side: 'down', isOf: (type) => type === 'evidence', duty: 'evidence' },
];

const MatrixCells = memo(MatrixCellsOf);

function MatrixCellsOf({
  row,
  workspace,
  onLinks,
}: {
  readonly row: Row;
  readonly workspace: string;
  readonly onLinks: (row: Row) => void;
}) {
  const say = useWords();
  return (
    <>
      <span role="gridcell" className="matrix-requirement">
        <ArtifactLink workspace={workspace} id={row.id} artifactId={row.requirement_id} />{' '}
        {row.integrity && <span className="tag">{row.integrity}</span>}
        <bdi className="matrix-text">{row.requirement_name ?? row.requirement_text}</bdi>
      </span>
      {COLUMNS.map(({ word, side, isOf, duty }) => {
        const links = (side === 'up' ? row.upstream_links : row.downstream_links).filter((one) =>
          isOf(one.artifact_type),
        );
        const total = Object.entries(row.linked?.[side] ?? {}).reduce(
          (sum, [type, count]) => sum + (isOf(type as ArtifactType) ? count : 0),
          0,
        );
        const unseen = total - Math.min(links.length, LINKS);
        const more = unseen > 0 ? `+${number(unseen, say.language)}` : '…';
        const isMissing = duty !== undefined && row.missing?.includes(duty);
        return (
          <span key={word} role="gridcell" className={`matrix-${word}`}>
            <span className="matrix-word">{say(word)}: </span>
            {links.slice(0, LINKS).map((link) => (
              <span key={`${link.artifact_id} ${link.link_type}`} className="matrix-link">
                <ArtifactLink
                  workspace={workspace}
                  id={link.id}
                  artifactId={link.artifact_id}
                  title={`${say.named('link', link.link_type)}: ${link.artifact_name}`}
                />
              </span>
            ))}
            {isMissing && (
              <span className="lacks">
                <StateGlyph of="missing" /> {say(`lacks_${duty}`)}
              </span>
            )}
            <Button
              kind="quiet"
              className="matrix-links"
              tabIndex={-1}
              aria-label={`${more} ${say('links_of', { id: row.requirement_id })}: ${say(word)}`}
              title={say('links_of', { id: row.requirement_id })}
              onClick={() => onLinks(row)}
            >
              {more}
            </Button>
          </span>
        );
      })}
      <span role="gridcell" className="matrix-state">
        <span className="state-label">
          <StateGlyph of={STATE_SHAPES[row.status]} /> {say(`state_${row.status}`)}
        </span>
      </span>
    </>
  );
}

/** Exactly what is filtered, as a file. */
function Exports({
  workspace,
  filter,
}: {
  readonly workspace: string;
  readonly filter: Readonly<Record<string, unknown>>;
}) {
  const say = useWords();
  const query = new URLSearchParams({ workspace_id: workspace });
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
  return (
    <>
      {(['csv', 'xlsx'] as const).map((format) => (
        <a
          key={format}
          className="button"
          download
          href={`/api/v1/traceability/matrix?${query}&format=${format}`}
        >
          {say('as_file', { format: format.toUpperCase() })}
        </a>
      ))}
    </>
  );
}
