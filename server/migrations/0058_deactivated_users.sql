-- A user who has left: no session and no token of theirs is accepted, what they did stays with their name.
alter table profiles add column deactivated_at timestamptz(3);

create trigger identity_deactivated
  after update of deactivated_at on profiles
  for each row when (old.deactivated_at is distinct from new.deactivated_at)
  execute function app.notify_identity_changed('id');
