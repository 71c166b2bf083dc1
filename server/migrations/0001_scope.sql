-- Who asks, and what they may see. Every policy of workspace data reads `app.visible_workspaces()`.

create schema app;
grant usage on schema app to normtrace_app, normtrace_system;

-- After a transaction that set it, a setting is the empty string and not null: hence nullif.
create function app.current_user_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;

create function app.current_workspace_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.workspace_id', true), '')::uuid;

create function app.touch() returns trigger
  language plpgsql
as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create function app.refuse_change() returns trigger
  language plpgsql
as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

-- For migrations: isolates a table that has a column workspace_id. Rows are visible, and can be written, exactly
-- in the workspaces of the current scope. `commands` is what the application role may do: 'select, insert, ...'.
create function app.isolate(target regclass, commands text) returns void
  language plpgsql
as $$
declare
  command text;
  visible constant text := 'workspace_id = any ((select app.visible_workspaces())::uuid[])';
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  foreach command in array regexp_split_to_array(lower(commands), '\s*,\s*') loop
    execute format('grant %s on %s to normtrace_app', command, target);
    execute format(
      'create policy %I on %s for %s to normtrace_app %s %s',
      'workspace_' || command, target, command,
      case when command <> 'insert' then 'using (' || visible || ')' end,
      case when command in ('insert', 'update') then 'with check (' || visible || ')' end
    );
  end loop;
end
$$;
revoke execute on function app.isolate(regclass, text) from public;
