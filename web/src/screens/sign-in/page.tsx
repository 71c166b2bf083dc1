import { useQueryClient } from '@tanstack/react-query';
import { Link, Redirect, useLocation, useSearchParams } from 'wouter';
import { setSession, tellOtherTabs } from '../../api/session.ts';
import { useInstallation } from '../../app/workspace.ts';
import { Door } from './door.tsx';
import { ExternalWay } from './external-way.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useWords } from './use-words.ts';

const REFUSALS = ['cancelled', 'expired', 'issuer', 'deactivated'] as const;

/** Back to where somebody came from: an address of this application and no other. */
const wayBack = (to: string | null): string => (to && /^\/(?![/\\])/.test(to) ? to : '/');

export default function SignInPage() {
  const say = useWords();
  const client = useQueryClient();
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const { data: installation } = useInstallation();
  const identity = installation?.identity;
  if (identity?.kind === 'embedded' && !identity.has_accounts) return <Redirect to="/sign-up" replace />;
  const refused = REFUSALS.find((one) => one === search.get('refused'));
  const enter = (): void => {
    client.clear();
    setSession('open');
    tellOtherTabs('signed-in');
    go(wayBack(search.get('to')), { replace: true });
  };
  return (
    <Door title={say('sign_in')}>
      {refused && (
        <p className="notice" data-kind="error" role="alert">
          {say(`refused_${refused}`)}
        </p>
      )}
      {identity?.kind === 'external' ? (
        identity.sign_in ? (
          <ExternalWay signIn={identity.sign_in} to={wayBack(search.get('to'))} />
        ) : (
          <p className="notice">{say('external', { issuer: identity.issuer ?? '' })}</p>
        )
      ) : (
        <>
          <SignInForm onDone={enter} />
          {identity?.sign_up === 'open' && <Link href="/sign-up">{say('no_account')}</Link>}
        </>
      )}
    </Door>
  );
}
