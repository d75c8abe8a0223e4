-- The names in lower case.
update repositories set name_key = 'acme/payments'     where id = 1;
update repositories set name_key = 'acme/platform/web' where id = 2;
update repositories set name_key = 'zoo/legacy'        where id = 3;
update repositories set name_key = 'acme/tools'        where id = 4;
