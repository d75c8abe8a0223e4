-- What the coverage file of a record states besides its totals. The files are those of the first version of their encoding:
-- src/fee.c with 500 of 600 lines, and src/tax.c with 300 of 400.
insert into record_details (record_id, tool, counters, warnings, files_counter, files_root, file_count, files) values
    (6, 'gcovr 7.2', '[["line", 800, 1000], ["branch", 30, 40]]', '["Two files have the same path."]', 'line', 'src/', 2,
        {bytes 0163604d4b4dd54b66bcc192c2c05a925801644e604e0100});
