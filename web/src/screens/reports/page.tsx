import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useConnected } from '../../api/stream.ts';
import { useMay, useProfile, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { More } from '../../parts/more.tsx';
import { Empty, Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ago, dateAndTime, fileSize } from '../../words/moments.ts';
import { leavesFindingsOut } from './choices.tsx';
import { NewReport } from './new-report.tsx';
import { Rendering } from './rendering.tsx';
import { useWords } from './use-words.ts';
import '../../parts/records.css';
import './preview.css';

/** The stream tells how far a report is. What it told before this page listened is asked for, and everything where it does not arrive. */
const ASK_AGAIN_MILLISECONDS = { connected: 15_000, alone: 1500 };
const isUnderWay = ({ status }: Api['Report']): boolean => status === 'queued' || status === 'running';

/** The reports of a workspace, newest first, the way to one (`?at=<id>`) and to a new one (`?new=<run>`). */
export default function ReportsPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const [query, setQuery] = useSearchParams();
  const wanted = query.get('new');
  const isConnected = useConnected();
  const reports = useInfiniteQuery({
    queryKey: ['reports', workspace],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/reports', {
          params: {
            query: {
              workspace_id: workspace,
              refs: true,
              limit: 30,
              ...(pageParam && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isUnderWay))
        ? ASK_AGAIN_MILLISECONDS[isConnected ? 'connected' : 'alone']
        : false,
  });
  const at = query.get('at');
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = reports;
  const isThere = data?.pages.some(({ items }) => items.some(({ id }) => id === at)) ?? false;
  useEffect(() => {
    if (at === null) return;
    if (isThere) document.getElementById(at)?.scrollIntoView({ block: 'center' });
    else if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [at, isThere, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const mayMake = may('reports.create');
  const openNew = (): void => setQuery({ new: '' });
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('reports')}</h1>
        {mayMake && (
          <Button kind="primary" onClick={openNew}>
            <Icon name="add" /> {say('make')}
          </Button>
        )}
      </div>
      <Loaded query={reports}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          const authors = Object.assign({}, ...pages.map(({ refs }) => refs?.people)) as Authors;
          if (items.length === 0) {
            return (
              <Empty title={say('none')}>
                <p>{say('none_text')}</p>
              </Empty>
            );
          }
          return (
            <>
              <ul className="records" aria-label={say('reports')}>
                {items.map((report) => (
                  <Line
                    key={report.id}
                    of={report}
                    author={authors[report.created_by]?.name}
                    isMeant={report.id === at}
                  />
                ))}
              </ul>
              <More of={reports} />
              <p className="field-hint">{say(may('reports.create') ? 'fixed' : 'marked')}</p>
            </>
          );
        }}
      </Loaded>
      {wanted !== null && mayMake && (
        <NewReport workspace={workspace} run={wanted} onClose={() => setQuery({}, { replace: true })} />
      )}
    </div>
  );
}

type Authors = NonNullable<Api['ReportList']['refs']>['people'];

function Line({
  of,
  author,
  isMeant,
}: {
  readonly of: Api['Report'];
  /** Who made it, also where they are a member no more. */
  readonly author: string | undefined;
  readonly isMeant: boolean;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const may = useMay(of.workspace_id);
  const { data: me } = useProfile();
  const [isDeleting, askDelete] = useState(false);
  const [isPreviewed, openPreview] = useState(false);
  const params = { params: { path: { id: of.id } } };
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['reports', of.workspace_id] });
  const retry = useMutation({
    mutationFn: () => take(api.POST('/reports/{id}/retry', params)),
    onSuccess: refresh,
    onError: (error) => toast(words(error)),
  });
  const remove = useMutation({
    mutationFn: () => take(api.DELETE('/reports/{id}', params)),
    onSuccess: () => {
      askDelete(false);
      toast(say('deleted'));
      return refresh();
    },
  });
  const mayDelete =
    may('reports.delete') && (may.level('reports.delete') !== 'own' || of.created_by === me?.id);
  return (
    <li id={of.id} aria-current={isMeant || undefined}>
      <div className="record-main">
        <div className="record-name">
          <bdi>{of.title}</bdi>
          <span className="tag">{say(`format_${of.format}`)}</span>
          <span className="tag">{say(`language_${of.options.language}`)}</span>
          {of.options.confidentiality && (
            <span className="tag">
              <bdi>{of.options.confidentiality}</bdi>
            </span>
          )}
          {leavesFindingsOut(of.options) && <span className="tag">{say('some_findings')}</span>}
          {of.options.chapters && <span className="tag">{say('some_chapters')}</span>}
        </div>
        <div className="record-facts">
          <span>{of.type === 'full' ? say('full') : common.named('analysis', of.type)}</span>
          <span>{say.count('runs', of.analysis_ids.length)}</span>
          <span title={dateAndTime(of.created_at, say.language)}>{ago(of.created_at, say.language)}</span>
          {author && <bdi>{author}</bdi>}
          {of.file_size !== null && <span>{fileSize(of.file_size, say.language)}</span>}
          {of.sha256 && (
            <span className="mono" title={of.sha256}>
              {say('hash', { hash: of.sha256.slice(0, 12) })}
            </span>
          )}
        </div>
        {isUnderWay(of) && <Rendering of={of} />}
        {of.words_withdrawn_at && (
          <p className="field-hint">
            {say('withdrawn', { when: dateAndTime(of.words_withdrawn_at, say.language) })}
          </p>
        )}
        {of.status === 'failed' && (
          <p className="record-wrong">
            {say('failed')} <bdi>{of.error}</bdi>
          </p>
        )}
      </div>
      <div className="record-actions">
        {of.status === 'completed' && may('reports.export') && (
          <Button onClick={() => openPreview(true)}>
            {say('preview')}
            <span className="visually-hidden">
              <bdi>{of.title}</bdi>
            </span>
          </Button>
        )}
        {of.status === 'completed' && may('reports.export') && (
          <a className="button" href={`/api/v1/reports/${of.id}/download`} download={of.file_name}>
            <Icon name="download" /> {say('download')}
            <span className="visually-hidden">
              <bdi>{of.title}</bdi>
            </span>
          </a>
        )}
        {of.status === 'failed' && may('reports.create') && (
          <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
            {say('retry')}
          </Button>
        )}
        {mayDelete && (
          <Button
            kind="quiet"
            iconOnly
            aria-label={say('delete_it', { title: of.title })}
            onClick={() => askDelete(true)}
          >
            <Icon name="close" />
          </Button>
        )}
      </div>
      {isDeleting && (
        <Confirm
          title={say('delete_title')}
          verb={say('delete')}
          doing={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => askDelete(false)}
        >
          <p>
            <bdi>{of.title}</bdi>
          </p>
          <p className="hint">{say('delete_text')}</p>
        </Confirm>
      )}
      {isPreviewed && (
        <Dialog className="preview" title={of.title} onClose={() => openPreview(false)}>
          <iframe
            className="preview-frame"
            sandbox=""
            title={say('preview')}
            src={`/api/v1/reports/${of.id}/preview`}
          />
        </Dialog>
      )}
    </li>
  );
}
