import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { STARTED } from '../../app/runs.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Breakable } from '../../parts/breakable.tsx';
import { Button } from '../../parts/button.tsx';
import { Input } from '../../parts/field.tsx';
import { Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ago } from '../../words/moments.ts';
import { ANSWERS, ItemVerdict } from './item-verdict.tsx';
import { useWords } from './use-words.ts';
import '../../parts/list.css';

const GROUPS = ['own', 'functional_safety', 'cybersecurity', 'process'] as const;

/** The checklists of a workspace and those that are built in, each with its newest run. */
export default function ChecklistsPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const [search, setSearch] = useState('');
  const checklists = useQuery({
    queryKey: ['checklists', workspace, 'states'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/compliance/checklists', {
          params: { query: { workspace_id: workspace, limit: 100, include: 'state' } },
          signal,
        }),
      ),
  });
  const titleOf = ({ title }: Api['ListedChecklist']): string =>
    (say.language === 'de' && title.de) || title.en;
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('checklists')}</h1>
        {may('templates.write') && (
          <Link className="button" href={`/w/${workspace}/settings/checklists/new`}>
            <Icon name="add" /> {say('add_own')}
          </Link>
        )}
        <Input
          type="search"
          className="input run-choice"
          aria-label={say('find')}
          placeholder={say('find')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <Loaded query={checklists}>
        {({ items }) =>
          GROUPS.map((group) => {
            const shown = items.filter(
              (one) =>
                one.group === group &&
                `${one.key} ${titleOf(one)}`.toLowerCase().includes(search.toLowerCase()),
            );
            return (
              shown.length > 0 && (
                <section key={group} className="stack">
                  <h2>{say(group)}</h2>
                  <ul className="cards">
                    {shown.map((one) => (
                      <Card key={one.id} of={one} title={titleOf(one)} workspace={workspace} />
                    ))}
                  </ul>
                </section>
              )
            );
          })
        }
      </Loaded>
    </div>
  );
}

function Card({
  of,
  title,
  workspace,
}: {
  readonly of: Api['ListedChecklist'];
  readonly title: string;
  readonly workspace: string;
}) {
  const say = useWords();
  const may = useMay(workspace);
  return (
    <li className="card">
      <h3>
        <Link href={`/w/${workspace}/checklists/${of.id}`}>
          <Breakable name={title} />
        </Link>
      </h3>
      <p className="small">
        <span className="mono">{of.key}</span> · {say.count('items', of.item_count)}
      </p>
      {of.state && (
        <p className="row small">
          {([...ANSWERS, 'to_be_reviewed'] as const)
            .filter((one) => (of.state?.counts[one] ?? 0) > 0)
            .map((one) => (
              <span key={one} className="state-label">
                <ItemVerdict of={one} /> {of.state?.counts[one]}
              </span>
            ))}
        </p>
      )}
      <p className="card-foot">
        <span className="quiet">
          {of.state
            ? [
                of.state.needed === 0
                  ? say('nothing_needed')
                  : say('reviewed', { done: of.state.done, needed: of.state.needed }),
                ...(of.state.released ? [say('approved')] : []),
                ago(of.state.finished_at, say.language),
              ].join(' · ')
            : say('never')}
        </span>
        {may('analyses.start') && <RunChecklist workspace={workspace} checklist={of.id} />}
      </p>
    </li>
  );
}

export function RunChecklist({
  workspace,
  checklist,
}: {
  readonly workspace: string;
  readonly checklist: string;
}) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const start = useMutation({
    mutationFn: () =>
      take(
        api.POST('/compliance/checklist', {
          body: {
            ...STARTED,
            workspace_id: workspace,
            checklist_id: checklist,
            options: { conditions: {}, aliases: [] },
          },
        }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['runs', workspace] });
      toast(say('started'));
    },
    onError: (error) => toast(words(error)),
  });
  return (
    <Button disabled={start.isPending} onClick={() => start.mutate()}>
      <Icon name="runs" /> {say('run')}
    </Button>
  );
}
