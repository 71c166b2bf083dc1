-- Counts the changes of a person's preferences, so that two tabs notice each other.
alter table preferences
  add column version integer not null default 0 constraint preferences_version check (version >= 0);
