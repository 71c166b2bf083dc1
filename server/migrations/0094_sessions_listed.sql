-- A person sees their sessions, those of an external issuer too, and ends them.
alter table auth.sessions
  add column last_used_at timestamptz(3),
  -- Where it was last used from, and with what.
  add column address text,
  add column user_agent text,
  -- Latest end of a token of an external issuer that belongs to it: until then its end has to be remembered.
  add column token_expires_at timestamptz(3);
update auth.sessions set last_used_at = started_at;
alter table auth.sessions alter column last_used_at set not null, alter column last_used_at set default now();
-- Sessions of an external issuer that began before are over, also those that were not used here yet.
alter table auth.users add column sessions_ended_at timestamptz(3);
