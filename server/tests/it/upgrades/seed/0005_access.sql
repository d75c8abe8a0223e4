-- A token for one org, a token that was revoked, a repository of a forge, and a key for signatures.
insert into tokens (id, name, hash, created_at, purpose, org_name, repo_name, hint, expires_at, last_used_at, revoked_at) values
    (2, 'acme', '{hash of acme}', {now} - 30 * {day}, 'upload', 'acme', null, 'a1b2', null, {now} - 3 * {day}, null),
    (3, 'left', '{hash of left}', {now} - 30 * {day}, 'upload', null,   null, 'c3d4', null, null, {now} - 9 * {day});

update repositories set forge = 'gitlab.example.com' where id = 2;

insert into signing_keys (name, key) values ('report-links', '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff');
