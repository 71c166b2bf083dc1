import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useDocumentNames } from '../../app/documents.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { More } from '../../parts/more.tsx';
import { Loaded } from '../../parts/states.tsx';
import { number } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

const PAGE = 50;

/** What a run asked the language model: what for, with passages of which documents, what it cost, how it ended. */
export function ModelCalls({ run }: { readonly run: string }) {
  const say = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{say('calls')}</summary>
      {isOpen && <Calls run={run} />}
    </details>
  );
}

function Calls({ run }: { readonly run: string }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const nameOf = useDocumentNames(workspace);
  const calls = useInfiniteQuery({
    queryKey: ['runs', workspace, run, 'calls'],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/analysis/analyses/{id}/model-calls', {
          params: { path: { id: run }, query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <Loaded query={calls} lines={3}>
      {({ pages }) => (
        <div className="form">
          <p className="hint">{say.count('calls_total', pages[0]?.total ?? 0)}</p>
          <ul className="records" aria-label={say('calls')}>
            {pages
              .flatMap(({ items }) => items)
              .map((one) => (
                <Call
                  key={`${one.task} ${one.request_sha256}`}
                  of={one}
                  nameOf={nameOf}
                  workspace={workspace}
                />
              ))}
          </ul>
          <More of={calls} />
        </div>
      )}
    </Loaded>
  );
}

function Call({
  of,
  nameOf,
  workspace,
}: {
  readonly of: Api['ModelCall'];
  readonly nameOf: (id: string) => string;
  readonly workspace: string;
}) {
  const say = useWords();
  return (
    <li>
      <div className="record-main">
        <div className="record-name">
          <span>{say.named('task', of.task)}</span>
          <span className="tag">{say.named('outcome', of.outcome)}</span>
        </div>
        <div className="record-facts">
          <span>
            {say('tokens', {
              read: number(of.input_tokens, say.language),
              written: number(of.output_tokens, say.language),
            })}
          </span>
          {of.milliseconds !== null && (
            <span>{say('milliseconds', { count: number(of.milliseconds, say.language) })}</span>
          )}
          <bdi className="mono">{of.template}</bdi>
          <span className="mono" title={of.request_sha256}>
            {of.request_sha256.slice(0, 12)}
          </span>
        </div>
        {of.documents.length > 0 && (
          <div className="record-facts">
            {of.documents.map(({ work_product_id, version, passages }) => (
              <span key={`${work_product_id} ${version}`}>
                <Link href={`/w/${workspace}/documents/${work_product_id}?v=${version}`}>
                  <bdi>{nameOf(work_product_id)}</bdi>
                </Link>{' '}
                {say.count('passages', passages)}
              </span>
            ))}
          </div>
        )}
      </div>
    </li>
  );
}
