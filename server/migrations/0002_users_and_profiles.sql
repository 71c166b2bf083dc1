-- Users as the identity provider knows them. The application role has no access to this schema.
create schema auth;
grant usage on schema auth to normtrace_system;

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_verified boolean not null default false,
  name text not null default '',
  organization text not null default '',
  -- Null: the identity provider inside the service.
  issuer text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index users_email on auth.users (lower(email)) where issuer is null;
create trigger touch before update on auth.users for each row execute function app.touch();
grant select, insert, update, delete on auth.users to normtrace_system;

create table profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  email text not null,
  name text not null,
  organization text not null,
  role text not null default 'engineer'
    constraint profiles_role check (role in ('admin', 'engineer', 'manager', 'viewer')),
  subscription_status text not null default 'inactive'
    constraint profiles_subscription_status check (subscription_status in ('active', 'inactive')),
  subscription_plan text
    constraint profiles_subscription_plan check (subscription_plan in ('free', 'pro', 'consultant')),
  last_login timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index profiles_email on profiles (lower(email));
create index profiles_newest on profiles (created_at desc, id desc);
create trigger touch before update on profiles for each row execute function app.touch();

-- Policies follow in 0003, where membership exists. Role and subscription are not the user's to change.
alter table profiles enable row level security;
alter table profiles force row level security;
grant select, update (name, organization, last_login) on profiles to normtrace_app;
grant select, update on profiles to normtrace_system;
create policy system_select on profiles for select to normtrace_system using (true);
create policy system_update on profiles for update to normtrace_system using (true) with check (true);
-- For the trigger below, which runs as the owner.
create policy owner_select on profiles for select to normtrace_owner using (true);
create policy owner_insert on profiles for insert to normtrace_owner with check (true);

-- Every user has a profile from the first moment. The first of an installation administers it; the lock makes
-- sign-ups that arrive together agree on which one is the first.
create function app.make_profile() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(hashtext('normtrace first profile'));
  insert into public.profiles (id, email, name, organization, role)
  values (
    new.id, new.email, new.name, new.organization,
    case when exists (select from public.profiles) then 'engineer' else 'admin' end
  );
  return null;
end
$$;
revoke execute on function app.make_profile() from public;
create trigger make_profile after insert on auth.users for each row execute function app.make_profile();
