import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useInstallation } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { calendarDate, dateAndTime, number } from '../../words/moments.ts';
import { useWords } from './use-words.ts';
import './subscription.css';

type Plan = Api['Installation']['plans'][number];
type PaidPlan = Api['NewCheckout']['plan'];
/** The provider tells the service a moment after the person has paid. */
const ASK_AGAIN_MS = 1_500;
const isPaid = (id: string): id is PaidPlan => id !== 'free';
const here = (): string => `${location.origin}/me/subscription`;

/** The plan of a person, how much of it is used, and the way to another one. */
export default function SubscriptionPage() {
  const say = useWords();
  const installation = useInstallation();
  const subscription = useQuery({
    queryKey: ['subscription'],
    queryFn: ({ signal }) => take(api.GET('/payments/subscription', { signal })),
  });
  return (
    <div className="page account-page">
      <div className="page-head">
        <h1>{say('title')}</h1>
      </div>
      <Purchase />
      <Loaded query={subscription}>
        {(of) =>
          of.billing ? (
            <>
              <Standing of={of} />
              <Loaded query={installation}>{({ plans }) => <Plans plans={plans} of={of} />}</Loaded>
            </>
          ) : (
            <Panel title={say('plan')}>
              <p>{say('no_billing')}</p>
            </Panel>
          )
        }
      </Loaded>
    </div>
  );
}

/** Where the purchase stands from which the person has just come back. */
function Purchase() {
  const say = useWords();
  const client = useQueryClient();
  const [search] = useSearchParams();
  const session = search.get('session');
  const purchase = useQuery<Api['SessionInfo']>({
    queryKey: ['purchase', session],
    enabled: session !== null,
    refetchInterval: ({ state: { data } }) => (data?.paid_at == null ? ASK_AGAIN_MS : false),
    queryFn: ({ signal }): Promise<Api['SessionInfo']> =>
      take(
        api.GET('/payments/session-info/{session_id}', {
          params: { path: { session_id: session ?? '' } },
          signal,
        }),
      ),
  });
  const paidAt = purchase.data?.paid_at;
  useEffect(() => {
    if (!paidAt) return;
    for (const key of ['subscription', 'me', 'own-permissions']) {
      void client.invalidateQueries({ queryKey: [key] });
    }
  }, [paidAt, client]);
  if (session === null) return null;
  if (purchase.error) return <Failure error={purchase.error} />;
  if (!purchase.data) return null;
  const { plan, status } = purchase.data;
  const name = say.named('plan', plan);
  return (
    <p className="notice" role="status" data-kind={paidAt ? 'good' : undefined}>
      <span className="notice-text">
        {paidAt
          ? say('bought', { plan: name })
          : status === 'expired'
            ? say('expired')
            : say('waiting', { plan: name })}
      </span>
    </p>
  );
}

function Standing({ of }: { readonly of: Api['Subscription'] }) {
  const say = useWords();
  const manage = useMutation({
    mutationFn: () => take(api.POST('/payments/create-portal-session', { body: { return_url: here() } })),
    onSuccess: ({ url }) => location.assign(url),
  });
  const { usage, limits } = of;
  return (
    <Panel
      title={say('plan')}
      aside={
        of.manageable && (
          <Button disabled={manage.isPending} onClick={() => manage.mutate()}>
            {say('manage')}
          </Button>
        )
      }
    >
      <p>
        <strong>{of.plan ? say.named('plan', of.plan) : say('no_plan')}</strong>{' '}
        <span className="tag">{say(`status_${of.status}`)}</span>
        {of.began_at && (
          <span className="hint"> {say('since', { date: calendarDate(of.began_at, say.language) })}</span>
        )}
      </p>
      <Meter name={say('workspaces')} used={usage.workspaces} limit={limits.workspaces} />
      <Meter
        name={say('analyses')}
        used={usage.analyses}
        limit={limits.analyses_a_month}
        note={say('counts_again', { when: dateAndTime(of.counts_again_at, say.language) })}
      />
      {manage.error && <Failure error={manage.error} />}
    </Panel>
  );
}

function Meter({
  name,
  used,
  limit,
  note,
}: {
  readonly name: string;
  readonly used: number;
  readonly limit: number | null;
  readonly note?: string;
}) {
  const say = useWords();
  const told =
    limit === null
      ? say('used_unlimited', { used: number(used, say.language) })
      : say('used', { used: number(used, say.language), limit: number(limit, say.language) });
  return (
    <div className="meter-row">
      <span>{name}</span>
      <span className="meter-told" data-full={(limit !== null && used >= limit) || undefined}>
        {told}
      </span>
      {limit !== null && (
        <meter
          aria-label={name}
          min={0}
          max={limit}
          low={limit * 0.8}
          high={limit * 0.999}
          optimum={0}
          value={Math.min(used, limit)}
        />
      )}
      {note && <span className="field-hint">{note}</span>}
    </div>
  );
}

function Plans({ plans, of }: { readonly plans: readonly Plan[]; readonly of: Api['Subscription'] }) {
  const say = useWords();
  const buy = useMutation({
    mutationFn: (plan: PaidPlan) =>
      take(
        api.POST('/payments/create-checkout-session', {
          body: {
            plan,
            success_url: `${here()}?session={CHECKOUT_SESSION_ID}`,
            cancel_url: here(),
          },
        }),
      ),
    onSuccess: ({ url }) => location.assign(url),
  });
  const limitOf = (key: 'workspaces' | 'analyses', limit: number | null): string =>
    limit === null ? say(`${key}_unlimited`) : say.count(`${key}_count`, limit);
  return (
    <Panel title={say('plans')}>
      {buy.error && <Failure error={buy.error} />}
      <ul className="plan-cards" aria-label={say('plans')}>
        {plans.map(({ id, workspaces, analyses_a_month, price_label }) => (
          <li key={id} className="panel" aria-current={of.plan === id || undefined}>
            <h3>{say.named('plan', id)}</h3>
            {price_label && (
              <p>
                <strong>
                  <bdi>{price_label}</bdi>
                </strong>
              </p>
            )}
            <p>{limitOf('workspaces', workspaces)}</p>
            <p>{limitOf('analyses', analyses_a_month)}</p>
            {of.plan === id ? (
              <p>
                <span className="tag">{say('yours')}</span>
              </p>
            ) : (
              isPaid(id) && (
                <Button disabled={buy.isPending} onClick={() => buy.mutate(id)}>
                  {say('choose', { plan: say.named('plan', id) })}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      <p className="hint">{say('price_there')}</p>
    </Panel>
  );
}
