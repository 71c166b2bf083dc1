-- How many analyses a person started in a month, for the limits of plans. A number of its own, because deleting a
-- workspace deletes its analyses and must not give them back.
create table plan_usage (
  user_id uuid not null references profiles (id) on delete cascade,
  -- First day, UTC.
  month date not null,
  analyses integer not null,
  primary key (user_id, month)
);

alter table plan_usage enable row level security;
alter table plan_usage force row level security;
grant select, insert, update on plan_usage to normtrace_app;
create policy own_select on plan_usage for select to normtrace_app
  using (user_id = (select app.current_user_id()));
create policy own_insert on plan_usage for insert to normtrace_app
  with check (user_id = (select app.current_user_id()));
create policy own_update on plan_usage for update to normtrace_app
  using (user_id = (select app.current_user_id())) with check (user_id = (select app.current_user_id()));
