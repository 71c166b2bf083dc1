-- A page anywhere in a list of gaps, in each order that the application offers beside that of titles: walked in the index alone, with
-- the columns that the filter for open gaps asks for (decision 910). What an expression is made of has to be in the index as well.
drop index gaps_severity;
create index gaps_severity on gaps (
  workspace_id, (array_position(array['low', 'medium', 'high', 'critical'], effective_severity)), id
) include (effective_severity, status, accepted_until);
drop index gaps_clause;
create index gaps_clause on gaps (workspace_id, clause, id) include (status, accepted_until);
drop index gaps_due_first;
create index gaps_due_first on gaps (workspace_id, (coalesce(due_date, 'infinity')), id) include (due_date, status, accepted_until);
drop index gaps_updated;
create index gaps_updated on gaps (workspace_id, updated_at, id) include (status, accepted_until);
