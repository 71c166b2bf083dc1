-- Which document has the bytes of a file that somebody is about to upload.
create index work_product_versions_sha256 on work_product_versions (workspace_id, sha256);
