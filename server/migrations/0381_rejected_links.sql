-- After each extraction it is looked which links are rejected: few, or none, of hundreds of thousands.
create index trace_links_rejected on trace_links (workspace_id) where rejected;
