import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Highlighted } from '../../parts/highlighted.tsx';
import { Empty, Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { sharedWords, usualWords } from './shared-words.ts';
import { TraceTabs } from './tabs.tsx';
import { useWords } from './use-words.ts';

type Candidate = Api['LinkSuggestion']['candidates'][number];
const keyOf = ({ link }: Candidate): string => `${link.source_id} ${link.link_type} ${link.target_id}`;

/** Links that words propose for artifacts without one: a person makes them, or not. */
export default function ProposalsPage() {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const proposals = useInfiniteQuery({
    queryKey: ['trace', workspace, 'proposals'],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/traceability/suggestions', {
          params: { query: { workspace_id: workspace, limit: 20, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const leave = (one: Candidate): void => setLeft((before) => new Set([...before, keyOf(one)]));
  const accept = useMutation({
    // Who accepts has read both ends: from then on it is suspect when one of them changes.
    mutationFn: async (one: Candidate) => {
      const { id } = await take(
        api.POST('/traceability/links', { body: { workspace_id: workspace, ...one.link } }),
      );
      await take(api.POST('/traceability/links/{id}/confirm', { params: { path: { id } } }));
    },
    onSuccess: (_, one) => {
      leave(one);
      void client.invalidateQueries({ queryKey: ['trace', workspace] });
      toast(say('accepted'));
    },
    onError: (error) => toast(words(error)),
  });
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('proposals')}</h1>
      </div>
      <TraceTabs />
      <Loaded query={proposals}>
        {({ pages }) => {
          const items = pages
            .flatMap((page) => page.items)
            .map((one) => ({ ...one, candidates: one.candidates.filter((each) => !left.has(keyOf(each))) }))
            .filter(({ candidates }) => candidates.length > 0);
          const usual = usualWords(
            items.flatMap(({ text, candidates }) => [text, ...candidates.map((one) => one.text)]),
          );
          return items.length === 0 ? (
            <Empty title={say('no_proposals')}>
              <p>{say('no_proposals_text')}</p>
            </Empty>
          ) : (
            <>
              <p className="hint">{say('words_marked')}</p>
              <ul className="stack">
                {items.map((one) => (
                  <li key={one.artifact_id} className="card">
                    <h2>
                      <span className="mono">{one.artifact_id}</span>{' '}
                      <span className="tag">{say.named('type', one.type)}</span>
                    </h2>
                    <p>
                      <bdi>{one.text}</bdi>
                    </p>
                    <ul className="stack">
                      {one.candidates.map((candidate) => (
                        <li key={keyOf(candidate)} className="proposal">
                          <span>
                            <span className="mono">{candidate.artifact_id}</span>
                            <br />
                            <Highlighted
                              text={candidate.text}
                              at={sharedWords(candidate.text, one.text, usual)}
                            />
                            <br />
                            <span className="small">
                              {say('link_said', {
                                source: candidate.link.source_id,
                                type: say.named('link', candidate.link.link_type),
                                target: candidate.link.target_id,
                              })}
                            </span>
                          </span>
                          {may('trace-links.write') && (
                            <span className="row">
                              <Button
                                kind="primary"
                                disabled={accept.isPending}
                                onClick={() => accept.mutate(candidate)}
                              >
                                {say('accept')}
                              </Button>
                              <Button onClick={() => leave(candidate)}>{say('skip')}</Button>
                            </span>
                          )}
                        </li>
                      ))}
                    </ul>
                  </li>
                ))}
              </ul>
              {proposals.hasNextPage && (
                <p>
                  <Button
                    disabled={proposals.isFetchingNextPage}
                    onClick={() => void proposals.fetchNextPage()}
                  >
                    {say('more')}
                  </Button>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
