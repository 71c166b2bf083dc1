-- Pages of the list of gaps as people sort it most: read in their order, not sorted anew from all gaps of the workspace.
-- The expression of the first one is that of `severityKey` in gaps.repository.ts.
create index gaps_severity on gaps (
  workspace_id, (array_position(array['low', 'medium', 'high', 'critical'], effective_severity)), id
);
create index gaps_clause on gaps (workspace_id, clause, id);
