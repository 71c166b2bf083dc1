-- Sessions of browsers: a cookie with a secret instead of access tokens. Each use moves their end.
alter table auth.sessions
  -- SHA-256 of what is in the cookie; null: the session has access tokens.
  add column cookie_hash bytea constraint sessions_cookie unique;
-- A later end is no news to anybody; what ended or ends earlier is.
drop trigger session_changed on auth.sessions;
create trigger session_changed
  after update of ended_at, expires_at on auth.sessions
  for each row
  when (old.ended_at is distinct from new.ended_at or new.expires_at < old.expires_at)
  execute function app.notify_identity_changed('user_id');
