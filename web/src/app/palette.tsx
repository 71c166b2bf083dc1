import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { api, take } from '../api/client.ts';
import { Icon, type IconName, type Severity, StateGlyph } from '../look/glyphs.tsx';
import { changeLook } from '../look/look.ts';
import { useLook } from '../look/use-look.ts';
import { Dialog } from '../parts/dialog.tsx';
import { screens } from '../screens/registry.ts';
import { useAppWords } from './use-words.ts';
import { useMay, useWorkspaces } from './workspace.ts';

interface Choice {
  readonly id: string;
  readonly words: string;
  readonly icon?: IconName;
  readonly severity?: Severity;
  readonly act: () => void;
}
interface Group {
  readonly name: 'screens' | 'workspaces' | 'documents' | 'gaps' | 'actions';
  readonly choices: readonly Choice[];
}

/** Of each kind that is searched. */
const MOST = 6;

/** Search over what has a name, and every screen and setting by its name. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const say = useAppWords();
  const [words, setWords] = useState('');
  const [chosen, choose] = useState(0);
  const list = useId();
  const groups = useGroups(words);
  const choices = groups.flatMap((group) => group.choices);
  const at = Math.min(chosen, choices.length - 1);
  const act = (choice: Choice | undefined): void => {
    if (!choice) return;
    onClose();
    choice.act();
  };
  return (
    <Dialog title={say('palette')} className="palette" onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-label={say('palette')}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={at >= 0 ? `${list}-${at}` : undefined}
        placeholder={say('palette')}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          choose(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') choose(Math.min(at + 1, choices.length - 1));
          else if (event.key === 'ArrowUp') choose(Math.max(at - 1, 0));
          else if (event.key === 'Enter') act(choices[at]);
          else return;
          event.preventDefault();
        }}
      />
      <div id={list} className="palette-list" role="listbox" aria-label={say('palette')}>
        {groups.map(({ name, choices: of }) => (
          <div key={name} role="group" aria-label={say(`group_${name}`)}>
            <div role="presentation">{say(`group_${name}`)}</div>
            {of.map((choice) => {
              const index = choices.indexOf(choice);
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
                <div
                  key={choice.id}
                  id={`${list}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  onPointerMove={() => choose(index)}
                  onClick={() => act(choice)}
                >
                  {choice.severity ? (
                    <StateGlyph of={choice.severity} />
                  ) : (
                    choice.icon && <Icon name={choice.icon} />
                  )}
                  <bdi>{choice.words}</bdi>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p role="status">{say('palette_none')}</p>}
    </Dialog>
  );
}

function useGroups(words: string): readonly Group[] {
  const say = useAppWords();
  const { language, theme } = useLook();
  const [address, go] = useLocation();
  const workspace = /^\/w\/([^/]+)/.exec(address)?.[1];
  const may = useMay(workspace ?? '');
  const workspaces = useWorkspaces().data?.items ?? [];
  const found = useFound(workspace, useDeferredValue(words.trim()));
  const fits = (text: string): boolean => text.toLowerCase().includes(words.trim().toLowerCase());
  const groups: readonly Group[] = [
    {
      name: 'screens',
      choices: workspace
        ? screens
            .filter(
              ({ rail, permission, title }) =>
                rail && (!permission || may(permission)) && fits(title[language]),
            )
            .map(({ path, title, rail }) => ({
              id: path,
              words: title[language],
              icon: rail!.icon,
              act: () => go(path.replace(':ws', workspace)),
            }))
        : [],
    },
    {
      name: 'gaps',
      choices: found.gaps.map(({ id, title, severity }) => ({
        id,
        words: title,
        severity,
        act: () => go(`/w/${workspace}/gaps/${id}`),
      })),
    },
    {
      name: 'documents',
      choices: found.documents.map(({ id, name }) => ({
        id,
        words: name,
        icon: 'documents',
        act: () => go(`/w/${workspace}/documents/${id}`),
      })),
    },
    {
      name: 'workspaces',
      choices: workspaces
        .filter(({ id, name }) => id !== workspace && fits(name))
        .slice(0, MOST)
        .map(({ id, name }) => ({ id, words: name, icon: 'workspaces', act: () => go(`/w/${id}`) })),
    },
    {
      name: 'actions',
      choices: [
        {
          id: 'theme',
          words: say(theme === 'dark' ? 'do_light' : 'do_dark'),
          icon: 'settings' as const,
          act: () => changeLook({ theme: theme === 'dark' ? 'light' : 'dark' }),
        },
        {
          id: 'language',
          words: say('do_language'),
          icon: 'settings' as const,
          act: () => changeLook({ language: language === 'en' ? 'de' : 'en' }),
        },
        {
          id: 'appearance',
          words: say('appearance'),
          icon: 'settings' as const,
          act: () => go('/me/appearance'),
        },
      ].filter((choice) => fits(choice.words)),
    },
  ];
  return groups.filter(({ choices }) => choices.length > 0);
}

/** What of the workspace has these words; nothing for fewer than two letters. */
function useFound(workspace: string | undefined, words: string) {
  const { data } = useQuery({
    queryKey: ['found', workspace, words],
    enabled: workspace !== undefined && words.length > 1,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { workspace_id: workspace!, search: words, limit: MOST };
      const [gaps, documents] = await Promise.all([
        take(
          api.GET('/analysis/gaps/summaries', { params: { query: { ...query, sort: '-severity' } }, signal }),
        ),
        take(api.GET('/work-products', { params: { query: { ...query, sort: 'name' } }, signal })),
      ]);
      return { gaps: gaps.items, documents: documents.items };
    },
  });
  return words.length > 1 && data ? data : { gaps: [], documents: [] };
}
