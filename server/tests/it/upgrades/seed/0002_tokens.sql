-- A token that may upload everywhere.
insert into tokens (id, name, hash, created_at) values (1, 'ci', '{hash of ci}', {now} - 60 * {day});
