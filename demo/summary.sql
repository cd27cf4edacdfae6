--
-- Looks back on what was measured.
--
\echo
\echo :b'In short':p
\echo '========'
\echo
SELECT what, "came out"
  FROM (SELECT 1 AS position, 'dictionary' AS what,
               format('%s words, %s of text, in a filter of %s',
                      :'words', :'words_size', :'filter_size') AS "came out"
        UNION ALL
        SELECT 2, '', format('%s words lost; %s %% of %s other strings let through',
                             :'words_lost', :'nonwords_found', :'nonwords')
        UNION ALL
        SELECT position, label, format('%s times as fast with join filters on', "times as fast")
          FROM (VALUES (3, 'grouped', 'grouped join'),
                       (4, 'receipts', 'join by receipts'),
                       (5, 'star', 'star join'),
                       (6, 'month', 'join with a month'),
                       (7, 'small', 'small join')) AS experiment (position, name, label),
               compare(name)
         WHERE query = 'join filters on'
        UNION ALL
        SELECT 8, 'months', format('%s of %s found by filters of %s; %s missed, %s in vain',
                                   :'found', :'sold', :'months_size', :'missed', :'in_vain')
        UNION ALL
        SELECT 9, 'index', format('a lookup reads %s pages, of BRIN bloom %s; %s, a B-tree has %s',
                                  :'filter_pages', :'brin_pages', :'filters_size', :'btree_size')
        UNION ALL
        SELECT 10, '', format('words of a log in %s; GIN has %s', :'keys_size', :'gin_size'))
       AS results
 ORDER BY position;
