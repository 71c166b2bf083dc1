import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, take } from '../../api/client.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useWords } from './use-words.ts';

/** Links that nothing states, with why they are taken to be meant, to be confirmed one by one or all at once. Nothing where there is none. */
export function AssumedLinks() {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace)('trace-links.write');
  const { data } = useQuery({
    queryKey: ['trace', workspace, 'assumed'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/links', {
          params: { query: { workspace_id: workspace, assumed: true, limit: 100 } },
          signal,
        }),
      ),
  });
  const done = (said: string): void => {
    void client.invalidateQueries({ queryKey: ['trace', workspace] });
    toast(said);
  };
  const decide = useMutation({
    mutationFn: async ({ id, isRight }: { readonly id: string; readonly isRight: boolean }) => {
      const params = { path: { id } };
      if (isRight) await take(api.POST('/traceability/links/{id}/confirm', { params }));
      else await take(api.DELETE('/traceability/links/{id}', { params }));
      done(say(isRight ? 'confirmed' : 'rejected'));
    },
    onError: (error) => toast(words(error)),
  });
  const confirmAll = useMutation({
    mutationFn: () =>
      take(api.POST('/traceability/links/confirm', { body: { workspace_id: workspace, assumed: true } })),
    onSuccess: ({ confirmed }) => done(say.count('confirmed_many', confirmed)),
    onError: (error) => toast(words(error)),
  });
  if (!data || data.total === 0) return null;
  return (
    <Panel title={say('assumed')}>
      <p className="row">
        <span className="quiet">{say.count('assumed_count', data.total)}</span>
        {may && (
          <Button disabled={confirmAll.isPending} onClick={() => confirmAll.mutate()}>
            {say('confirm_assumed')}
          </Button>
        )}
      </p>
      <ul className="cards">
        {data.items.map((link) => (
          <li key={link.id} className="card">
            <p>
              {say('link_said', {
                source: link.source_id,
                type: say.named('link', link.link_type),
                target: link.target_id,
              })}{' '}
              {link.assumed && <span className="tag">{say(`assumed_${link.assumed}`)}</span>}
            </p>
            {link.quote && (
              <p className="quote">
                <bdi>{link.quote}</bdi>
              </p>
            )}
            {may && (
              <p className="card-foot">
                <Button
                  disabled={decide.isPending}
                  onClick={() => decide.mutate({ id: link.id, isRight: true })}
                >
                  {say('is_right')}
                </Button>
                <Button
                  disabled={decide.isPending}
                  onClick={() => decide.mutate({ id: link.id, isRight: false })}
                >
                  {say('not_right')}
                </Button>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
