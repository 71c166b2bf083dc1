-- Mails to people about their accounts. The row is the truth, a job sends it. What a stranger typed in is here too:
-- whether somebody has the address is found out by the job, so that the answer to the stranger tells nothing.
create table auth.mails (
  id uuid primary key default gen_random_uuid(),
  kind text not null constraint mails_kind check (kind in ('verify_address', 'reset_password')),
  language text not null constraint mails_language check (language in ('en', 'de')),
  -- Where it goes: what was typed in.
  email text not null,
  -- Whose address it is to become; null for a password, whose account is looked for by its address.
  user_id uuid references auth.users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  -- Sent, or found to be for nobody.
  finished_at timestamptz(3)
);
create index mails_user on auth.mails (user_id);
create index mails_age on auth.mails (created_at);
grant select, insert, update (finished_at), delete on auth.mails to normtrace_system;
