-- Where a workspace wants to be told of events (Standard Webhooks). The application role writes secrets and cannot read
-- them; the delivery signs as the system.
create table webhooks (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  url text not null,
  description text not null default '',
  events text[] not null,
  active boolean not null default true,
  -- Why the service switched it off by itself; null when a person did, or while it is on.
  disabled_reason text constraint webhooks_disabled_reason check (disabled_reason in ('failing', 'gone')),
  -- Since when no delivery has arrived; null after one that has.
  failing_since timestamptz(3),
  secret bytea not null,
  -- Signs as well until then, so that the receiver has time to change over.
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index webhooks_newest on webhooks (workspace_id, created_at desc, id desc);
create trigger touch before update on webhooks for each row execute function app.touch();
select app.isolate('webhooks', 'select, insert, update, delete');
revoke select on webhooks from normtrace_app;
grant select (workspace_id, id, url, description, events, active, disabled_reason, failing_since,
              previous_secret_until, created_by, created_at, updated_at)
  on webhooks to normtrace_app;
grant select on webhooks to normtrace_system;
create policy system_select on webhooks for select to normtrace_system using (true);

create function app.keep_previous_secret() returns trigger
  language plpgsql
as $$
begin
  new.previous_secret := old.secret;
  new.previous_secret_until := now() + interval '24 hours';
  return new;
end
$$;
create trigger keep_previous_secret before update of secret on webhooks
  for each row execute function app.keep_previous_secret();

-- One event for one endpoint, made by the transaction of the event. Its id is the `webhook-id` of every attempt.
create table webhook_deliveries (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  webhook_id uuid not null,
  event text not null,
  -- Ids, counts and links; never content of documents.
  data jsonb not null,
  status text not null default 'pending' constraint webhook_deliveries_status check (
    status in ('pending', 'delivered', 'failed')
  ),
  attempts integer not null default 0,
  -- Attempts before the last request to deliver it again; the delays begin anew there.
  earlier_attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  response_status integer,
  error text,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, webhook_id) references webhooks (workspace_id, id) on delete cascade
);
create index webhook_deliveries_newest on webhook_deliveries (workspace_id, webhook_id, created_at desc, id desc);
create index webhook_deliveries_finished on webhook_deliveries (finished_at);
select app.isolate('webhook_deliveries', 'select, insert, update, delete');
-- To clear away what is long finished.
grant select, delete on webhook_deliveries to normtrace_system;
create policy system_select on webhook_deliveries for select to normtrace_system using (true);
create policy system_delete on webhook_deliveries for delete to normtrace_system using (true);

create table webhook_attempts (
  workspace_id uuid not null,
  delivery_id uuid not null,
  attempt integer not null,
  response_status integer,
  error text,
  milliseconds integer not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, delivery_id, attempt),
  foreign key (workspace_id, delivery_id) references webhook_deliveries (workspace_id, id) on delete cascade
);
select app.isolate('webhook_attempts', 'select, insert');
