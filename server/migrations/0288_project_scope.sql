-- In which phase the project of a workspace is, and what is not done in it: runs that are not told otherwise take it.
alter table workspaces
  add column phase text constraint workspaces_phase check (phase ~ '^[a-z_]{1,40}$'),
  -- `[{area, reason}]`
  add column tailored_out jsonb not null default '[]'
    constraint workspaces_tailored_out check (jsonb_typeof(tailored_out) = 'array');
grant update (phase, tailored_out) on workspaces to normtrace_app;
