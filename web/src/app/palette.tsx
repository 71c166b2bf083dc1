import { type ReactNode, useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { Icon, type IconName, type Severity, StateGlyph } from '../look/glyphs.tsx';
import { changeLook } from '../look/look.ts';
import { useLook } from '../look/use-look.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Highlighted } from '../parts/highlighted.tsx';
import { placeInWords } from '../parts/place.ts';
import { placeAddress } from '../parts/quote.tsx';
import { useFailureWords } from '../parts/states.tsx';
import { useCommonWords } from '../parts/use-words.ts';
import { screens } from '../screens/registry.ts';
import { number } from '../words/moments.ts';
import { type Hit, type HitGroup, LONGEST, useSearch } from './search.ts';
import { useAppWords } from './use-words.ts';
import { useMay, useWorkspaces } from './workspace.ts';

interface Choice {
  readonly id: string;
  readonly words: ReactNode;
  readonly icon?: IconName;
  readonly severity?: Severity;
  readonly act: () => void;
}
interface Group {
  readonly name: 'screens' | 'workspaces' | 'actions' | HitGroup['type'];
  readonly choices: readonly Choice[];
  /** How many there are, where more are than can be chosen. */
  readonly total?: number;
}

/** Of each kind that is searched. */
const MOST = 5;

/** Search over everything of the workspace, and every screen and setting by its name. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const say = useAppWords();
  const [words, setWords] = useState('');
  const [chosen, choose] = useState(0);
  const list = useId();
  const failure = useFailureWords();
  const { groups, searched } = useGroups(words);
  const choices = groups.flatMap((group) => group.choices);
  const at = Math.min(chosen, choices.length - 1);
  // Enter right behind the last letter means what these words find, not what the ones before did.
  const [isEntered, enter] = useState(false);
  const isHeld = searched.isPending && chosen === 0;
  const act = (choice: Choice | undefined): void => {
    if (!choice) return;
    onClose();
    choice.act();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the answer is there
  useEffect(() => {
    if (!isEntered || isHeld) return;
    enter(false);
    act(choices[at]);
  }, [isEntered, isHeld]);
  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, at]);
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
        maxLength={LONGEST}
        onChange={(event) => {
          setWords(event.target.value);
          choose(0);
          enter(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') choose(Math.min(at + 1, choices.length - 1));
          else if (event.key === 'ArrowUp') choose(Math.max(at - 1, 0));
          else if (event.key === 'Enter') {
            if (isHeld) enter(true);
            else act(choices[at]);
          } else return;
          event.preventDefault();
        }}
      />
      <div id={list} className="palette-list" role="listbox" aria-label={say('palette')}>
        {groups.map(({ name, choices: of, total }) => (
          <div key={name} role="group" aria-label={say(`group_${name}`)}>
            <div role="presentation">
              {say(`group_${name}`)}
              {total !== undefined &&
                ` · ${say('of_total', { count: of.length, total: number(total, say.language) })}`}
            </div>
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
                  {choice.words}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {searched.error ? (
        <p role="alert">{failure(searched.error)}</p>
      ) : (
        choices.length === 0 &&
        !searched.isPending && <p role="status">{say(searched.isOn ? 'palette_none' : 'palette_no_name')}</p>
      )}
      {searched.unsearched > 0 && <p className="quiet">{say.count('unsearched', searched.unsearched)}</p>}
    </Dialog>
  );
}

function useGroups(words: string) {
  const say = useAppWords();
  const { language, theme } = useLook();
  const [address, go] = useLocation();
  const workspace = /^\/w\/([^/]+)/.exec(address)?.[1];
  const may = useMay(workspace ?? '');
  const workspaces = useWorkspaces().data?.items ?? [];
  const found = useSearch(workspace, words, { limit: MOST });
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
    ...found.groups.map(({ type, total, items }) => ({
      name: type,
      choices: items.map((hit) => ({
        id: hit.id,
        words: <HitWords of={hit} />,
        ...(hit.severity ? { severity: hit.severity } : { icon: ICONS[type] }),
        act: () => go(addressOf(workspace!, type, hit)),
      })),
      ...(total > items.length && { total }),
    })),
    {
      name: 'workspaces',
      choices: workspaces
        .filter(({ id, name }) => id !== workspace && fits(name))
        .slice(0, MOST)
        .map(({ id, name }) => ({
          id,
          words: <bdi>{name}</bdi>,
          icon: 'workspaces',
          act: () => go(`/w/${id}`),
        })),
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
  return {
    groups: groups.filter(({ choices }) => choices.length > 0),
    searched: { ...found, isOn: workspace !== undefined },
  };
}

const ICONS: Readonly<Record<HitGroup['type'], IconName>> = {
  artifact: 'trace',
  gap: 'gaps',
  work_product: 'documents',
  standard: 'standards',
  criterion: 'standards',
  checklist: 'checklists',
  report: 'reports',
  passage: 'search',
};

function addressOf(workspace: string, type: HitGroup['type'], hit: Hit): string {
  const id = encodeURIComponent(hit.id);
  const at = `/w/${workspace}`;
  switch (type) {
    case 'artifact':
      return `${at}/trace/artifacts/${id}`;
    case 'gap':
      return `${at}/gaps/${id}`;
    case 'work_product':
      return `${at}/documents/${id}`;
    case 'standard':
      return `${at}/standards/${id}`;
    case 'criterion':
      return `${at}/standards/${hit.standard_id}?at=${id}`;
    case 'checklist':
      return `${at}/checklists/${id}`;
    case 'report':
      return `${at}/reports?at=${id}`;
    case 'passage':
      return placeAddress(workspace, {
        work_product_id: hit.work_product_id!,
        version: hit.version!,
        range: hit.range,
      });
  }
}

function HitWords({ of }: { readonly of: Hit }) {
  const common = useCommonWords();
  const place = of.location && placeInWords(of.location, common);
  return (
    <span className="hit">
      <Highlighted text={of.label} at={of.label_highlights} />
      {place && (
        <>
          {' '}
          <span className="small quiet">{place}</span>
        </>
      )}
      {of.text !== null && (
        <>
          {' '}
          <span className="hit-text">
            <Highlighted text={of.text} at={of.text_highlights} />
          </span>
        </>
      )}
    </span>
  );
}
