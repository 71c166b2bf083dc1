-- Links that are shown or mailed once and kept as hashes: each proves that its holder was reached at an address, or was
-- handed it by an administrator. The system's own.
create table auth.one_time_links (
  id uuid primary key default gen_random_uuid(),
  purpose text not null constraint one_time_links_purpose check (
    purpose in ('sign_up', 'verify_address', 'reset_password', 'invitation')
  ),
  token_hash bytea not null unique,
  -- The account that it is about; null where there need not be one yet.
  user_id uuid references auth.users (id) on delete cascade,
  -- The address that it proves. Null: a link that an administrator hands out for an account proves none.
  email text,
  -- Not a reference: a link of an invitation that is gone opens nothing.
  invitation_id uuid,
  -- The administrator who was shown it; null: it was mailed.
  made_by uuid,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint one_time_links_about check (
    (purpose in ('verify_address', 'reset_password')) = (user_id is not null)
    and (purpose = 'invitation') = (invitation_id is not null)
    and (email is not null or purpose = 'reset_password')
  )
);
create index one_time_links_user on auth.one_time_links (user_id);
create index one_time_links_expired on auth.one_time_links (expires_at);
grant select, insert, update (used_at), delete on auth.one_time_links to normtrace_system;
