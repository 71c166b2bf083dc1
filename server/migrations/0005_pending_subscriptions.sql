-- A payment made before the payer signed up, claimed once by POST /auth/sync through the verified email.
create table pending_subscriptions (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  plan text not null constraint pending_subscriptions_plan check (plan in ('pro', 'consultant')),
  customer_id text,
  subscription_id text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index pending_subscriptions_email on pending_subscriptions (lower(email));
create trigger touch before update on pending_subscriptions for each row execute function app.touch();

-- Belongs to no workspace and to no user yet: the system alone.
alter table pending_subscriptions enable row level security;
alter table pending_subscriptions force row level security;
grant select, insert, update, delete on pending_subscriptions to normtrace_system;
create policy system_all on pending_subscriptions for all to normtrace_system using (true) with check (true);
