import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, take } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ago, dateAndTime } from '../../words/moments.ts';
import { browserName } from './browser-name.ts';
import { useWords } from './use-words.ts';

/** Where the person is signed in, and the way to end it there. */
export function Sessions() {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) =>
      take(api.GET('/auth/sessions', { params: { query: { limit: 100, sort: '-last_used_at' } }, signal })),
  });
  const then = {
    onError: (error: unknown) => toast(words(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  };
  const end = useMutation({
    mutationFn: (id: string) => take(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } })),
    ...then,
  });
  const endOthers = useMutation({
    mutationFn: () => take(api.DELETE('/auth/sessions')),
    onSuccess: ({ ended }) => toast(say.count('ended', ended)),
    ...then,
  });
  return (
    <Panel
      title={say('sessions')}
      aside={
        (sessions.data?.total ?? 0) > 1 && (
          <Button disabled={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {say('end_others')}
          </Button>
        )
      }
    >
      <Loaded query={sessions} lines={2}>
        {({ items }) => (
          <ul className="records" aria-label={say('sessions')}>
            {items.map((one) => (
              <li key={one.id}>
                <div className="record-main">
                  <div className="record-name">
                    <bdi title={one.user_agent ?? undefined}>
                      {one.user_agent ? browserName(one.user_agent) : say('unknown_browser')}
                    </bdi>
                    {one.is_current && <span className="tag">{say('this_one')}</span>}
                  </div>
                  <div className="record-facts">
                    <span title={dateAndTime(one.last_used_at, say.language)}>
                      {say('used', { when: ago(one.last_used_at, say.language) })}
                    </span>
                    {one.address && <bdi>{one.address}</bdi>}
                    <span>{say('ends', { when: dateAndTime(one.expires_at, say.language) })}</span>
                  </div>
                </div>
                <div className="record-actions">
                  {!one.is_current && (
                    <Button disabled={end.isPending} onClick={() => end.mutate(one.id)}>
                      {say('end')}
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
