-- The forge that statuses of uploads were last written to, where none authorized an upload: pages link to it.
alter table repositories add column reporting_forge text;

-- The page of the CI run that uploaded.
alter table uploads add column run_url text;

-- Set if parts did not arrive in time, and no status says so on the forge.
alter table record_completions add column untold_since integer;
