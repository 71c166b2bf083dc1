-- What was found when a person set another severity: a later run that finds worse ends their decision.
alter table gaps add column severity_found text;
