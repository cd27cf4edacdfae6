--
-- First act: one filter for a dictionary of real words.
--
\echo
\echo :b'1. Half a million words in one filter':p
\echo '====================================='
\echo
\echo 'Burton Bloom''s own example, in 1970, was a program that hyphenated half a million'
\echo 'English words. Those that follow no rule were in a dictionary on disk, and a small'
\echo 'filter in memory told which words were worth looking up there.'
\echo
\echo 'Here is the largest English word list that Debian has:'
\echo

\set ECHO queries
CREATE TABLE dictionary (word text PRIMARY KEY);
\set ECHO none
\echo '\\copy dictionary FROM /usr/share/dict/american-english-insane'
\copy dictionary FROM /usr/share/dict/american-english-insane
VACUUM ANALYZE dictionary;

\echo
\echo 'bloom_agg puts any column into a filter. It finds the size by itself, for'
\echo 'false positives at a rate of 1 %:'
\echo

\set ECHO queries
CREATE TABLE speller AS
SELECT bloom_agg(word) AS filter FROM dictionary;
\set ECHO none
ANALYZE speller;
\echo
\echo 'That is ten bits for a word, of whatever length:'
\echo
SELECT pretty(count(*)) AS words,
       pg_size_pretty(sum(octet_length(word))) AS "their bytes",
       pg_size_pretty(pg_table_size('dictionary')) AS "as a table",
       pg_size_pretty(pg_table_size('dictionary_pkey')) AS "its index",
       pg_size_pretty(max(s.bytes)) AS "the filter",
       round(max(s.bytes) * 8.0 / count(*), 2) AS "bits per word"
  FROM dictionary, (SELECT pg_column_size(filter)::bigint AS bytes FROM speller) s;

\echo 'It knows every word that it was given, and takes few others for one:'
\echo
\set ECHO queries
SELECT word, filter @> word AS "in the filter"
  FROM speller, unnest(ARRAY['dictionary', 'dictoinary', 'ubiquitous', 'ubiquitious']) AS word;
\set ECHO none

\echo 'A filter may say yes to a word that it was never given. How often? Two million'
\echo 'strings that look like words and are none: every word reversed, with its vowels'
\echo 'exchanged, and with its first letter doubled, less those that do exist.'
\echo
\set ECHO queries
CREATE TABLE nonword AS
SELECT reverse(word) AS word FROM dictionary
UNION
SELECT translate(word, 'aeiou', 'eioua') FROM dictionary
UNION
SELECT left(word, 1) || word FROM dictionary;
\echo
DELETE FROM nonword USING dictionary WHERE nonword.word = dictionary.word;
\echo
SELECT pretty(count(*)) AS "not words",
       pretty(count(*) FILTER (WHERE filter @> word)) AS "in the filter all the same",
       round(100.0 * count(*) FILTER (WHERE filter @> word) / count(*), 2) || ' %' AS "measured rate",
       '1 %' AS "asked for"
  FROM nonword, speller;
\set ECHO none

\echo 'But it never says no to one that it was given:'
\echo
\set ECHO queries
SELECT pretty(count(*)) AS words, count(*) FILTER (WHERE NOT filter @> word) AS lost
  FROM dictionary, speller;
\set ECHO none

-- For the summary.
SELECT pretty(count(*)) AS words,
       pg_size_pretty(sum(octet_length(word))) AS words_size,
       pg_size_pretty(max(pg_column_size(filter))::bigint) AS filter_size,
       count(*) FILTER (WHERE NOT filter @> word) AS words_lost
  FROM dictionary, speller \gset
SELECT pretty(count(*)) AS nonwords,
       round(100.0 * count(*) FILTER (WHERE filter @> word) / count(*), 2) AS nonwords_found
  FROM nonword, speller \gset
