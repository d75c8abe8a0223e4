-- A token for administration, and a row of the audit log.
insert into tokens (id, name, hash, created_at, purpose, org_name, repo_name, hint, expires_at, last_used_at, revoked_at) values
    (4, 'root', '{hash of root}', {now} - 9 * {day}, 'admin', null, null, 'e5f6', null, null, null);

insert into audit (id, at, actor_kind, actor, source, action, org_name, repo_name, subject, old_value, new_value) values
    (1, {now} - 9 * {day}, 'command', 'kim', 'machine', 'token_created', null, null, 'root', null, null);
