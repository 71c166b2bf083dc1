import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Input } from '../../parts/field.tsx';
import { Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { OwnStandard } from './own-standard.tsx';
import { useWords } from './use-words.ts';
import '../../parts/list.css';

/** The known standards: what is built in of each, and which ones the workspace has. */
export default function LibraryPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const [query, setQuery] = useSearchParams();
  const [isAdding, addOwn] = useState(false);
  const search = query.get('search') ?? '';
  const group = query.get('group') ?? '';
  const catalog = useQuery({
    queryKey: ['catalog'],
    staleTime: 600_000,
    queryFn: ({ signal }) =>
      take(api.GET('/standards/common', { params: { query: { limit: 100 } }, signal })),
  });
  const own = useQuery({
    queryKey: ['standards', workspace],
    queryFn: ({ signal }) =>
      take(
        api.GET('/standards', {
          params: { query: { workspace_id: workspace, limit: 100, sort: 'name' } },
          signal,
        }),
      ),
  });
  const set = (name: string, value: string): void =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('library')}</h1>
        {may('standards.write') && (
          <Button onClick={() => addOwn(true)}>
            <Icon name="upload" /> {say('own_add')}
          </Button>
        )}
      </div>
      <Loaded query={catalog}>
        {({ items }) => {
          const groups = [...new Set(items.map((one) => one.group))].sort();
          const wanted = items.filter(
            (one) =>
              (!group || one.group === group) &&
              `${one.designation} ${one.short_name} ${one.title}`
                .toLowerCase()
                .includes(search.toLowerCase()),
          );
          return (
            <>
              <div className="row">
                <Input
                  type="search"
                  aria-label={say('find')}
                  placeholder={say('find')}
                  value={search}
                  onChange={(event) => set('search', event.target.value)}
                />
                <select
                  className="input"
                  aria-label={say('group')}
                  value={group}
                  onChange={(event) => set('group', event.target.value)}
                >
                  <option value="">{say('all_groups')}</option>
                  {groups.map((one) => (
                    <option key={one} value={one}>
                      {one.replaceAll('_', ' ')}
                    </option>
                  ))}
                </select>
              </div>
              {wanted.length === 0 && <p className="quiet">{say('no_match')}</p>}
              <ul className="cards">
                {wanted.map((one) => (
                  <Entry
                    key={one.id}
                    of={one}
                    newer={one.superseded_by.map(
                      (id) => items.find((each) => each.id === id)?.designation ?? id,
                    )}
                    workspace={workspace}
                    mayAdopt={may('standards.write')}
                    isAdopted={own.data?.items.some(({ catalog_id }) => catalog_id === one.id) ?? false}
                  />
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
      {isAdding && <OwnStandard workspace={workspace} onClose={() => addOwn(false)} />}
    </div>
  );
}

function Entry({
  of,
  newer,
  workspace,
  mayAdopt,
  isAdopted,
}: {
  readonly of: Api['CatalogStandard'];
  /** Names of those that take its place. */
  readonly newer: readonly string[];
  readonly workspace: string;
  readonly mayAdopt: boolean;
  readonly isAdopted: boolean;
}) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const adopt = useMutation({
    mutationFn: () => take(api.POST('/standards', { body: { workspace_id: workspace, catalog_id: of.id } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['standards', workspace] });
      void client.invalidateQueries({ queryKey: ['overview', workspace] });
      toast(say('adopted_now', { name: of.short_name }));
    },
    onError: (error) => toast(words(error)),
  });
  const isBuiltIn = of.builtin_structure !== 'none';
  return (
    <li className="card">
      <h2>{of.designation}</h2>
      <p>{of.title}</p>
      <p className="small">
        {say('edition', { edition: of.edition })}
        {newer.length > 0 && <> · {say('superseded', { by: newer.join(', ') })}</>}
      </p>
      <p className="card-foot">
        {isBuiltIn ? <span className="tag">{say('built_in')}</span> : null}
        {isAdopted ? (
          <span className="tag">
            <Icon name="done" /> {say('adopted')}
          </span>
        ) : (
          mayAdopt &&
          isBuiltIn && (
            <Button disabled={adopt.isPending} onClick={() => adopt.mutate()}>
              <Icon name="add" /> {say('adopt')}
            </Button>
          )
        )}
      </p>
      {!isBuiltIn && <p className="small">{say('outline_only')}</p>}
    </li>
  );
}
