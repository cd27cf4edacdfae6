--
-- What the measurements of filter indexes are about: rows as a log has them, of
-- 101 bytes in the table.  The id and the token of a row are unique.  Persons are
-- skewed as by Zipf's law: the n-th has in proportion to 1 / n rows.
--
CREATE FUNCTION event_id(bigint) RETURNS uuid IMMUTABLE PARALLEL SAFE
	RETURN md5($1::text)::uuid;
CREATE FUNCTION event_token(bigint) RETURNS text IMMUTABLE PARALLEL SAFE
	RETURN substr(md5('token ' || $1), 1, 16);
CREATE FUNCTION event_person(bigint, persons double precision) RETURNS int IMMUTABLE PARALLEL SAFE
	RETURN exp((hashint8extended($1, 0) / 2^64 + 0.5) * ln(persons))::int;
CREATE FUNCTION events(first bigint, last bigint, persons double precision)
	RETURNS TABLE (id uuid, person int, token text, note text) STABLE PARALLEL SAFE
	BEGIN ATOMIC
		SELECT event_id(i), event_person(i, persons), event_token(i), 'The note of the event ' || i % 1000000000
		  FROM generate_series(first, last) AS i;
	END;
