-- What waits for one person, in all of their workspaces at once.
create index gaps_assignee on gaps (assignee, workspace_id) where assignee is not null;
create index gap_proposals_waiting on gap_proposals (workspace_id, created_at, id) where outcome is null;
create index criterion_answers_person on criterion_answers (answered_by, workspace_id);
create index checklist_answers_person on checklist_answers (answered_by, workspace_id);
