import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useModel } from '../../app/model.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { useGuarded } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failure, Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { SettingsPage } from './settings-page.tsx';
import { useWords } from './use-words.ts';

const POLICIES = ['off', 'inside', 'allowed'] as const;

/** What may be sent to the language model, and which documents are kept out. */
export default function ModelPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const model = useModel();
  const client = useQueryClient();
  const [turn, setTurn] = useState(0);
  const renew = (): void =>
    void client
      .invalidateQueries({ queryKey: ['model-policy', workspace] })
      .then(() => setTurn((now) => now + 1));
  const policy = useQuery({
    queryKey: ['model-policy', workspace],
    queryFn: ({ signal }) =>
      take(api.GET('/workspaces/{id}/model-policy', { params: { path: { id: workspace } }, signal })),
  });
  return (
    <SettingsPage>
      <Loaded query={model}>
        {({ configured, model: name, host, place }) =>
          configured ? (
            <>
              <Loaded query={policy}>
                {(data) => (
                  <Policy
                    key={turn}
                    of={data}
                    onRenew={renew}
                    about={say(place === 'inside' ? 'model_inside' : 'model_outside', {
                      model: name ?? '',
                      host: host ?? '',
                    })}
                  />
                )}
              </Loaded>
              <KeptOut workspace={workspace} />
            </>
          ) : (
            <p>{say('model_none')}</p>
          )
        }
      </Loaded>
    </SettingsPage>
  );
}

function Policy({
  of,
  about,
  onRenew,
}: {
  readonly of: Api['ModelPolicy'];
  readonly about: string;
  readonly onRenew: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const isFixed = !useMay(of.workspace_id)('models.configure');
  // As it was when the form was shown.
  const [seen] = useState(of);
  const path = { params: { path: { id: of.workspace_id } } };
  const unit = of.spent.currency ?? say('model_tokens');
  const change = useGuarded({
    seen,
    read: async () => ({ data: await take(api.GET('/workspaces/{id}/model-policy', path)) }),
    write: (body: ReturnType<typeof decided>) =>
      take(api.PUT('/workspaces/{id}/model-policy', { ...path, body })),
    changed: (body) => ({ ...seen, ...body }),
    told: ({ policy, redact_addresses, redacted_words, month_budget }) => [
      { label: say('model_policy'), value: say(`model_policy_${policy}`) },
      { label: say('model_addresses'), value: redact_addresses ? '✓' : '' },
      { label: say('model_words'), value: redacted_words.join(', ') },
      { label: say('model_budget', { unit }), value: month_budget === null ? '' : String(month_budget) },
    ],
    onSaved: () => {
      toast(common('saved'));
      onRenew();
    },
    onTheirs: onRenew,
  });
  const { calls, input_tokens, output_tokens, cost, currency } = of.spent;
  const numbers = new Intl.NumberFormat(say.language);
  return (
    <Panel title={say('model')}>
      <form
        className="form settings-form"
        onSubmit={(event) => {
          event.preventDefault();
          change.send(decided(event.currentTarget));
        }}
      >
        <p>
          <bdi>{about}</bdi>
        </p>
        <fieldset className="stack" disabled={isFixed}>
          <legend>{say('model_policy')}</legend>
          {POLICIES.map((one) => (
            <label key={one} className="check">
              <input type="radio" name="policy" value={one} defaultChecked={of.policy === one} />
              {say(`model_policy_${one}`)}
            </label>
          ))}
          <label className="check">
            <input type="checkbox" name="addresses" defaultChecked={of.redact_addresses} />
            {say('model_addresses')}
          </label>
        </fieldset>
        <Field label={say('model_words')} hint={say('model_words_hint')}>
          <textarea
            className="input"
            name="words"
            defaultValue={of.redacted_words.join('\n')}
            readOnly={isFixed}
          />
        </Field>
        <Field label={say('model_budget', { unit })}>
          <Input
            name="budget"
            type="number"
            min={0}
            step="any"
            defaultValue={of.month_budget ?? ''}
            readOnly={isFixed}
          />
        </Field>
        <ul className="small" aria-label={say('model_leaves')}>
          {of.says.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <p className="small">
          {say('model_spent', {
            calls: numbers.format(calls),
            tokens: numbers.format(input_tokens + output_tokens),
            cost: `${numbers.format(cost)} ${currency ?? say('model_tokens')}`,
          })}
        </p>
        {change.conflict ?? (change.error && <Failure error={change.error} />)}
        {isFixed ? (
          <p className="field-hint">{say('model_fixed')}</p>
        ) : (
          <div className="form-end">
            <Button kind="primary" type="submit" disabled={change.isPending || change.isOpen}>
              {common('save')}
            </Button>
          </div>
        )}
      </form>
    </Panel>
  );
}

/** What a form says. */
function decided(form: HTMLFormElement) {
  const { policy = 'off', words = '', budget = '' } = textsOf(form);
  return {
    policy: POLICIES.find((one) => one === policy) ?? 'off',
    redact_addresses: new FormData(form).has('addresses'),
    redacted_words: words
      .split('\n')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
    month_budget: budget.trim() === '' ? null : Number(budget),
  };
}

/** Documents whose words are sent to no model, whatever the workspace allows. */
function KeptOut({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const may = useMay(workspace);
  const client = useQueryClient();
  const words = useFailureWords();
  const documents = useQuery({
    queryKey: ['documents', workspace, 'kept-out'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products', {
          params: { query: { workspace_id: workspace, limit: 100, sort: 'name' } },
          signal,
        }),
      ),
  });
  const keep = useMutation({
    mutationFn: ({ id, ai_excluded }: Pick<Api['WorkProduct'], 'id' | 'ai_excluded'>) =>
      take(api.PATCH('/work-products/{id}', { params: { path: { id } }, body: { ai_excluded } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['documents', workspace] }),
    onError: (error) => toast(words(error)),
  });
  return (
    <Panel title={say('model_kept_out')}>
      <div className="form">
        <p className="hint">{say('model_kept_out_text')}</p>
        <Loaded query={documents} lines={2}>
          {({ items }) => (
            <fieldset className="stack" disabled={!may('work-products.write') || keep.isPending}>
              {items.map(({ id, name, ai_excluded }) => (
                <label key={id} className="check">
                  <input
                    type="checkbox"
                    checked={ai_excluded}
                    onChange={({ target }) => keep.mutate({ id, ai_excluded: target.checked })}
                  />
                  <bdi>{name}</bdi>
                </label>
              ))}
            </fieldset>
          )}
        </Loaded>
      </div>
    </Panel>
  );
}
