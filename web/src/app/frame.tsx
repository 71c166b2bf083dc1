import { useQueryClient } from '@tanstack/react-query';
import {
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Link, useLocation } from 'wouter';
import { api, take } from '../api/client.ts';
import { forgetDrafts, tellOtherTabs } from '../api/session.ts';
import { useConnected, useWorkspaceEvents, useWorkspaceStream, type WorkspaceEvent } from '../api/stream.ts';
import { Icon } from '../look/glyphs.tsx';
import { changeLook, look } from '../look/look.ts';
import { useLook } from '../look/use-look.ts';
import { Button } from '../parts/button.tsx';
import { toast, undoLast } from '../parts/toasts.tsx';
import { screens } from '../screens/registry.ts';
import { KeySheet } from './key-sheet.tsx';
import { beginKeys, type KeyMap, useKeys } from './keys.ts';
import { NewVersion, part } from './new-version.tsx';
import { useOpenWorkspace } from './opening.ts';
import type { Screen } from './screen.ts';
import { useAppWords } from './use-words.ts';
import {
  useInstallation,
  useMay,
  useOwnPermissions,
  useProfile,
  useWorkspace,
  useWorkspaceId,
  useWorkspaces,
} from './workspace.ts';
import './frame.css';

const COMMAND = navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K';
const palette = () => part(import('./palette.tsx'));
const Palette = lazy(palette);
const inRail = screens.filter((screen) => screen.rail);

/** What stands around a screen: bar on top, and in a workspace the rail with its screens. */
export function Frame({
  kind,
  children,
}: {
  readonly kind: 'person' | 'workspace';
  readonly children: ReactNode;
}) {
  const say = useAppWords();
  const { railIsNarrow } = useLook();
  const [menuIsOpen, openMenu] = useState(false);
  const [paletteIsOpen, openPalette] = useState(false);
  const [address] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes wherever somebody goes
  useEffect(() => openMenu(false), [address]);
  const content = useFocusOnScreen(address);
  const search = (): void => {
    palette().then(
      () => openPalette(true),
      () => toast(say('not_loaded')),
    );
  };
  return (
    <div className="frame" data-kind={kind} data-rail={railIsNarrow ? 'narrow' : 'wide'}>
      <a className="skip-link" href="#content">
        {say('skip')}
      </a>
      <header className="top-bar">
        {kind === 'workspace' && (
          <Button
            className="menu-button"
            kind="quiet"
            iconOnly
            aria-label={say('open_menu')}
            aria-expanded={menuIsOpen}
            onClick={() => openMenu(!menuIsOpen)}
          >
            <Icon name="menu" />
          </Button>
        )}
        <Link className="home-link" href="/" title={say('work')}>
          <img src="/icon.svg" alt="Normtrace" width="22" height="22" />
        </Link>
        {kind === 'workspace' ? <Switcher /> : <span className="top-title">{say('work')}</span>}
        {kind === 'workspace' && <Live />}
        {kind === 'workspace' && <NewVersion />}
        <button type="button" className="palette-button" onClick={search}>
          <Icon name="search" /> <span>{say('palette')}</span> <kbd>{COMMAND}</kbd>
        </button>
        <Account />
      </header>
      {kind === 'workspace' && <Rail isOpen={menuIsOpen} />}
      <main ref={content} id="content" className="content" tabIndex={-1}>
        {children}
      </main>
      <Keys kind={kind} onPalette={search} />
      {paletteIsOpen && (
        <Suspense>
          <Palette onClose={() => openPalette(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Whoever works with keys or listens goes on in the screen that has come, not where the way to it was. */
function useFocusOnScreen(address: string): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  const last = useRef(address);
  useEffect(() => {
    if (last.current === address) return;
    last.current = address;
    if (content.current && !content.current.contains(document.activeElement)) content.current.focus();
  }, [address]);
  return content;
}

function Switcher() {
  const say = useAppWords();
  const id = useWorkspaceId();
  const { data: all } = useWorkspaces();
  const { data: open } = useWorkspace(id);
  const [, go] = useLocation();
  const items = all?.items ?? [];
  const missing = open && !items.some((item) => item.id === open.id) ? [open] : [];
  return (
    <select
      className="input switcher"
      aria-label={say('workspace')}
      value={id}
      onChange={(event) => go(`/w/${event.target.value}`)}
    >
      {[...missing, ...items].map((item) => (
        <option key={item.id} value={item.id}>
          {item.name}
        </option>
      ))}
    </select>
  );
}

interface Progress {
  readonly percent: number;
  readonly message: string;
}

/** Follows the workspace while it is open; says what runs, and when nothing arrives any more. */
function Live() {
  const say = useAppWords();
  const workspace = useWorkspaceId();
  useWorkspaceStream(workspace);
  useOpenWorkspace(workspace);
  const connected = useConnected();
  const [running, setRunning] = useState<Readonly<Record<string, Progress>>>({});
  const [since, setSince] = useState('');
  useWorkspaceEvents(
    useCallback(({ kind, data }: WorkspaceEvent) => {
      const id = String(data.analysis_id);
      if (kind === 'progress') {
        const progress = { percent: Number(data.percent), message: String(data.message) };
        setRunning((before) => ({ ...before, [id]: progress }));
      } else if (['completed', 'failed', 'cancelled'].includes(kind)) {
        setRunning(({ [id]: _done, ...rest }) => rest);
      } else if (kind === 'resumed') setRunning({});
    }, []),
  );
  useEffect(() => {
    if (connected) return setSince('');
    setSince(new Date().toLocaleTimeString(look().language, { timeStyle: 'short' }));
  }, [connected]);
  const all = Object.values(running);
  const percent = all.length === 0 ? 0 : all.reduce((sum, one) => sum + one.percent, 0) / all.length;
  return (
    <>
      {since && (
        <span className="tag not-connected" role="status">
          <Icon name="warning" /> {say('not_connected', { time: since })}
        </span>
      )}
      {all.length > 0 && (
        <Link className="live" href={`/w/${workspace}/runs`} title={all[0]?.message}>
          <span className="live-words">{say.count('running', all.length)}</span>
          <span className="bar">
            <span style={{ width: `${percent}%` }} />
          </span>
        </Link>
      )}
    </>
  );
}

function Account() {
  const say = useAppWords();
  const client = useQueryClient();
  const { data: profile } = useProfile();
  const { data: own } = useOwnPermissions();
  const [address] = useLocation();
  const { data: installation } = useInstallation();
  const signOut = async (): Promise<void> => {
    await take(api.POST('/auth/sign-out'));
    client.clear();
    forgetDrafts();
    tellOtherTabs('signed-out');
    location.assign(installation?.identity.sign_in?.sign_out ?? '/sign-in');
  };
  return (
    <details key={address} className="account" name="menus">
      <summary aria-label={say('account')} title={profile?.name}>
        <Icon name="person" />
      </summary>
      <div className="menu">
        <div className="menu-head">
          <bdi>{profile?.name}</bdi>
          <small>
            <bdi>{profile?.email}</bdi>
          </small>
        </div>
        <Link href="/me/account">{say('own_account')}</Link>
        <Link href="/me/appearance">{say('appearance')}</Link>
        {installation?.billing && <Link href="/me/subscription">{say('subscription')}</Link>}
        {(own?.permissions['users.manage'] ?? 'denied') !== 'denied' && (
          <Link href="/admin">{say('administration')}</Link>
        )}
        <a href="/docs">{say('api')}</a>
        <button type="button" onClick={() => void signOut()}>
          {say('sign_out')}
        </button>
      </div>
    </details>
  );
}

const addressOf = (screen: Screen, workspace: string): string => screen.path.replace(':ws', workspace);

function Rail({ isOpen }: { readonly isOpen: boolean }) {
  const say = useAppWords();
  const { language, railIsNarrow } = useLook();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const [address] = useLocation();
  return (
    <nav className="rail" aria-label={say('navigation')} data-open={isOpen || undefined}>
      <ul>
        {inRail
          .filter(({ permission }) => permission === undefined || may(permission))
          .map((screen) => {
            const href = addressOf(screen, workspace);
            const isRoot = screen.path === '/w/:ws';
            const isHere = isRoot ? address === href : address === href || address.startsWith(`${href}/`);
            return (
              <li key={screen.path}>
                <Link
                  href={href}
                  title={railIsNarrow ? screen.title[language] : undefined}
                  aria-current={isHere ? 'page' : undefined}
                  onPointerEnter={() => void screen.page().catch(() => undefined)}
                >
                  <Icon name={screen.rail!.icon} />
                  <span className="rail-word">{screen.title[language]}</span>
                </Link>
              </li>
            );
          })}
      </ul>
      <p className="disclaimer">{say('disclaimer')}</p>
      <Button
        className="rail-width"
        kind="quiet"
        iconOnly
        aria-label={railIsNarrow ? say('wide_rail') : say('narrow_rail')}
        onClick={() => changeLook({ railIsNarrow: !railIsNarrow })}
      >
        <Icon name={railIsNarrow ? 'wide' : 'narrow'} />
      </Button>
    </nav>
  );
}

/** The keys that hold everywhere. */
function Keys({
  kind,
  onPalette,
}: {
  readonly kind: 'person' | 'workspace';
  readonly onPalette: () => void;
}) {
  const [sheetIsOpen, openSheet] = useState(false);
  const [address, go] = useLocation();
  const workspace = /^\/w\/([^/]+)/.exec(address)?.[1];
  const palette = useRef(onPalette);
  palette.current = onPalette;
  const keys = useMemo((): KeyMap => {
    const places = kind === 'workspace' && workspace ? inRail : [];
    return {
      'Mod+k': () => palette.current(),
      '?': () => openSheet(true),
      '[': () => changeLook({ railIsNarrow: !look().railIsNarrow }),
      z: () => void undoLast(),
      g: () => beginKeys('g'),
      ...Object.fromEntries(
        places.map((screen) => [`g ${screen.rail!.key}`, () => go(addressOf(screen, workspace!))]),
      ),
    };
  }, [kind, workspace, go]);
  useKeys(keys);
  return sheetIsOpen && <KeySheet screens={inRail} onClose={() => openSheet(false)} />;
}
