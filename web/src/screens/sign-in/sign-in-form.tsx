import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiFailure, api, take } from '../../api/client.ts';
import { useInstallation } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { Failure } from '../../parts/states.tsx';
import { useWords } from './use-words.ts';

/** Opens a session in a cookie; on its own page, and in the dialog over a page whose session ended. */
export function SignInForm({ email, onDone }: { readonly email?: string; readonly onDone: () => void }) {
  const say = useWords();
  const form = useRef<HTMLFormElement>(null);
  const { data: installation } = useInstallation();
  const [told, tell] = useState('');
  const signIn = useMutation({
    mutationFn: (body: { readonly email: string; readonly password: string }) =>
      take(api.POST('/auth/browser/sign-in', { body })),
    onSuccess: onDone,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    tell('');
    const { email: address = '', password = '' } = textsOf(event.currentTarget);
    signIn.mutate({ email: address, password });
  };
  const forgotten = async (): Promise<void> => {
    const address = form.current ? textsOf(form.current).email : '';
    if (!address) return tell(say('forgotten_email'));
    await take(api.POST('/auth/password-reset', { body: { email: address } })).catch(() => undefined);
    tell(say('forgotten_sent'));
  };
  const isWrong = signIn.error instanceof ApiFailure && signIn.error.status === 401;
  return (
    <form ref={form} className="sign-in-form" onSubmit={submit}>
      <Field label={say('email')}>
        <Input
          name="email"
          type="email"
          autoComplete="username"
          required
          maxLength={320}
          defaultValue={email}
          readOnly={email !== undefined}
        />
      </Field>
      <Field label={say('password')}>
        <Input name="password" type="password" autoComplete="current-password" required maxLength={256} />
      </Field>
      {signIn.error &&
        (isWrong ? (
          <p className="notice" data-kind="error" role="alert">
            {say('wrong')}
          </p>
        ) : (
          <Failure error={signIn.error} />
        ))}
      {told && <p role="status">{told}</p>}
      <Button kind="primary" type="submit" disabled={signIn.isPending}>
        {say('sign_in')}
      </Button>
      {installation?.identity.mails && email === undefined && (
        <Button kind="quiet" onClick={() => void forgotten()}>
          {say('forgotten')}
        </Button>
      )}
    </form>
  );
}
