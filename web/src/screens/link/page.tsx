import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../parts/button.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { catalog } from '../../words/words.ts';
import { Door } from '../sign-in/door.tsx';
import { takenLink } from './taken-link.ts';
import de from './words.de.json';
import en from './words.en.json';

const useWords = catalog(en, de);

/** `public/link-actions.js`: what is asked of the API, without words. */
interface LinkActions {
  readonly FORMS: Readonly<Record<string, { readonly fields: readonly string[]; readonly other?: string }>>;
  readLink(hash: string): { readonly form: string; readonly token: string } | undefined;
  perform(form: string, token: string, values: Readonly<Record<string, string>>): Promise<void>;
}

const ATTRIBUTES = {
  email: { type: 'email', autoComplete: 'username', maxLength: 320, required: true },
  password: { type: 'password', autoComplete: 'current-password', maxLength: 256, required: true },
  new_password: { type: 'password', autoComplete: 'new-password', maxLength: 256, required: true },
  name: { type: 'text', autoComplete: 'name', maxLength: 200, required: true },
  organization: { type: 'text', autoComplete: 'organization', maxLength: 200 },
} as const;

/** Does what a mailed link is for. */
export default function LinkPage() {
  const say = useWords();
  const { data: actions } = useQuery({
    queryKey: ['link-actions'],
    queryFn: () => import(/* @vite-ignore */ `${location.origin}/link-actions.js`) as Promise<LinkActions>,
  });
  const [chosen, choose] = useState<string>();
  const perform = useMutation({
    mutationFn: ({ form, token, values }: { form: string; token: string; values: Record<string, string> }) =>
      actions!.perform(form, token, values),
  });
  if (!actions) return null;
  const link = actions.readLink(takenLink());
  if (!link) {
    return (
      <Door title={say('no_link_title')}>
        <p>{say('no_link_text')}</p>
        <Link href="/sign-in">{say('sign_in')}</Link>
      </Door>
    );
  }
  const form = chosen ?? link.form;
  const { fields = [], other } = actions.FORMS[form] ?? {};
  if (perform.isSuccess) {
    return (
      <Door title={say.named(form, 'title')}>
        <p role="status">{say.named(form, 'done')}</p>
        <Link className="button" href="/sign-in">
          {say('sign_in')}
        </Link>
      </Door>
    );
  }
  return (
    <Door title={say.named(form, 'title')}>
      <p>{say.named(form, 'text')}</p>
      <form
        className="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault();
          perform.mutate({ form, token: link.token, values: textsOf(event.currentTarget) });
        }}
      >
        {fields.map((name) => (
          <Field key={name} label={say.named('field', name)}>
            <Input name={name} {...ATTRIBUTES[name as keyof typeof ATTRIBUTES]} />
          </Field>
        ))}
        {perform.error && (
          <p className="notice" data-kind="error" role="alert">
            {perform.error.message}
          </p>
        )}
        <Button kind="primary" type="submit" disabled={perform.isPending}>
          {say.named(form, 'button')}
        </Button>
        {other && (
          <Button kind="quiet" onClick={() => choose(other)}>
            {say.named(form, 'other')}
          </Button>
        )}
      </form>
    </Door>
  );
}
