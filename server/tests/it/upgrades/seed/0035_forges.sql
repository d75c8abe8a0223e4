-- The page of a CI run.
update uploads set run_url = 'https://ci.example.com/runs/9' where id = 1;
