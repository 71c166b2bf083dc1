import { useCallback, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useDocuments } from '../../app/documents.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { Input } from '../../parts/field.tsx';
import { usePagedList } from '../../parts/pages.ts';
import { RowGrid } from '../../parts/row-grid.tsx';
import { useRowPixels } from '../../parts/row-pixels.ts';
import { Empty, Failure, Skeleton } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Choice } from './choice.tsx';
import { TraceTabs } from './tabs.tsx';
import { isType, levelInWords, TYPES } from './types.ts';
import { useWords } from './use-words.ts';

const PAGE = 100;
const ROW_PIXELS = { comfortable: 48, compact: 32, narrow: 68 };

/** The artifacts of a workspace, however many. */
export default function ArtifactsPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [, go] = useLocation();
  const [query, set] = useAddress();
  const documents = useDocuments(workspace);
  const search = query.get('search') ?? '';
  const type = query.get('type');
  const asil = query.get('asil') ?? '';
  const document = query.get('document') ?? '';
  const linked = query.get('linked') ?? '';
  const filter = useMemo(
    () => ({
      ...(search && { search }),
      ...(isType(type) && { type: [type] }),
      ...(asil && { asil: [asil] }),
      ...(document && { work_product_id: document }),
      ...(linked && { linked: linked === 'true' }),
    }),
    [search, type, asil, document, linked],
  );
  const base = useMemo(() => ['trace', workspace, 'artifacts', filter], [workspace, filter]);
  const read = useCallback(
    (offset: number, limit: number, signal: AbortSignal) =>
      take(
        api.GET('/traceability/artifacts', {
          params: { query: { workspace_id: workspace, ...filter, sort: 'artifact_id', limit, offset } },
          signal,
        }),
      ),
    [workspace, filter],
  );
  const { list, error, again, look } = usePagedList<Api['Artifact'], Api['ArtifactList']>({
    base,
    size: PAGE,
    read,
  });
  const rowPixels = useRowPixels(ROW_PIXELS);
  return (
    <div className="page trace-page">
      <div className="page-head">
        <h1>{say('artifacts')}</h1>
        <Input
          type="search"
          className="input trace-choice"
          aria-label={say('find')}
          placeholder={say('find')}
          value={search}
          onChange={(event) => set({ search: event.target.value })}
        />
        <Choice
          label={say('type')}
          all={say('all_types')}
          value={isType(type) ? type : ''}
          values={TYPES}
          word={(one) => say(`type_${one}`)}
          onChoose={(value) => set({ type: value, asil: '' })}
        />
        <Choice
          label={say('document')}
          all={say('all_documents')}
          value={document}
          values={documents.map(({ id }) => id)}
          word={(id) => documents.find((one) => one.id === id)?.name ?? ''}
          onChoose={(value) => set({ document: value })}
        />
      </div>
      <TraceTabs />
      {asil || linked ? (
        <p className="row">
          {asil && <Chosen word={asil} onRemove={() => set({ asil: '' })} />}
          {linked && (
            <Chosen
              word={say(linked === 'true' ? 'linked' : 'without_link')}
              onRemove={() => set({ linked: '' })}
            />
          )}
        </p>
      ) : null}
      {list ? (
        list.total === 0 ? (
          <Empty title={say(Object.keys(filter).length > 0 ? 'none_so' : 'none')}>
            <p>{say(Object.keys(filter).length > 0 ? 'none_so_text' : 'none_text')}</p>
          </Empty>
        ) : (
          <>
            <p className="quiet" role="status">
              {say.count('artifact_count', list.total)}
            </p>
            <RowGrid
              label={say('artifacts')}
              total={list.total}
              at={list.at}
              order={JSON.stringify(filter)}
              rowPixels={rowPixels}
              onLook={look}
              onOpen={(one) => go(`/w/${workspace}/trace/artifacts/${one.id}`)}
              row={(one) => (
                <>
                  <span role="gridcell" className="artifact-id">
                    <Link className="mono" href={`/w/${workspace}/trace/artifacts/${one.id}`}>
                      <bdi>{one.artifact_id}</bdi>
                    </Link>
                  </span>
                  <span role="gridcell" className="artifact-words">
                    <bdi>{one.name ?? one.text}</bdi>
                  </span>
                  <span role="gridcell" className="artifact-tags">
                    <span className="tag">{say.named('type', one.type)}</span>
                    {one.asil && <span className="tag">{levelInWords(one.asil)}</span>}
                  </span>
                </>
              )}
            />
          </>
        )
      ) : error ? (
        <Failure error={error} onAgain={again} />
      ) : (
        <Skeleton lines={10} />
      )}
    </div>
  );
}

function Chosen({ word, onRemove }: { readonly word: string; readonly onRemove: () => void }) {
  const say = useWords();
  return (
    <button type="button" className="button" onClick={onRemove} aria-label={`${say('remove')}: ${word}`}>
      <bdi>{word}</bdi> ✕
    </button>
  );
}
