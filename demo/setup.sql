--
-- Helpers: a stopwatch, and what it measured.
--
\pset pager off
\pset footer off
SET client_min_messages = warning;

CREATE EXTENSION bloomfilter;

CREATE FUNCTION pretty(n bigint) RETURNS text
LANGUAGE sql AS $$ SELECT to_char(n, 'FM999,999,999') $$;

CREATE TABLE measured (
    experiment text,
    variant int,
    name text,
    ms float8,
    answer jsonb
);

-- Runs the variants of a query in turn, a few rounds: those that are named so
-- with join filters, the others without.  If they do not all give the same
-- answer, the demo ends here.
CREATE PROCEDURE measure(_experiment text, names text[], VARIADIC queries text[])
LANGUAGE plpgsql AS $$
DECLARE
    began timestamptz;
    result jsonb;
BEGIN
    FOR run IN 1..3 LOOP
        FOR i IN 1..cardinality(queries) LOOP
            PERFORM set_config('bloomfilter.join_filters',
                               CASE names[i] WHEN 'join filters on' THEN 'on' ELSE 'off' END, true);
            began := clock_timestamp();
            EXECUTE 'SELECT jsonb_agg(q) FROM (' || queries[i] || ') q' INTO result;
            INSERT INTO measured
            VALUES (_experiment, i, names[i],
                    extract(epoch FROM clock_timestamp() - began) * 1000, result);
        END LOOP;
    END LOOP;
    IF (SELECT count(DISTINCT answer) FROM measured WHERE experiment = _experiment) <> 1 THEN
        RAISE EXCEPTION 'the variants of "%" do not agree', _experiment;
    END IF;
END $$;

-- The shortest time of each variant, and how much faster than the first it is.
CREATE FUNCTION compare(_experiment text)
RETURNS TABLE (query text, ms int, "times as fast" numeric, answer text)
LANGUAGE sql AS $$
    SELECT name, round(min(m.ms))::int,
           round((first_value(min(m.ms)) OVER w / min(m.ms))::numeric, 1),
           CASE WHEN min(m.answer::text) = first_value(min(m.answer::text)) OVER w
                THEN 'the same' ELSE 'another' END
      FROM measured m
     WHERE experiment = _experiment
     GROUP BY variant, name
    WINDOW w AS (ORDER BY variant)
     ORDER BY variant
$$;
