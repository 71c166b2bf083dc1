-- What the payment provider told, and what follows from it. None of it belongs to a workspace: the system alone.

-- Every event once, by the provider's id: a repeated delivery finds its row and changes nothing.
create table payment_events (
  id text primary key,
  kind text not null,
  -- When the provider made the event, not when it arrived: what counts when events overtake one another.
  occurred_at timestamptz not null,
  session_id text,
  effect text not null constraint payment_events_effect check (
    effect in ('activated', 'pending', 'ended', 'stale', 'ignored')
  ),
  received_at timestamptz(3) not null default now()
);
create index payment_events_session on payment_events (session_id) where session_id is not null;

-- The subscriptions that the events are about, each as its newest event left it. The plan of a profile and a pending
-- subscription are derived from these rows.
create table payment_subscriptions (
  -- The provider's id of the subscription; where an event names none, of the customer or of the checkout session.
  reference text primary key,
  customer_id text,
  email text,
  user_id uuid references profiles (id) on delete set null,
  -- Null: only its end is known so far.
  plan text constraint payment_subscriptions_plan check (plan in ('pro', 'consultant')),
  status text not null constraint payment_subscriptions_status check (status in ('active', 'ended')),
  settled_at timestamptz not null,
  settled_by text not null,
  constraint payment_subscriptions_active check (status = 'ended' or plan is not null)
);
create index payment_subscriptions_user on payment_subscriptions (user_id);
create index payment_subscriptions_email on payment_subscriptions (lower(email)) where user_id is null;

-- Sessions of the test checkout, which takes no money.
create table local_checkout_sessions (
  id text primary key,
  plan text not null constraint local_checkout_sessions_plan check (plan in ('pro', 'consultant')),
  email text,
  client_reference_id uuid,
  success_url text not null,
  cancel_url text not null,
  -- Null after a day.
  idempotency_key text unique,
  request_hash bytea not null,
  paid_at timestamptz(3),
  ended_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
create index local_checkout_sessions_expired on local_checkout_sessions (expires_at);

alter table payment_events enable row level security;
alter table payment_events force row level security;
grant select, insert on payment_events to normtrace_system;
create policy system_select on payment_events for select to normtrace_system using (true);
create policy system_insert on payment_events for insert to normtrace_system with check (true);

alter table payment_subscriptions enable row level security;
alter table payment_subscriptions force row level security;
grant select, insert, update on payment_subscriptions to normtrace_system;
create policy system_select on payment_subscriptions for select to normtrace_system using (true);
create policy system_insert on payment_subscriptions for insert to normtrace_system with check (true);
create policy system_update on payment_subscriptions for update to normtrace_system using (true) with check (true);

alter table local_checkout_sessions enable row level security;
alter table local_checkout_sessions force row level security;
grant select, insert, update, delete on local_checkout_sessions to normtrace_system;
create policy system_all on local_checkout_sessions for all to normtrace_system using (true) with check (true);
