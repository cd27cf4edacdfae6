--
-- What the measurements of indexes of keys are about: lines of a log, of 17 words
-- each.  Numbers in them are equally likely.
--
CREATE FUNCTION line_number(i bigint, word int, numbers int) RETURNS bigint IMMUTABLE PARALLEL SAFE
	RETURN (hashint8extended(i, word) & 9223372036854775807) % numbers;
CREATE FUNCTION line_level(bigint) RETURNS text IMMUTABLE PARALLEL SAFE
	RETURN ('{DEBUG,INFO,WARN,ERROR}'::text[])[1 + line_number($1, 1, 4)];
CREATE FUNCTION line_trace(bigint) RETURNS text IMMUTABLE PARALLEL SAFE
	RETURN 'trace=' || md5('trace ' || $1);
CREATE FUNCTION line_user(bigint) RETURNS text IMMUTABLE PARALLEL SAFE
	RETURN 'user-' || line_number($1, 7, 200000);
CREATE FUNCTION line_status(bigint) RETURNS text IMMUTABLE PARALLEL SAFE
	RETURN ('{200,201,304,401,404,500,503}'::text[])[1 + line_number($1, 9, 7)];
CREATE FUNCTION line_template(bigint) RETURNS text IMMUTABLE PARALLEL SAFE
	RETURN (ARRAY['request completed after all parts of it arrived',
				  'cache entry expired and was fetched once more',
				  'retry of upstream call since connection was reset',
				  'session opened by token that is still valid',
				  'order stored with items and address of customer',
				  'payment refused because limit of card was reached',
				  'queue drained by worker that had been idle',
				  'slow query logged with plan and bind parameters',
				  'upload stored in bucket under name of digest',
				  'message delivered to subscribers of topic in region'])[1 + line_number($1, 10, 10)];
CREATE FUNCTION lines(first bigint, last bigint) RETURNS TABLE (at timestamptz, message text) STABLE PARALLEL SAFE
	BEGIN ATOMIC
		SELECT '2026-01-01'::timestamptz + i * interval '40 ms',
			   concat_ws(' ', line_level(i), 'service-' || line_number(i, 2, 200), 'host-' || line_number(i, 3, 500),
						 '/orders/' || line_number(i, 4, 1000000),
						 concat_ws('.', 10, line_number(i, 51, 256), line_number(i, 52, 256), line_number(i, 53, 256)),
						 line_trace(i), line_user(i), 'took=' || line_number(i, 8, 2000), line_status(i), line_template(i))
		  FROM generate_series(first, last) AS i;
	END;
CREATE OPERATOR CLASS trgm_key_ops FOR TYPE text USING bloomfilter AS
	OPERATOR 3 ~~,
	FUNCTION 1 hashint4extended(int, bigint),
	FUNCTION 2 gin_extract_value_trgm(text, internal),
	FUNCTION 3 gin_extract_query_trgm(text, internal, int2, internal, internal, internal, internal),
	FUNCTION 4 gin_trgm_triconsistent(internal, int2, text, int4, internal, internal, internal),
	STORAGE int4;
