import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, take } from '../../api/client.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { AssumedLinks } from './assumed-links.tsx';
import { TraceTabs } from './tabs.tsx';
import { useWords } from './use-words.ts';

/** Links that nothing states, and those one end of which changed since they were confirmed, until somebody looked. */
export default function SuspectLinksPage() {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const links = useQuery({
    queryKey: ['trace', workspace, 'suspect'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/links', {
          params: { query: { workspace_id: workspace, suspect: true, limit: 100 } },
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
    mutationFn: (ids: string[]) =>
      take(api.POST('/traceability/links/confirm', { body: { workspace_id: workspace, link_ids: ids } })),
    onSuccess: (_, ids) => done(say.count('confirmed_many', ids.length)),
    onError: (error) => toast(words(error)),
  });
  const mayChange = may('trace-links.write');
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('links')}</h1>
      </div>
      <TraceTabs />
      <AssumedLinks />
      <Loaded query={links}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title={say('no_suspect')}>
              <p>{say('no_suspect_text')}</p>
            </Empty>
          ) : (
            <>
              <p className="row">
                <span className="quiet">{say.count('suspect_count', total)}</span>
                {mayChange && (
                  <Button
                    disabled={confirmAll.isPending}
                    onClick={() => confirmAll.mutate(items.map(({ id }) => id))}
                  >
                    {say('confirm_all')}
                  </Button>
                )}
              </p>
              <ul className="cards">
                {items.map((link) => (
                  <li key={link.id} className="card">
                    <p>
                      {say('link_said', {
                        source: link.source_id,
                        type: say.named('link', link.link_type),
                        target: link.target_id,
                      })}
                    </p>
                    {link.suspect && (
                      <p className="small">{say('changed_end', { end: say(`end_${link.suspect}`) })}</p>
                    )}
                    {link.quote && (
                      <p className="quote">
                        <bdi>{link.quote}</bdi>
                      </p>
                    )}
                    {mayChange && (
                      <p className="card-foot">
                        <Button
                          disabled={decide.isPending}
                          onClick={() => decide.mutate({ id: link.id, isRight: true })}
                        >
                          {say('still_right')}
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
            </>
          )
        }
      </Loaded>
    </div>
  );
}
