-- Processes remember for a few seconds who a caller is; they forget at once when it changes.
create function app.notify_identity_changed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_notify('identity_changed', (to_jsonb(old) ->> tg_argv[0]));
  return null;
end
$$;
revoke execute on function app.notify_identity_changed() from public;

create trigger identity_changed
  after update of role, subscription_status, subscription_plan on profiles
  for each row
  when (
    (old.role, old.subscription_status, old.subscription_plan)
    is distinct from (new.role, new.subscription_status, new.subscription_plan)
  )
  execute function app.notify_identity_changed('id');
create trigger identity_removed after delete on profiles
  for each row execute function app.notify_identity_changed('id');
create trigger session_changed
  after update of ended_at, expires_at on auth.sessions
  for each row execute function app.notify_identity_changed('user_id');
create trigger session_removed after delete on auth.sessions
  for each row when (old.expires_at > now()) execute function app.notify_identity_changed('user_id');
