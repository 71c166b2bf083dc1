import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useInstallation, useProfile } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
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
  return (
    <div className="page account-page">
      <div className="page-head">
        <h1>{say('title')}</h1>
      </div>
      <Loaded query={profile}>{(data) => <Profile of={data} />}</Loaded>
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

function Profile({ of }: { readonly of: Api['Profile'] }) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ name = '', organization = '' }: Record<string, string>) =>
      take(api.PATCH('/auth/me', { body: { name, organization } })),
    onSuccess: () => {
      toast(common('saved'));
      return client.invalidateQueries({ queryKey: ['me'] });
    },
  });
  return (
    <Panel title={say('profile')}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(textsOf(event.currentTarget));
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
        {change.error && <Failure error={change.error} />}
        <div className="form-end">
          <Button kind="primary" type="submit" disabled={change.isPending}>
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
