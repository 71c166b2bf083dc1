import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useInstallation } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { useFailureWords } from '../../parts/states.tsx';
import { fileSize, percent } from '../../words/moments.ts';
import { clear, compare, decide, remove, type Sending, sendAll, useSendings } from './sending.ts';
import { useWords } from './use-words.ts';

const UNDER_WAY: ReadonlySet<Sending['state']> = new Set([
  'comparing',
  'chosen',
  'waiting',
  'sending',
  'checking',
]);

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
  const sendable = own.filter(({ state }) => !state.startsWith('refused') && state !== 'same');
  const sent = sendable.filter(({ state }) => state === 'sent').length;
  const share = sendable.reduce((sum, one) => sum + one.share, 0) / Math.max(sendable.length, 1);
  const waits = own.some(({ state }) => state === 'chosen');
  // What has arrived stands in the list of documents below: only what still wants something is kept above it.
  const isUnderWay = own.some(({ state }) => UNDER_WAY.has(state));
  const shown = isUnderWay ? own : own.filter(({ state }) => state !== 'sent');
  const here = own.filter(({ state }) => state === 'same').length;
  return (
    <section className="panel upload-queue" aria-label={say('queue')}>
      <header>
        <span role="status">
          {say('sending', { done: sent, total: sendable.length })}
          {here > 0 && ` · ${say.count('already_here', here)}`}
        </span>
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
        {shown.map((one) => (
          <Line
            key={one.id}
            one={one}
            limit={installation.uploads.max_bytes}
            onAgain={() =>
              one.state === 'not_compared'
                ? void compare(workspace)
                : sendAll(workspace, installation.uploads, refresh)
            }
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
    comparing: say('comparing'),
    not_compared: one.error === undefined ? '' : failure(one.error),
    chosen: one.same
      ? say('was_version', { version: one.same.version, name: one.same.name })
      : fileSize(one.file.size, say.language),
    same: one.same ? say('same', { version: one.same.version, name: one.same.name }) : say('same_file'),
    refused_size: say('refused_size', { size: fileSize(limit, say.language) }),
    refused_kind: say('refused_kind'),
    refused_name: say('refused_name'),
    refused_room: say('refused_room'),
    waiting: say('waiting'),
    sending: say('share', { percent: percent(100 * one.share, say.language) }),
    checking: say('checking'),
    sent: say('sent'),
    failed: one.error === undefined ? '' : failure(one.error),
  };
  const hasFailed = one.state === 'failed' || one.state === 'not_compared';
  const isRefused = hasFailed || one.state.startsWith('refused');
  return (
    <li>
      <Icon
        name={one.state === 'sent' || one.state === 'same' ? 'done' : isRefused ? 'warning' : 'documents'}
      />
      <span className="upload-name">
        <bdi>{one.file.name}</bdi>
      </span>
      {one.candidates.length > 0 && one.state === 'chosen' ? (
        <select
          className="input"
          aria-label={say('decide', { name: one.file.name })}
          value={one.versionOf ?? ''}
          onChange={(event) => decide(one.id, event.target.value || undefined)}
        >
          {one.candidates.map(({ id, name, version }) => (
            <option key={id} value={id}>
              {say('as_version', { version: version + 1, name })}
            </option>
          ))}
          <option value="">{say('as_new')}</option>
        </select>
      ) : (
        <span />
      )}
      <span className="upload-state" data-refused={isRefused || undefined}>
        {words[one.state]}
      </span>
      {hasFailed ? (
        <Button onClick={onAgain}>{say(one.state === 'failed' ? 'try_again' : 'compare_again')}</Button>
      ) : (
        <Button
          kind="quiet"
          iconOnly
          aria-label={say('remove')}
          disabled={['comparing', 'sending', 'checking'].includes(one.state)}
          onClick={() => remove(one.id)}
        >
          <Icon name="close" />
        </Button>
      )}
    </li>
  );
}
