import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useInstallation } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { useFailureWords } from '../../parts/states.tsx';
import { fileSize, percent } from '../../words/moments.ts';
import { clear, decide, remove, type Sending, sendAll, useSendings } from './sending.ts';
import { useWords } from './use-words.ts';

/** Files that were chosen: what becomes of each, and how far it is. */
export function Queue({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const client = useQueryClient();
  const { data: installation } = useInstallation();
  const own = useSendings().filter((one) => one.workspace === workspace);
  const refresh = useCallback(
    () => void client.invalidateQueries({ queryKey: ['documents', workspace] }),
    [client, workspace],
  );
  if (own.length === 0 || !installation) return null;
  const sendable = own.filter(({ state }) => !state.startsWith('refused'));
  const sent = sendable.filter(({ state }) => state === 'sent').length;
  const share = sendable.reduce((sum, one) => sum + one.share, 0) / Math.max(sendable.length, 1);
  const waits = own.some(({ state }) => state === 'chosen');
  return (
    <section className="panel upload-queue" aria-label={say('queue')}>
      <header>
        <span role="status">{say('sending', { done: sent, total: sendable.length })}</span>
        <span className="bar">
          <span style={{ width: `${100 * share}%` }} />
        </span>
        <Button kind="quiet" onClick={() => clear(workspace)}>
          {say('clear')}
        </Button>
        {waits && (
          <Button kind="primary" onClick={() => sendAll(workspace, installation.uploads, refresh)}>
            {say('send_all')}
          </Button>
        )}
      </header>
      <ul>
        {own.map((one) => (
          <Line
            key={one.id}
            one={one}
            limit={installation.uploads.max_bytes}
            onAgain={() => sendAll(workspace, installation.uploads, refresh)}
          />
        ))}
      </ul>
    </section>
  );
}

function Line({
  one,
  limit,
  onAgain,
}: {
  readonly one: Sending;
  readonly limit: number;
  readonly onAgain: () => void;
}) {
  const say = useWords();
  const failure = useFailureWords();
  const words: Readonly<Record<Sending['state'], string>> = {
    chosen: fileSize(one.file.size, say.language),
    refused_size: say('refused_size', { size: fileSize(limit, say.language) }),
    refused_kind: say('refused_kind'),
    waiting: say('waiting'),
    sending: say('share', { percent: percent(100 * one.share, say.language) }),
    checking: say('checking'),
    sent: say('sent'),
    failed: one.error === undefined ? '' : failure(one.error),
  };
  const isRefused = one.state.startsWith('refused') || one.state === 'failed';
  return (
    <li>
      <Icon name={one.state === 'sent' ? 'done' : isRefused ? 'warning' : 'documents'} />
      <span className="upload-name">
        <bdi>{one.file.name}</bdi>
      </span>
      {one.versionOf && one.state === 'chosen' ? (
        <select
          className="input"
          aria-label={say('decide')}
          value={one.asNew ? 'new' : 'version'}
          onChange={(event) => decide(one.id, event.target.value === 'new')}
        >
          <option value="version">
            {say('as_version', { version: one.versionOf.version, name: one.versionOf.name })}
          </option>
          <option value="new">{say('as_new')}</option>
        </select>
      ) : (
        <span />
      )}
      <span className="upload-state" data-refused={isRefused || undefined}>
        {words[one.state]}
      </span>
      {one.state === 'failed' ? (
        <Button onClick={onAgain}>{say('try_again')}</Button>
      ) : (
        <Button
          kind="quiet"
          iconOnly
          aria-label={say('remove')}
          disabled={['sending', 'checking'].includes(one.state)}
          onClick={() => remove(one.id)}
        >
          <Icon name="close" />
        </Button>
      )}
    </li>
  );
}
