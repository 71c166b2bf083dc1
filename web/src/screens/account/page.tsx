import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take, takeTagged } from '../../api/client.ts';
import { useInstallation, useProfile } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { useGuarded } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';
import { useWords } from './use-words.ts';
import '../../parts/records.css';
import './account.css';

/** What belongs to the person: name, password, plan, open sessions, API tokens. */
export default function AccountPage() {
  const say = useWords();
  const profile = useProfile();
  const { data: installation } = useInstallation();
  const client = useQueryClient();
  const [turn, setTurn] = useState(0);
  const renew = (): void =>
    void client.invalidateQueries({ queryKey: ['me'] }).then(() => setTurn((now) => now + 1));
  return (
    <div className="page account-page">
      <div className="page-head">
        <h1>{say('title')}</h1>
      </div>
      <Loaded query={profile}>{(data) => <Profile key={turn} of={data} onRenew={renew} />}</Loaded>
      {installation?.billing && profile.data && (
        <Panel title={say('plan')}>
          <p>
            {profile.data.subscription_plan
              ? say.named('plan', profile.data.subscription_plan)
              : say('no_plan')}{' '}
            <span className="tag">{say(`subscription_${profile.data.subscription_status}`)}</span>
          </p>
          <Link href="/me/subscription">{say('to_subscription')}</Link>
        </Panel>
      )}
      {installation?.identity.has_accounts && <Password />}
      <Sessions />
      <Tokens />
    </div>
  );
}

function Profile({ of, onRenew }: { readonly of: Api['Profile']; readonly onRenew: () => void }) {
  const say = useWords();
  const common = useCommonWords();
  // As it was when the form was shown: what is read again meanwhile is not what the person saw.
  const [seen] = useState(of);
  const change = useGuarded({
    seen,
    read: () => takeTagged(api.GET('/auth/me')),
    write: (body: Pick<Api['Profile'], 'name' | 'organization'>, tag) =>
      take(api.PATCH('/auth/me', { body, params: { header: { 'If-Match': tag } } })),
    changed: (body) => ({ ...seen, ...body }),
    told: ({ name, organization }) => [
      { label: say('name'), value: name },
      { label: say('organization'), value: organization },
    ],
    onSaved: () => {
      toast(common('saved'));
      onRenew();
    },
    onTheirs: onRenew,
  });
  return (
    <Panel title={say('profile')}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          const { name = '', organization = '' } = textsOf(event.currentTarget);
          change.send({ name, organization });
        }}
      >
        <p className="hint">
          <bdi>{of.email}</bdi>{' '}
          <span className="tag">{say(of.email_verified ? 'verified' : 'not_verified')}</span>
        </p>
        <Field label={say('name')}>
          <Input name="name" maxLength={200} autoComplete="name" defaultValue={of.name} />
        </Field>
        <Field label={say('organization')}>
          <Input
            name="organization"
            maxLength={200}
            autoComplete="organization"
            defaultValue={of.organization}
          />
        </Field>
        {change.conflict ?? (change.error && <Failure error={change.error} />)}
        <div className="form-end">
          <Button kind="primary" type="submit" disabled={change.isPending || change.isOpen}>
            {common('save')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function Password() {
  const say = useWords();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const { current_password = '', new_password = '' } = textsOf(form);
      return take(api.POST('/auth/password', { body: { current_password, new_password } }));
    },
    onSuccess: (_answer, form) => {
      form.reset();
      toast(say('password_changed'));
      return client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <Panel title={say('password')}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(event.currentTarget);
        }}
      >
        <Field label={say('current_password')}>
          <Input
            name="current_password"
            type="password"
            required
            maxLength={256}
            autoComplete="current-password"
          />
        </Field>
        <Field label={say('new_password')} hint={say('password_hint')}>
          <Input
            name="new_password"
            type="password"
            required
            minLength={12}
            maxLength={128}
            autoComplete="new-password"
          />
        </Field>
        {change.error && <Failure error={change.error} />}
        <div className="form-end">
          <Button type="submit" disabled={change.isPending}>
            {say('change_password')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
