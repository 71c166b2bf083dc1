import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useMay, useMembers, useProfile, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Field } from '../../parts/field.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { calendarDate, dateAndTime, fileSize, percent } from '../../words/moments.ts';
import { SettingsPage } from './settings-page.tsx';
import { useWords } from './use-words.ts';

const ASK_AGAIN_MILLISECONDS = 1500;

/** What was deleted and when it goes for good, and the archive of everything. */
export default function RetentionPage() {
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  return (
    <SettingsPage>
      <Deleted workspace={workspace} />
      {may('workspaces.export') && <Archives workspace={workspace} />}
    </SettingsPage>
  );
}

function Deleted({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const deleted = useQuery({
    queryKey: ['deleted', workspace],
    queryFn: ({ signal }) =>
      take(
        api.GET('/workspaces/{id}/deleted', {
          params: { path: { id: workspace }, query: { limit: 100, sort: '-deleted_at' } },
          signal,
        }),
      ),
  });
  return (
    <Panel title={say('deleted')}>
      <div className="form">
        <p className="hint">{say('deleted_text')}</p>
        <Loaded query={deleted} lines={2}>
          {({ items }) =>
            items.length === 0 ? (
              <p>{say('nothing_deleted')}</p>
            ) : (
              <ul className="records" aria-label={say('deleted')}>
                {items.map((one) => (
                  <DeletedLine key={one.id} of={one} workspace={workspace} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </Panel>
  );
}

function DeletedLine({ of, workspace }: { readonly of: Api['DeletedItem']; readonly workspace: string }) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const may = useMay(workspace);
  const { data: me } = useProfile();
  const { data: people } = useMembers(workspace);
  const [asked, ask] = useState<'request' | 'confirm'>();
  const [reason, setReason] = useState('');
  const waiting = of.purge_request;
  const done = (): void => {
    ask(undefined);
    void client.invalidateQueries({ queryKey: ['deleted', workspace] });
  };
  const request = useMutation({
    mutationFn: () =>
      take(
        api.POST('/workspaces/{id}/purges', {
          params: { path: { id: workspace } },
          body: { type: of.type, target_id: of.id, reason: reason.trim() },
        }),
      ),
    onSuccess: done,
  });
  const purge = { params: { path: { id: workspace, purge_id: waiting?.id ?? '' } } };
  const confirm = useMutation({
    mutationFn: () => take(api.POST('/workspaces/{id}/purges/{purge_id}/confirm', purge)),
    onSuccess: done,
  });
  // It goes in the background, and no event tells when it has gone: asked for until this line is no more.
  useEffect(() => {
    if (!confirm.isSuccess) return;
    const asking = setInterval(
      () => void client.invalidateQueries({ queryKey: ['deleted', workspace] }),
      ASK_AGAIN_MILLISECONDS,
    );
    return () => clearInterval(asking);
  }, [confirm.isSuccess, client, workspace]);
  const withdraw = useMutation({
    mutationFn: () => take(api.DELETE('/workspaces/{id}/purges/{purge_id}', purge)),
    onSuccess: done,
    onError: (error) => toast(words(error)),
  });
  const who = people?.items.find(({ user_id }) => user_id === waiting?.requested_by)?.name ?? '';
  return (
    <li>
      <div className="record-main">
        <div className="record-name">
          <bdi>{of.name}</bdi>
          <span className="tag">{say(`kind_${of.type}`)}</span>
          {confirm.isSuccess && <span className="tag">{say('going')}</span>}
        </div>
        <div className="record-facts">
          <span>{say('deleted_on', { date: calendarDate(of.deleted_at, say.language) })}</span>
          <span>{say('purged_on', { date: calendarDate(of.purged_at, say.language) })}</span>
          {of.reports > 0 && <span>{say.count('quoted_by', of.reports)}</span>}
        </div>
        {waiting && (
          <p>
            {say('purge_waits', { name: who, when: dateAndTime(waiting.created_at, say.language) })}{' '}
            <bdi>{waiting.reason}</bdi>
          </p>
        )}
      </div>
      <div className="record-actions" hidden={confirm.isSuccess}>
        {!waiting && may('purge.request') && (
          <Button onClick={() => ask('request')}>{say('purge_request')}</Button>
        )}
        {waiting && may('purge.request') && (
          <Button disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {say('withdraw')}
          </Button>
        )}
        {waiting && may('purge.confirm') && waiting.requested_by !== me?.id && (
          <Button kind="danger" onClick={() => ask('confirm')}>
            {say('purge_confirm')}
          </Button>
        )}
      </div>
      {asked === 'request' && (
        <Confirm
          title={say('purge_request')}
          verb={say('purge_ask')}
          doing={request}
          isReady={reason.trim() !== ''}
          onConfirm={() => request.mutate()}
          onClose={() => ask(undefined)}
        >
          <p>
            <bdi>{of.name}</bdi>
          </p>
          <p className="hint">{say('purge_text')}</p>
          <Field label={say('reason')}>
            <textarea
              className="input"
              maxLength={1000}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        </Confirm>
      )}
      {asked === 'confirm' && waiting && (
        <Confirm
          title={say('purge_confirm')}
          verb={say('purge_confirm')}
          doing={confirm}
          onConfirm={() => confirm.mutate()}
          onClose={() => ask(undefined)}
        >
          <p>
            <bdi>{of.name}</bdi>
          </p>
          <p>
            {say('purge_waits', { name: who, when: dateAndTime(waiting.created_at, say.language) })}{' '}
            <bdi>{waiting.reason}</bdi>
          </p>
          <p className="hint">{say('purge_final')}</p>
        </Confirm>
      )}
    </li>
  );
}

function Archives({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const archives = useQuery({
    queryKey: ['archives', workspace],
    queryFn: ({ signal }) =>
      take(
        api.GET('/workspaces/{id}/exports', {
          params: { path: { id: workspace }, query: { limit: 20 } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'queued' || status === 'running')
        ? ASK_AGAIN_MILLISECONDS
        : false,
  });
  const make = useMutation({
    mutationFn: () => take(api.POST('/workspaces/{id}/export', { params: { path: { id: workspace } } })),
    onError: (error) => toast(words(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['archives', workspace] }),
  });
  return (
    <Panel
      title={say('archive')}
      aside={
        <Button disabled={make.isPending} onClick={() => make.mutate()}>
          {say('archive_make')}
        </Button>
      }
    >
      <div className="form">
        <p className="hint">{say('archive_text')}</p>
        <Loaded query={archives} lines={2}>
          {({ items }) =>
            items.length === 0 ? (
              <p>{say('archive_none')}</p>
            ) : (
              <ul className="records" aria-label={say('archive')}>
                {items.map((one) => (
                  <li key={one.id}>
                    <div className="record-main">
                      <div className="record-name">
                        {dateAndTime(one.created_at, say.language)}
                        <span className="tag">
                          {one.status === 'running'
                            ? say('archive_running', { percent: percent(one.percent, say.language) })
                            : say(`archive_${one.status}`)}
                        </span>
                      </div>
                      <div className="record-facts">
                        {one.file_size !== null && <span>{fileSize(one.file_size, say.language)}</span>}
                        {one.expires_at && one.status === 'completed' && (
                          <span>{say('until', { date: calendarDate(one.expires_at, say.language) })}</span>
                        )}
                        {one.sha256 && (
                          <span className="mono" title={one.sha256}>
                            {say('hash', { hash: one.sha256.slice(0, 12) })}
                          </span>
                        )}
                      </div>
                      {one.left_out.length > 0 && (
                        <p className="field-hint">
                          {say('left_out')} <bdi>{one.left_out.join('; ')}</bdi>
                        </p>
                      )}
                      {one.error && (
                        <p className="record-wrong">
                          <bdi>{one.error}</bdi>
                        </p>
                      )}
                    </div>
                    <div className="record-actions">
                      {one.status === 'completed' && (
                        <a
                          className="button"
                          href={`/api/v1/workspaces/${workspace}/exports/${one.id}/download`}
                          download
                        >
                          <Icon name="download" /> {say('download')}
                        </a>
                      )}
                    </div>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </Panel>
  );
}
