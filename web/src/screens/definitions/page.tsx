import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { More } from '../../parts/more.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ago } from '../../words/moments.ts';
import { SettingsPage } from '../settings/settings-page.tsx';
import { isChecklist, KINDS, type KindName, titleOf, useKind } from './kinds.ts';
import { useWords } from './use-words.ts';

type Listed = Awaited<ReturnType<(typeof KINDS)[KindName]['list']>>['items'][number];

/** The checklists, or the templates, of a workspace, and those that are built in. */
export default function DefinitionsPage() {
  const say = useWords();
  const kind = useKind();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  return (
    <SettingsPage>
      <Panel
        title={say(`own_${kind}`)}
        aside={
          may('templates.write') && (
            <Link className="button" data-kind="primary" href={`/w/${workspace}/settings/${kind}/new`}>
              <Icon name="add" /> {say(`add_${kind}`)}
            </Link>
          )
        }
      >
        <div className="form">
          <p className="hint">{say(`about_${kind}`)}</p>
          <List key={kind} kind={kind} builtIn={false} />
        </div>
      </Panel>
      <Panel title={say('built_in')}>
        <div className="form">
          <p className="hint">{say(`shipped_${kind}`)}</p>
          <List key={kind} kind={kind} builtIn />
        </div>
      </Panel>
    </SettingsPage>
  );
}

function List({ kind, builtIn }: { readonly kind: KindName; readonly builtIn: boolean }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const list = useInfiniteQuery({
    queryKey: [kind, workspace, 'definitions', builtIn],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      KINDS[kind].list(
        {
          workspace_id: workspace,
          built_in: builtIn,
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <Loaded query={list} lines={3}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        return items.length === 0 ? (
          <p>{say(`none_${kind}`)}</p>
        ) : (
          <>
            <ul className="records" aria-label={say(builtIn ? 'built_in' : `own_${kind}`)}>
              {items.map((one) => (
                <Line key={one.id} of={one} kind={kind} />
              ))}
            </ul>
            <More of={list} />
          </>
        );
      }}
    </Loaded>
  );
}

function Line({ of, kind }: { readonly of: Listed; readonly kind: KindName }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const client = useQueryClient();
  const [isAsked, ask] = useState(false);
  const title = titleOf(of, say.language);
  const remove = useMutation({
    mutationFn: async () => KINDS[kind].remove(of.id, (await KINDS[kind].read(of.id)).tag),
    onSuccess: () => {
      ask(false);
      toast(say('deleted', { name: title }));
      void client.invalidateQueries({ queryKey: [kind, workspace] });
    },
  });
  return (
    <li>
      <div className="record-main">
        <div className="record-name">
          <Link href={`/w/${workspace}/settings/${kind}/${of.id}`}>
            <bdi>{title}</bdi>
          </Link>
          {!isChecklist(of) && of.replaces_built_in && <span className="tag">{say('replaces')}</span>}
        </div>
        <div className="record-facts">
          {isChecklist(of) ? (
            <>
              <span className="mono">{of.key}</span>
              <span>{say.count('items', of.item_count)}</span>
            </>
          ) : (
            <>
              <span className="mono">{of.type}</span>
              <span>{say.count('sections', of.sections.length)}</span>
              <span>{say.count('tables', of.tables.length)}</span>
            </>
          )}
          {of.updated_at && (
            <span>{say('revision', { revision: of.revision, when: ago(of.updated_at, say.language) })}</span>
          )}
        </div>
      </div>
      {!of.built_in && may('templates.write') && (
        <div className="record-actions">
          <Link className="button" href={`/w/${workspace}/settings/${kind}/${of.id}`}>
            {say('edit')}
          </Link>
          <Button kind="danger" onClick={() => ask(true)}>
            {say('delete')}
          </Button>
        </div>
      )}
      {isAsked && (
        <Confirm
          title={say(`delete_${kind}`)}
          verb={say('delete')}
          doing={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => ask(false)}
        >
          <p>
            <bdi>{title}</bdi>
          </p>
          <p className="hint">{say(`delete_text_${kind}`)}</p>
        </Confirm>
      )}
    </li>
  );
}
