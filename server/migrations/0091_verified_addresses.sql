-- Only a verified address accepts invitations. Of accounts of the provider inside, an address stays verified where an
-- administrator said so, where an invitation of somebody who administers the installation was accepted, or where it is
-- the first account; people who could make an invitation for any address, and use it, verified nothing. Memberships stay.
alter table audit_events no force row level security;
alter table workspace_invitations no force row level security;
alter table profiles no force row level security;

update auth.users u set email_verified = false
where u.issuer is null and u.email_verified
  and not exists (
    select from audit_events e
    where e.action = 'user.changed' and e.target_id = u.id::text
      and e.before ->> 'email_verified' = 'false' and e.after ->> 'email_verified' = 'true'
  )
  and not exists (
    select from workspace_invitations i join profiles p on p.id = i.invited_by
    where i.accepted_by = u.id and i.vouches and p.role = 'admin'
  );
update auth.users u set email_verified = true
where u.issuer is null
  and u.id = (select p.id from profiles p order by p.created_at, p.id limit 1)
  and exists (select from profiles p where p.id = u.id and p.role = 'admin');

-- What the profile says of address and proof follows the user.
alter table profiles add column email_verified boolean not null default false;
update profiles p set email_verified = u.email_verified from auth.users u where u.id = p.id and u.email_verified;

alter table audit_events force row level security;
alter table workspace_invitations force row level security;
alter table profiles force row level security;

create or replace function app.make_profile() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(hashtext('normtrace first profile'));
  insert into public.profiles (id, email, email_verified, name, organization, role)
  values (
    new.id, new.email, new.email_verified, new.name, new.organization,
    case when exists (select from public.profiles) then 'engineer' else 'admin' end
  );
  return null;
end
$$;

create policy owner_update on profiles for update to normtrace_owner using (true) with check (true);
create function app.follow_address() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update public.profiles p set email = new.email, email_verified = new.email_verified where p.id = new.id;
  return null;
end
$$;
revoke execute on function app.follow_address() from public;
create trigger follow_address
  after update of email, email_verified on auth.users
  for each row when ((old.email, old.email_verified) is distinct from (new.email, new.email_verified))
  execute function app.follow_address();

create trigger address_changed
  after update of email, email_verified on profiles
  for each row when ((old.email, old.email_verified) is distinct from (new.email, new.email_verified))
  execute function app.notify_identity_changed('id');
