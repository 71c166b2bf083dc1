import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { api, take } from '../../api/client.ts';
import { setSession, tellOtherTabs } from '../../api/session.ts';
import { useInstallation } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { Failure } from '../../parts/states.tsx';
import { Door } from './door.tsx';
import { useWords } from './use-words.ts';

export default function SignUpPage() {
  const say = useWords();
  const client = useQueryClient();
  const [, go] = useLocation();
  const { data: installation } = useInstallation();
  const signUp = useMutation({
    mutationFn: ({ email = '', name = '', organization = '', password = '' }: Record<string, string>) =>
      take(api.POST('/auth/browser/sign-up', { body: { email, name, organization, password } })),
    onSuccess: () => {
      client.clear();
      setSession('open');
      tellOtherTabs('signed-in');
      go('/', { replace: true });
    },
  });
  const identity = installation?.identity;
  // The first account of an installation is made by whoever stands before it.
  const isOpen = identity === undefined || identity.sign_up === 'open' || identity.has_accounts === false;
  return (
    <Door title={say('sign_up')}>
      {identity && !identity.has_accounts && <p>{say('first')}</p>}
      {isOpen ? (
        <form
          className="sign-in-form"
          onSubmit={(event) => {
            event.preventDefault();
            signUp.mutate(textsOf(event.currentTarget));
          }}
        >
          <Field label={say('name')}>
            <Input name="name" autoComplete="name" required maxLength={200} />
          </Field>
          <Field label={say('email')}>
            <Input name="email" type="email" autoComplete="username" required maxLength={320} />
          </Field>
          <Field label={say('organization')}>
            <Input name="organization" autoComplete="organization" maxLength={200} />
          </Field>
          <Field label={say('new_password')} hint={say('password_hint')}>
            <Input
              name="password"
              type="password"
              autoComplete="new-password"
              required
              minLength={12}
              maxLength={256}
            />
          </Field>
          {signUp.error && <Failure error={signUp.error} />}
          <Button kind="primary" type="submit" disabled={signUp.isPending}>
            {say('sign_up')}
          </Button>
        </form>
      ) : (
        <p className="notice">{say('invited_only')}</p>
      )}
      {identity?.has_accounts !== false && <Link href="/sign-in">{say('have_account')}</Link>}
    </Door>
  );
}
