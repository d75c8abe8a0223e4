-- A trend marks the records whose gate failed.
create index record_analyses_failed on record_analyses (record_id) where verdict = 'failed';
