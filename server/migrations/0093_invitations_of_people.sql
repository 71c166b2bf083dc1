-- An invitation names an address or an account, and is accepted by the person who has it. Tokens move to one-time links;
-- those that somebody has who cannot vouch for the address open nothing any more.
alter table workspace_invitations no force row level security;
alter table profiles no force row level security;
insert into auth.one_time_links (purpose, token_hash, email, invitation_id, made_by, expires_at)
select 'invitation', i.token_hash, i.email, i.id, i.invited_by, i.expires_at
from workspace_invitations i join profiles p on p.id = i.invited_by
where i.accepted_at is null and i.vouches and p.role = 'admin';
alter table workspace_invitations force row level security;
alter table profiles force row level security;

alter table workspace_invitations
  drop column token_hash,
  drop column vouches,
  alter column email drop not null,
  -- Not a reference: whoever invites learns nothing about whether there is such an account.
  add column user_id uuid,
  add column declined_at timestamptz(3),
  add constraint workspace_invitations_whom check ((email is null) <> (user_id is null));

drop index workspace_invitations_open;
create unique index workspace_invitations_open on workspace_invitations (workspace_id, lower(email))
  where accepted_at is null and declined_at is null;
create unique index workspace_invitations_open_account on workspace_invitations (workspace_id, user_id)
  where accepted_at is null and declined_at is null;
-- For the person who looks for their own.
create index workspace_invitations_email on workspace_invitations (lower(email))
  where accepted_at is null and declined_at is null;
create index workspace_invitations_account on workspace_invitations (user_id)
  where accepted_at is null and declined_at is null;
grant update (declined_at) on workspace_invitations to normtrace_system;
