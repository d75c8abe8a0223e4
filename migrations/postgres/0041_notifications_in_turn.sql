-- Which repository a notification is about, as `org/repo` in lower case: repositories take turns, and each has a number of
-- notifications in an hour. Empty for older notifications, which take one turn together.
alter table notifications add column repository text collate "C" not null default '';
create index notifications_of_repository on notifications (repository, created_at);
