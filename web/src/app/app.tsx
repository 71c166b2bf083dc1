import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { cache } from '../api/cache.ts';
import { api, take } from '../api/client.ts';
import { session, setSession, watchSession } from '../api/session.ts';
import { PartsStrip } from '../findings/parts-strip.tsx';
import { useLook } from '../look/use-look.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Empty, Failure, Skeleton } from '../parts/states.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { screens } from '../screens/registry.ts';
import { ExternalWay } from '../screens/sign-in/external-way.tsx';
import { SignInForm } from '../screens/sign-in/sign-in-form.tsx';
import { CrashGuard } from './crash-guard.tsx';
import { Frame } from './frame.tsx';
import { part } from './new-version.tsx';
import { useOpening } from './opening.ts';
import { useOwnLook } from './own-look.ts';
import type { Screen } from './screen.ts';
import { useAppWords } from './use-words.ts';
import { useInstallation, useProfile } from './workspace.ts';

/** What screens show, as far as it was fetched. */
const fetched = new Map<Screen, ComponentType>();

async function fetchPage(screen: Screen): Promise<ComponentType> {
  const { default: content } = await part(screen.page());
  fetched.set(screen, content);
  return content;
}

export const App = () => (
  <QueryClientProvider client={cache}>
    <Switch>
      {screens.map((screen) => (
        // One key for all: what stands around a screen stays when another one comes.
        <Route key="screen" path={screen.path}>
          <Gate screen={screen} />
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
    <Toasts>
      <PartsStrip />
    </Toasts>
  </QueryClientProvider>
);

/** Shows a screen to those who may see it: asks for a session, and again when it ends while somebody works. */
function Gate({ screen }: { readonly screen: Screen }) {
  useTitle(screen);
  // While the session is asked for.
  useEffect(() => void fetchPage(screen).catch(() => undefined), [screen]);
  return screen.isOpen ? (
    <Page screen={screen} />
  ) : (
    <Signed>
      <Page screen={screen} />
    </Signed>
  );
}

function Signed({ children }: { readonly children: React.ReactNode }) {
  const say = useAppWords();
  const profile = useProfile();
  const installed = useInstallation();
  const installation = installed.data;
  useOwnLook(profile.data?.id);
  const isSettled = useSettledPlan(profile.data, installed);
  const isOpening = useOpening(profile.data?.id);
  const state = useSyncExternalStore(watchSession, session);
  const [address, go] = useLocation();
  useEffect(() => {
    if (profile.data) setSession('open');
  }, [profile.data]);
  useEffect(() => {
    if (state === 'none') {
      const wanted = address === '/' ? '' : `?to=${encodeURIComponent(address + location.search)}`;
      go(`/sign-in${wanted}`, { replace: true });
    }
  }, [state, address, go]);
  if (profile.data && isSettled && !isOpening) {
    return (
      <>
        {children}
        {state === 'ended' && (
          <Dialog title={say('session_ended')}>
            <p>{say('session_ended_text')}</p>
            {installation?.identity.sign_in ? (
              <ExternalWay signIn={installation.identity.sign_in} to={address + location.search} />
            ) : (
              <SignInForm
                email={profile.data.email}
                onDone={() => {
                  setSession('open');
                  void cache.invalidateQueries();
                }}
              />
            )}
          </Dialog>
        )}
      </>
    );
  }
  if (profile.error && state !== 'none') {
    return (
      <main className="page">
        <Failure error={profile.error} onAgain={() => void profile.refetch()} />
      </main>
    );
  }
  return null;
}

/**
 * Where plans count: takes what was bought before the sign-up, or else the free plan, once a visit. Until then everything would be
 * refused. Answers whether the pages can be shown.
 */
function useSettledPlan(
  profile: ReturnType<typeof useProfile>['data'],
  installed: ReturnType<typeof useInstallation>,
): boolean {
  const needed = installed.data?.billing === true && profile?.subscription_status === 'inactive';
  const sync = useQuery({
    queryKey: ['plan-settled', profile?.id],
    enabled: needed,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () => {
      const { id, email, name } = profile!;
      const answer = await take(api.POST('/auth/sync', { body: { id, email, name } }));
      void cache.invalidateQueries({ queryKey: ['me'] });
      return answer;
    },
  });
  return !installed.isLoading && !(needed && sync.isLoading);
}

function Page({ screen }: { readonly screen: Screen }) {
  const shown = (
    <CrashGuard key={screen.path}>
      <Content of={screen} />
    </CrashGuard>
  );
  return screen.frame === 'none' ? shown : <Frame kind={screen.frame}>{shown}</Frame>;
}

/** Not by `Suspense`: that keeps what it shows meanwhile for 300 ms, also when the screen is there after 20. */
function Content({ of: screen }: { readonly of: Screen }) {
  const [Shown, show] = useState(() => fetched.get(screen));
  const [failure, fail] = useState<unknown>();
  useEffect(() => {
    let isLeft = false;
    if (!Shown)
      fetchPage(screen).then(
        (content) => isLeft || show(() => content),
        (cause: unknown) => isLeft || fail(cause),
      );
    return () => {
      isLeft = true;
    };
  }, [screen, Shown]);
  if (failure !== undefined) throw failure;
  return Shown ? <Shown /> : <Waiting />;
}

const Waiting = () => (
  <div className="page">
    <Skeleton />
  </div>
);

function useTitle({ title }: Screen): void {
  const { language } = useLook();
  useEffect(() => {
    document.title = `${title[language]} – Normtrace`;
  }, [title, language]);
}

function NotFound() {
  const say = useAppWords();
  return (
    <main className="page">
      <Empty title={say('not_found')}>
        <p>{say('not_found_text')}</p>
        <a className="button" href="/">
          {say('to_start')}
        </a>
      </Empty>
    </main>
  );
}
