-- A user is (issuer, subject): the subject of another issuer is another user, also when it reads the same.
alter table auth.users add column subject text;
update auth.users set subject = id::text where issuer is not null;
alter table auth.users add constraint users_subject check ((issuer is null) = (subject is null));
create unique index users_issuer_subject on auth.users (issuer, subject);
