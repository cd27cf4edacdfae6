/* bloomfilter--1.0.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION bloomfilter" to load this file. \quit

--
-- Every function but the planner's two estimators is IMMUTABLE: values are
-- hashed by canonical bytes, or by their type's extended hash function, which
-- has to be immutable too.  What that depends on beyond the value, a database's
-- encoding and locale, cannot change while the database exists and is recorded
-- in the filter.
--

--
-- The type
--

CREATE TYPE bloomfilter;

CREATE FUNCTION bloomfilter_in(cstring) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

CREATE FUNCTION bloomfilter_out(bloomfilter) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

CREATE FUNCTION bloomfilter_recv(internal) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

CREATE FUNCTION bloomfilter_send(bloomfilter) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

-- EXTERNAL: a filter at work is half ones and half zeroes and does not
-- compress, and uncompressed values can be read in parts.  The two types of
-- filters have a category of their own, in which this one is preferred: so an
-- argument without a type, for which functions of both exist, is this one.
CREATE TYPE bloomfilter (
	INPUT = bloomfilter_in,
	OUTPUT = bloomfilter_out,
	RECEIVE = bloomfilter_recv,
	SEND = bloomfilter_send,
	STORAGE = external,
	CATEGORY = 'b',
	PREFERRED = true
);

COMMENT ON TYPE bloomfilter IS
'set of values of one type that may say "maybe" for a value that is absent, but never "no" for one that is present';
COMMENT ON FUNCTION bloomfilter_in(cstring) IS 'I/O';
COMMENT ON FUNCTION bloomfilter_out(bloomfilter) IS 'I/O';
COMMENT ON FUNCTION bloomfilter_recv(internal) IS 'I/O';
COMMENT ON FUNCTION bloomfilter_send(bloomfilter) IS 'I/O';

CREATE FUNCTION bloomfilter_from_bytea(bytea) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_from_bytea(bytea) IS
'filter of its binary form; invalid_binary_representation if that is damaged or of an unknown version; NULL for NULL';

CREATE FUNCTION bloomfilter_to_bytea(bloomfilter) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_to_bytea(bloomfilter) IS
'binary form of a filter, with magic and checksum, as docs/format.md describes it; NULL for NULL';

CREATE CAST (bytea AS bloomfilter) WITH FUNCTION bloomfilter_from_bytea(bytea);
COMMENT ON CAST (bytea AS bloomfilter) IS 'filter of its binary form';
CREATE CAST (bloomfilter AS bytea) WITH FUNCTION bloomfilter_to_bytea(bloomfilter);
COMMENT ON CAST (bloomfilter AS bytea) IS 'binary form of a filter';

--
-- Building
--

CREATE FUNCTION bloom_create(
	expected_items double precision,
	false_positive_rate double precision DEFAULT 0.01,
	seed bigint DEFAULT 0)
RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_create'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_create(double precision, double precision, bigint) IS
'empty filter for expected_items distinct values (at least 1, rounded up) at the false positive rate (0.000001 <= rate < 1); seed: filters of different seeds err on different values; NULL if any argument is NULL; invalid_parameter_value if a number is out of range, program_limit_exceeded above 512 MB';

CREATE FUNCTION bloom_create_like(filter bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_create_like'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_create_like(bloomfilter) IS
'empty filter of the same parameters, which values of any type can be added to; NULL for NULL';

CREATE FUNCTION bloom_add(filter bloomfilter, value anycompatible) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_add'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_add(bloomfilter, anycompatible) IS
'the filter with the value added; unchanged if the value is NULL; null_value_not_allowed if the filter is NULL and the value is not, because a result of NULL would lose the value; datatype_mismatch if the filter holds values of another type; feature_not_supported or undefined_function if no filter takes values of that type';

CREATE FUNCTION bloom_add_all(filter bloomfilter, "values" anycompatiblearray) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_add_all'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_add_all(bloomfilter, anycompatiblearray) IS
'the filter with every value of the array added, of any number of dimensions; NULLs in the array are ignored; unchanged if it is NULL or has no values, whatever its type; null_value_not_allowed if the filter is NULL and the array has values, because a result of NULL would lose them; errors as for bloom_add';

CREATE FUNCTION bloom_add_new(
	filter bloomfilter,
	"values" anycompatiblearray,
	OUT filter bloomfilter,
	OUT new_values anycompatiblearray)
RETURNS record
	AS 'MODULE_PATHNAME', 'bloomfilter_add_new'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_add_new(bloomfilter, anycompatiblearray) IS
'the filter as bloom_add_all returns it, and those of the values that were certainly not in it before, in the order of the array, each once; a new value that is one of the false positives, of the filter or of what was added before it, is missing there; NULLs in the array are ignored; an empty array if none is new, of one dimension whatever the values have; new_values NULL if the array is NULL; null_value_not_allowed if the filter is NULL and the array has values, because a result of NULL would lose them, else both NULL if the filter is NULL; errors as for bloom_add. To store the filter, lock its row first (SELECT ... FOR UPDATE), or what others add meanwhile is lost';

--
-- Testing
--

CREATE FUNCTION bloomfilter_contains_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_contains_support(internal) IS
'planner support for bloom_contains, bloom_contained_by, bloom_contains_any and bloom_contains_all';

CREATE FUNCTION bloomfilter_contains_sel(internal, oid, internal, integer) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_contains_sel(internal, oid, internal, integer) IS
'restriction selectivity of @> and <@';

CREATE FUNCTION bloomfilter_contains_joinsel(internal, oid, internal, smallint, internal) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_contains_joinsel(internal, oid, internal, smallint, internal) IS
'join selectivity of @> and <@';

CREATE FUNCTION bloom_contains(filter bloomfilter, value anycompatible) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_contains'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains(bloomfilter, anycompatible) IS
'false: the value was certainly not added; true: it was, or this is one of the false positives; NULL if either is NULL; datatype_mismatch if the filter holds values of another type';

CREATE FUNCTION bloom_contained_by(value anycompatible, filter bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_contained_by'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contained_by(anycompatible, bloomfilter) IS
'bloom_contains with its arguments exchanged';

CREATE FUNCTION bloom_contains_any(filter bloomfilter, "values" anycompatiblearray) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_contains_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains_any(bloomfilter, anycompatiblearray) IS
'may the filter contain at least one of the array''s values? NULLs in the array are ignored; false if it has no values, whatever its type; NULL if either argument is NULL; errors as for bloom_contains';

CREATE FUNCTION bloom_contains_all(filter bloomfilter, "values" anycompatiblearray) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_contains_all'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains_all(bloomfilter, anycompatiblearray) IS
'may the filter contain all of the array''s values? NULLs in the array are ignored; true if it has no values, whatever its type; NULL if either argument is NULL; errors as for bloom_contains';

CREATE FUNCTION bloomfilter_may_match(filter bloomfilter, value "any", declared text) RETURNS boolean
	AS 'MODULE_PATHNAME'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloomfilter_may_match(bloomfilter, "any", text) IS
'bloom_contains in a condition that join filters send to another server, with the type that the column is declared as there where the query runs: true for every value if the column has another one; NULL if an argument is NULL';

CREATE OPERATOR @> (
	LEFTARG = bloomfilter, RIGHTARG = anycompatible, FUNCTION = bloom_contains,
	COMMUTATOR = <@, RESTRICT = bloomfilter_contains_sel, JOIN = bloomfilter_contains_joinsel
);
COMMENT ON OPERATOR @> (bloomfilter, anycompatible) IS 'may the filter contain the value? as bloom_contains';

CREATE OPERATOR <@ (
	LEFTARG = anycompatible, RIGHTARG = bloomfilter, FUNCTION = bloom_contained_by,
	COMMUTATOR = @>, RESTRICT = bloomfilter_contains_sel, JOIN = bloomfilter_contains_joinsel
);
COMMENT ON OPERATOR <@ (anycompatible, bloomfilter) IS 'may the value be in the filter? as bloom_contained_by';

--
-- Combining
--

CREATE FUNCTION bloom_union(a bloomfilter, b bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_union'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_union(bloomfilter, bloomfilter) IS
'the very filter that the values of both would have built; NULL counts as the empty set, NULL if both are NULL; invalid_parameter_value unless both have the same size and seed, datatype_mismatch unless both hold the same type';

CREATE FUNCTION bloom_intersection(a bloomfilter, b bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_intersection'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_intersection(bloomfilter, bloomfilter) IS
'a filter that contains at least the values that were added to both; its false positive rate is no lower than that of a filter built from the common values; bloom_cardinality of it counts bits that the two filters have in common by chance, so for the number of common values use bloom_intersection_cardinality; NULL if either is NULL; errors as for bloom_union';

CREATE OPERATOR | (
	LEFTARG = bloomfilter, RIGHTARG = bloomfilter, FUNCTION = bloom_union,
	COMMUTATOR = |
);
COMMENT ON OPERATOR | (bloomfilter, bloomfilter) IS 'union, as bloom_union';

CREATE OPERATOR & (
	LEFTARG = bloomfilter, RIGHTARG = bloomfilter, FUNCTION = bloom_intersection,
	COMMUTATOR = &
);
COMMENT ON OPERATOR & (bloomfilter, bloomfilter) IS 'intersection, as bloom_intersection; for the number of common values use bloom_intersection_cardinality';

CREATE FUNCTION bloom_compatible(a bloomfilter, b bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_compatible'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_compatible(bloomfilter, bloomfilter) IS
'can the filters be combined? true if both have the same size, seed and type of values, or one holds none yet; NULL if either is NULL; never an error';

CREATE FUNCTION bloom_is_superset(a bloomfilter, b bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_is_superset'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_is_superset(bloomfilter, bloomfilter) IS
'is every bit, or hash, of b in a? false: b holds a value that a certainly does not; NULL if either is NULL; errors as for bloom_union';

CREATE FUNCTION bloom_shrink(filter bloomfilter, factor integer) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_shrink'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_shrink(bloomfilter, integer) IS
'the very filter that the same values would have built with 1/factor of the blocks, for 1/factor of expected_items, rounded down but at least 1, at the same target rate; invalid_parameter_value unless factor is at least 1 and divides the number of blocks (bits / 512 in bloom_info); combines with filters of the same parameters shrunk by the same factor; NULL if either is NULL';

--
-- Equality
--

CREATE FUNCTION bloomfilter_eq(bloomfilter, bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloomfilter_eq(bloomfilter, bloomfilter) IS 'implementation of = operator';

CREATE FUNCTION bloomfilter_ne(bloomfilter, bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloomfilter_ne(bloomfilter, bloomfilter) IS 'implementation of <> operator';

CREATE FUNCTION bloomfilter_hash(bloomfilter) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloomfilter_hash(bloomfilter) IS 'hash';

CREATE FUNCTION bloomfilter_hash_extended(bloomfilter, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloomfilter_hash_extended(bloomfilter, bigint) IS 'hash';

CREATE OPERATOR = (
	LEFTARG = bloomfilter, RIGHTARG = bloomfilter, FUNCTION = bloomfilter_eq,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES
);
COMMENT ON OPERATOR = (bloomfilter, bloomfilter) IS 'same stored bytes; for DISTINCT, GROUP BY and hash indexes, too; NULL if either is NULL; never an error';

CREATE OPERATOR <> (
	LEFTARG = bloomfilter, RIGHTARG = bloomfilter, FUNCTION = bloomfilter_ne,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (bloomfilter, bloomfilter) IS 'other stored bytes; NULL if either is NULL; never an error';

CREATE OPERATOR CLASS bloomfilter_ops DEFAULT FOR TYPE bloomfilter USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 bloomfilter_hash(bloomfilter),
	FUNCTION 2 bloomfilter_hash_extended(bloomfilter, bigint);
COMMENT ON OPERATOR CLASS bloomfilter_ops USING hash IS 'equality of filters, for DISTINCT, GROUP BY, UNION, hash joins and hash indexes';
COMMENT ON OPERATOR FAMILY bloomfilter_ops USING hash IS 'equality of filters';

--
-- Aggregates
--
-- The transition state is a bloomfilter, so that partial states can travel
-- as text or binary like any value.  SSPACE is what a state takes for some
-- thousand values: the planner has no way to know expected_items.  There is
-- no moving-aggregate mode, since bits cannot be taken out again.
--

CREATE FUNCTION bloomfilter_agg_transfn(state bloomfilter, value "any") RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_agg_transfn(bloomfilter, "any") IS 'aggregate transition function of bloom_agg';

CREATE FUNCTION bloomfilter_agg_transfn(state bloomfilter, value "any", expected_items double precision)
RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_agg_transfn(bloomfilter, "any", double precision) IS
'aggregate transition function of bloom_agg';

CREATE FUNCTION bloomfilter_agg_transfn(
	state bloomfilter, value "any", expected_items double precision,
	false_positive_rate double precision)
RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_agg_transfn(bloomfilter, "any", double precision, double precision) IS
'aggregate transition function of bloom_agg';

CREATE FUNCTION bloomfilter_agg_transfn(
	state bloomfilter, value "any", expected_items double precision,
	false_positive_rate double precision, seed bigint)
RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_agg_transfn(bloomfilter, "any", double precision, double precision, bigint) IS
'aggregate transition function of bloom_agg';

CREATE FUNCTION bloomfilter_agg_combinefn(state bloomfilter, other bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_agg_combinefn(bloomfilter, bloomfilter) IS
'aggregate combine function of bloom_agg: union of two states; NULLs are ignored; invalid_parameter_value if bloom_agg was given other parameters for one than for the other';

CREATE FUNCTION bloomfilter_agg_finalfn(state bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_agg_finalfn(bloomfilter) IS
'aggregate final function of bloom_agg: sizes an unsized filter for the values it holds; any other filter unchanged';

CREATE FUNCTION bloomfilter_union_transfn(state bloomfilter, filter bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_union_transfn(bloomfilter, bloomfilter) IS
'aggregate transition and combine function: union; NULLs are ignored';

CREATE FUNCTION bloomfilter_intersection_transfn(state bloomfilter, filter bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_intersection_transfn(bloomfilter, bloomfilter) IS
'aggregate transition and combine function: intersection; NULLs are ignored';

CREATE AGGREGATE bloom_agg(value "any") (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, SSPACE = 16384,
	FINALFUNC = bloomfilter_agg_finalfn, FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any") IS
'filter of all values that are not NULL, sized for their exact number of distinct ones at a false positive rate of 0.01; NULL if there are none; until then a hash of each takes 8 to 18 bytes, which work_mem does not limit; program_limit_exceeded beyond bloomfilter.max_exact_hashes distinct values; errors as for bloom_add. To combine filters, give expected_items instead';

CREATE AGGREGATE bloom_agg(value "any", expected_items double precision) (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, SSPACE = 16384,
	FINALFUNC = bloomfilter_agg_finalfn, FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any", double precision) IS
'filter of all values that are not NULL, for expected_items distinct values at a false positive rate of 0.01, in the memory that the filter takes; NULL if there are none; expected_items NULL: sized for the exact number; invalid_parameter_value if it changes within a group; errors as for bloom_create and bloom_add';

CREATE AGGREGATE bloom_agg(
	value "any", expected_items double precision, false_positive_rate double precision) (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, SSPACE = 16384,
	FINALFUNC = bloomfilter_agg_finalfn, FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any", double precision, double precision) IS
'filter of all values that are not NULL, for expected_items distinct values at the false positive rate; NULL if there are none; expected_items NULL: sized for the exact number; invalid_parameter_value if the rate is NULL or a parameter changes within a group; errors as for bloom_create and bloom_add';

CREATE AGGREGATE bloom_agg(
	value "any", expected_items double precision, false_positive_rate double precision,
	seed bigint) (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, SSPACE = 16384,
	FINALFUNC = bloomfilter_agg_finalfn, FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any", double precision, double precision, bigint) IS
'filter of all values that are not NULL, for expected_items distinct values at the false positive rate, with the seed: filters of different seeds err on different values; NULL if there are none; expected_items NULL: sized for the exact number; invalid_parameter_value if the rate or the seed is NULL or a parameter changes within a group; errors as for bloom_create and bloom_add';

CREATE AGGREGATE bloom_union_agg(filter bloomfilter) (
	SFUNC = bloomfilter_union_transfn, STYPE = bloomfilter, SSPACE = 16384,
	COMBINEFUNC = bloomfilter_union_transfn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_union_agg(bloomfilter) IS
'union of all filters that are not NULL; NULL if there are none; errors as for bloom_union';

CREATE AGGREGATE bloom_intersection_agg(filter bloomfilter) (
	SFUNC = bloomfilter_intersection_transfn, STYPE = bloomfilter, SSPACE = 16384,
	COMBINEFUNC = bloomfilter_intersection_transfn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_intersection_agg(bloomfilter) IS
'intersection of all filters that are not NULL; bloom_cardinality of it is too high, as for bloom_intersection; NULL if there are none; errors as for bloom_union';

--
-- Inspection
--

CREATE FUNCTION bloom_cardinality(filter bloomfilter) RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_cardinality'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_cardinality(bloomfilter) IS
'estimated number of distinct values: exact while sparse, else from the bits set (Swamidass and Baldi 2007), with a relative standard deviation of about 0.25/sqrt(n) when it holds expected_items values at a rate of 0.01; NULL for NULL';

CREATE FUNCTION bloom_false_positive_rate(filter bloomfilter) RETURNS double precision
	AS 'MODULE_PATHNAME', 'bloomfilter_false_positive_rate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_false_positive_rate(bloomfilter) IS
'false positive rate of the filter as filled now, 0 to 1, from the fill of its blocks (of 65,536 of them if it has more); NULL for NULL';

CREATE FUNCTION bloom_union_cardinality(a bloomfilter, b bloomfilter) RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_union_cardinality'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_union_cardinality(bloomfilter, bloomfilter) IS
'estimated number of distinct values in either filter (Swamidass and Baldi 2007); NULL if either is NULL; errors as for bloom_union';

CREATE FUNCTION bloom_intersection_cardinality(a bloomfilter, b bloomfilter) RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_intersection_cardinality'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_intersection_cardinality(bloomfilter, bloomfilter) IS
'estimated number of distinct values in both filters, by inclusion and exclusion (Swamidass and Baldi 2007), never negative; NULL if either is NULL; errors as for bloom_union';

CREATE FUNCTION bloom_jaccard(a bloomfilter, b bloomfilter) RETURNS double precision
	AS 'MODULE_PATHNAME', 'bloomfilter_jaccard'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_jaccard(bloomfilter, bloomfilter) IS
'estimated size of the intersection over that of the union, 0 to 1 (Tanimoto coefficient); 1 for two empty filters; NULL if either is NULL; errors as for bloom_union';

CREATE FUNCTION bloom_info(
	filter bloomfilter,
	OUT element_type text,
	OUT representation text,
	OUT expected_items bigint,
	OUT target_false_positive_rate double precision,
	OUT seed bigint,
	OUT bits bigint,
	OUT hashes integer,
	OUT bits_set bigint,
	OUT fill double precision,
	OUT estimated_items bigint,
	OUT estimated_false_positive_rate double precision,
	OUT bytes bigint)
RETURNS record
	AS 'MODULE_PATHNAME', 'bloomfilter_info'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_info(bloomfilter) IS
'everything about a filter in one row; element_type, the family of its values, is NULL until one was added; bits_set and fill of a sparse filter are what they would be were it dense; bytes: uncompressed stored size; NULL for NULL';

CREATE FUNCTION bloom_size(
	expected_items double precision,
	false_positive_rate double precision DEFAULT 0.01)
RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_size'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_size(double precision, double precision) IS
'bytes that a full filter for expected_items at the false positive rate takes when stored; limits and errors as for bloom_create; NULL if any argument is NULL';

CREATE FUNCTION bloom_hash(value anycompatible, seed bigint DEFAULT 0) RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_hash_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_hash(anycompatible, bigint) IS
'the 64-bit hash by which a filter of that seed knows the value; NULL if any argument is NULL; feature_not_supported or undefined_function if no filter takes values of that type. Never shard by its bits: use bloom_shard';

CREATE FUNCTION bloom_shard(value anycompatible, shards integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'bloomfilter_shard'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_shard(anycompatible, integer) IS
'shard of the value, 0 to shards - 1, by a hash independent of every filter''s, the same for all types of a family, and for text and char(n), whose trailing blanks do not count; NULL if any argument is NULL; invalid_parameter_value if shards is below 1; other errors as for bloom_hash';

--
-- Counting filters, from which values can be removed
--

CREATE TYPE counting_bloomfilter;

CREATE FUNCTION counting_bloomfilter_in(cstring) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

CREATE FUNCTION counting_bloomfilter_out(counting_bloomfilter) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

CREATE FUNCTION counting_bloomfilter_recv(internal) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

CREATE FUNCTION counting_bloomfilter_send(counting_bloomfilter) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

-- Counters of a full filter do compress, to 59 % by pglz and 76 % by lz4, but a
-- part of a value that is stored as it is can be read without the rest.
CREATE TYPE counting_bloomfilter (
	INPUT = counting_bloomfilter_in,
	OUTPUT = counting_bloomfilter_out,
	RECEIVE = counting_bloomfilter_recv,
	SEND = counting_bloomfilter_send,
	STORAGE = external,
	CATEGORY = 'b'
);

COMMENT ON TYPE counting_bloomfilter IS
'bloomfilter that counts, so that values can be removed from it: with a counter of four bits for each bit, four times as large';
COMMENT ON FUNCTION counting_bloomfilter_in(cstring) IS 'I/O';
COMMENT ON FUNCTION counting_bloomfilter_out(counting_bloomfilter) IS 'I/O';
COMMENT ON FUNCTION counting_bloomfilter_recv(internal) IS 'I/O';
COMMENT ON FUNCTION counting_bloomfilter_send(counting_bloomfilter) IS 'I/O';

CREATE FUNCTION counting_bloomfilter_from_bytea(bytea) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloomfilter_from_bytea(bytea) IS
'counting filter of its binary form; invalid_binary_representation if that is damaged or of an unknown version; NULL for NULL';

CREATE FUNCTION counting_bloomfilter_to_bytea(counting_bloomfilter) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloomfilter_to_bytea(counting_bloomfilter) IS
'binary form of a counting filter, with magic and checksum, as docs/format.md describes it; NULL for NULL';

CREATE CAST (bytea AS counting_bloomfilter) WITH FUNCTION counting_bloomfilter_from_bytea(bytea);
COMMENT ON CAST (bytea AS counting_bloomfilter) IS 'counting filter of its binary form';
CREATE CAST (counting_bloomfilter AS bytea) WITH FUNCTION counting_bloomfilter_to_bytea(counting_bloomfilter);
COMMENT ON CAST (counting_bloomfilter AS bytea) IS 'binary form of a counting filter';

CREATE FUNCTION counting_bloomfilter_to_bloomfilter(counting_bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloomfilter_to_bloomfilter(counting_bloomfilter) IS
'the bloomfilter of the values that are in the filter, with the same parameters: bit for bit the one that bloom_agg would build of them, unless counters are stuck; a list while this is one; NULL for NULL';

CREATE CAST (counting_bloomfilter AS bloomfilter) WITH FUNCTION counting_bloomfilter_to_bloomfilter(counting_bloomfilter);
COMMENT ON CAST (counting_bloomfilter AS bloomfilter) IS 'bloomfilter of the values that are in a counting filter';

CREATE FUNCTION counting_bloom_create(
	expected_items double precision,
	false_positive_rate double precision DEFAULT 0.01,
	seed bigint DEFAULT 0)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_create'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_create(double precision, double precision, bigint) IS
'empty counting filter for at most expected_items distinct values at a time (at least 1, rounded up) at the false positive rate (0.000001 <= rate < 1); seed as for bloom_create; NULL if any argument is NULL; at most 512 MB';

CREATE FUNCTION bloom_create_like(filter counting_bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_create_like'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_create_like(counting_bloomfilter) IS
'empty counting filter of the same parameters, which values of any type can be added to; NULL for NULL';

CREATE FUNCTION bloom_add(filter counting_bloomfilter, value anycompatible) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_add'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_add(counting_bloomfilter, anycompatible) IS
'the filter with the value added once more; unchanged if the value is NULL; null_value_not_allowed if the filter is NULL and the value is not, because a result of NULL would lose the value; datatype_mismatch if the filter holds values of another type';

CREATE FUNCTION bloom_add_all(filter counting_bloomfilter, "values" anycompatiblearray) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_add_all'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_add_all(counting_bloomfilter, anycompatiblearray) IS
'the filter with every value of the array added once more, as often as it is there; NULLs in the array are ignored; unchanged if it is NULL or has no values, whatever its type; null_value_not_allowed if the filter is NULL and the array has values, because a result of NULL would lose them; errors as for bloom_add';

CREATE FUNCTION bloom_remove(filter counting_bloomfilter, value anycompatible) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_remove'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_remove(counting_bloomfilter, anycompatible) IS
'the filter with the value removed once; unchanged if the value is NULL; null_value_not_allowed if the filter is NULL and the value is not; invalid_parameter_value if the value is certainly not in it, datatype_mismatch if the filter holds values of another type. **Remove only what was added**: a value that never was, but is a false positive, cannot be told from one that was, and to remove it takes other values out of the filter';

CREATE FUNCTION bloom_remove_all(filter counting_bloomfilter, "values" anycompatiblearray) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_remove_all'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_remove_all(counting_bloomfilter, anycompatiblearray) IS
'the filter with every value of the array removed, as often as it is there; NULLs in the array are ignored; unchanged if it is NULL or has no values; null_value_not_allowed if the filter is NULL and the array has values; errors as for bloom_remove, and then nothing is removed. **Remove only what was added**: a value that never was, but is a false positive, cannot be told from one that was, and to remove it takes other values out of the filter';

CREATE FUNCTION bloom_contains(filter counting_bloomfilter, value anycompatible) RETURNS boolean
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_contains'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains(counting_bloomfilter, anycompatible) IS
'false: the value is certainly not in the filter; true: it is, or this is one of the false positives; NULL if either is NULL; datatype_mismatch if the filter holds values of another type';

CREATE FUNCTION bloom_contained_by(value anycompatible, filter counting_bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_contained_by'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contained_by(anycompatible, counting_bloomfilter) IS
'bloom_contains with its arguments exchanged';

CREATE FUNCTION bloom_contains_any(filter counting_bloomfilter, "values" anycompatiblearray) RETURNS boolean
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_contains_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains_any(counting_bloomfilter, anycompatiblearray) IS
'may the filter contain at least one of the array''s values? NULLs in the array are ignored; false if it has no values, whatever its type; NULL if either argument is NULL; errors as for bloom_contains';

CREATE FUNCTION bloom_contains_all(filter counting_bloomfilter, "values" anycompatiblearray) RETURNS boolean
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_contains_all'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains_all(counting_bloomfilter, anycompatiblearray) IS
'may the filter contain all of the array''s values? NULLs in the array are ignored; true if it has no values, whatever its type; NULL if either argument is NULL; errors as for bloom_contains';

CREATE FUNCTION bloom_count(filter counting_bloomfilter, value anycompatible) RETURNS integer
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION bloom_count(counting_bloomfilter, anycompatible) IS
'how often the value is in the filter, at most: the smallest of its counters, 0 to 15, where 15 stands for that many or more; NULL if either is NULL; datatype_mismatch if the filter holds values of another type';

CREATE OPERATOR @> (
	LEFTARG = counting_bloomfilter, RIGHTARG = anycompatible, FUNCTION = bloom_contains,
	COMMUTATOR = <@, RESTRICT = bloomfilter_contains_sel, JOIN = bloomfilter_contains_joinsel
);
COMMENT ON OPERATOR @> (counting_bloomfilter, anycompatible) IS 'may the filter contain the value? as bloom_contains';

CREATE OPERATOR <@ (
	LEFTARG = anycompatible, RIGHTARG = counting_bloomfilter, FUNCTION = bloom_contained_by,
	COMMUTATOR = @>, RESTRICT = bloomfilter_contains_sel, JOIN = bloomfilter_contains_joinsel
);
COMMENT ON OPERATOR <@ (anycompatible, counting_bloomfilter) IS 'may the value be in the filter? as bloom_contained_by';

CREATE FUNCTION bloom_sum(a counting_bloomfilter, b counting_bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_sum'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_sum(counting_bloomfilter, counting_bloomfilter) IS
'the very filter that the values of both would have built: counters are added, up to 15; NULL counts as the empty set, NULL if both are NULL; invalid_parameter_value unless both have the same size and seed, datatype_mismatch unless both hold the same type';

CREATE FUNCTION bloom_difference(a counting_bloomfilter, b counting_bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_difference'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_difference(counting_bloomfilter, counting_bloomfilter) IS
'the filter a with all that is in b removed, as often as it is there, of the parameters of a; a if b is NULL, NULL if both are; null_value_not_allowed if only a is NULL; invalid_parameter_value if b holds a value more often than a does, or unless both have the same size and seed; datatype_mismatch unless both hold the same type. **Subtract only what was added**, as for bloom_remove';

CREATE OPERATOR + (
	LEFTARG = counting_bloomfilter, RIGHTARG = counting_bloomfilter, FUNCTION = bloom_sum,
	COMMUTATOR = +
);
COMMENT ON OPERATOR + (counting_bloomfilter, counting_bloomfilter) IS 'sum, as bloom_sum';

CREATE OPERATOR - (
	LEFTARG = counting_bloomfilter, RIGHTARG = counting_bloomfilter, FUNCTION = bloom_difference
);
COMMENT ON OPERATOR - (counting_bloomfilter, counting_bloomfilter) IS 'difference, as bloom_difference';

CREATE FUNCTION bloom_compatible(a counting_bloomfilter, b counting_bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_compatible'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_compatible(counting_bloomfilter, counting_bloomfilter) IS
'can the filters be added? true if both have the same size, seed and type of values, or one never held any; NULL if either is NULL';

CREATE FUNCTION counting_bloomfilter_eq(counting_bloomfilter, counting_bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION counting_bloomfilter_eq(counting_bloomfilter, counting_bloomfilter) IS 'implementation of = operator';

CREATE FUNCTION counting_bloomfilter_ne(counting_bloomfilter, counting_bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION counting_bloomfilter_ne(counting_bloomfilter, counting_bloomfilter) IS 'implementation of <> operator';

CREATE FUNCTION counting_bloomfilter_hash(counting_bloomfilter) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION counting_bloomfilter_hash(counting_bloomfilter) IS 'hash';

CREATE FUNCTION counting_bloomfilter_hash_extended(counting_bloomfilter, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION counting_bloomfilter_hash_extended(counting_bloomfilter, bigint) IS 'hash';

CREATE OPERATOR = (
	LEFTARG = counting_bloomfilter, RIGHTARG = counting_bloomfilter, FUNCTION = counting_bloomfilter_eq,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES
);
COMMENT ON OPERATOR = (counting_bloomfilter, counting_bloomfilter) IS 'same stored bytes; NULL if either is NULL; never an error';

CREATE OPERATOR <> (
	LEFTARG = counting_bloomfilter, RIGHTARG = counting_bloomfilter, FUNCTION = counting_bloomfilter_ne,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (counting_bloomfilter, counting_bloomfilter) IS 'other stored bytes; NULL if either is NULL; never an error';

CREATE OPERATOR CLASS counting_bloomfilter_ops DEFAULT FOR TYPE counting_bloomfilter USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 counting_bloomfilter_hash(counting_bloomfilter),
	FUNCTION 2 counting_bloomfilter_hash_extended(counting_bloomfilter, bigint);
COMMENT ON OPERATOR CLASS counting_bloomfilter_ops USING hash IS 'equality of counting filters';
COMMENT ON OPERATOR FAMILY counting_bloomfilter_ops USING hash IS 'equality of counting filters';

--
-- The transition state is a filter, as for bloomfilter.  There is no
-- moving-aggregate mode: what was added at a stuck counter does not go out.
--

CREATE FUNCTION counting_bloomfilter_agg_transfn(
	state counting_bloomfilter, value "any", expected_items double precision)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_agg_transfn(counting_bloomfilter, "any", double precision) IS
'aggregate transition function of counting_bloom_agg';

CREATE FUNCTION counting_bloomfilter_agg_transfn(
	state counting_bloomfilter, value "any", expected_items double precision,
	false_positive_rate double precision)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_agg_transfn(counting_bloomfilter, "any", double precision, double precision) IS
'aggregate transition function of counting_bloom_agg';

CREATE FUNCTION counting_bloomfilter_agg_transfn(
	state counting_bloomfilter, value "any", expected_items double precision,
	false_positive_rate double precision, seed bigint)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_agg_transfn(counting_bloomfilter, "any", double precision, double precision, bigint) IS
'aggregate transition function of counting_bloom_agg';

CREATE FUNCTION counting_bloomfilter_agg_combinefn(state counting_bloomfilter, other counting_bloomfilter)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloomfilter_agg_combinefn(counting_bloomfilter, counting_bloomfilter) IS
'aggregate combine function of counting_bloom_agg: sum of two states; NULLs are ignored; invalid_parameter_value if counting_bloom_agg was given other parameters for one than for the other';

CREATE FUNCTION counting_bloomfilter_sum_transfn(state counting_bloomfilter, filter counting_bloomfilter)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloomfilter_sum_transfn(counting_bloomfilter, counting_bloomfilter) IS
'aggregate transition and combine function: sum; NULLs are ignored';

CREATE AGGREGATE counting_bloom_agg(value "any", expected_items double precision) (
	SFUNC = counting_bloomfilter_agg_transfn, STYPE = counting_bloomfilter, SSPACE = 16384,
	COMBINEFUNC = counting_bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE counting_bloom_agg("any", double precision) IS
'counting filter of all values that are not NULL, each added as often as it comes, for at most expected_items distinct values at a time at a false positive rate of 0.01; NULL if there are none; invalid_parameter_value if expected_items is NULL or changes within a group';

CREATE AGGREGATE counting_bloom_agg(
	value "any", expected_items double precision, false_positive_rate double precision) (
	SFUNC = counting_bloomfilter_agg_transfn, STYPE = counting_bloomfilter, SSPACE = 16384,
	COMBINEFUNC = counting_bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE counting_bloom_agg("any", double precision, double precision) IS
'counting filter of all values that are not NULL, each added as often as it comes, for at most expected_items distinct values at a time at the false positive rate; NULL if there are none; invalid_parameter_value if a parameter is NULL or changes within a group';

CREATE AGGREGATE counting_bloom_agg(
	value "any", expected_items double precision, false_positive_rate double precision,
	seed bigint) (
	SFUNC = counting_bloomfilter_agg_transfn, STYPE = counting_bloomfilter, SSPACE = 16384,
	COMBINEFUNC = counting_bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE counting_bloom_agg("any", double precision, double precision, bigint) IS
'counting filter of all values that are not NULL, each added as often as it comes, for at most expected_items distinct values at a time at the false positive rate, with the seed; NULL if there are no values; invalid_parameter_value if a parameter is NULL or changes within a group';

CREATE AGGREGATE counting_bloom_sum_agg(filter counting_bloomfilter) (
	SFUNC = counting_bloomfilter_sum_transfn, STYPE = counting_bloomfilter, SSPACE = 16384,
	COMBINEFUNC = counting_bloomfilter_sum_transfn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE counting_bloom_sum_agg(counting_bloomfilter) IS
'sum of all counting filters that are not NULL; NULL if there are none; errors as for bloom_sum';

CREATE FUNCTION bloom_cardinality(filter counting_bloomfilter) RETURNS bigint
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_cardinality'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_cardinality(counting_bloomfilter) IS
'estimated number of distinct values in the filter: that of the bloomfilter which it casts to; NULL for NULL';

CREATE FUNCTION bloom_false_positive_rate(filter counting_bloomfilter) RETURNS double precision
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_false_positive_rate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_false_positive_rate(counting_bloomfilter) IS
'false positive rate of the filter as filled now, 0 to 1: that of the bloomfilter which it casts to; NULL for NULL';

CREATE FUNCTION bloom_info(
	filter counting_bloomfilter,
	OUT element_type text,
	OUT representation text,
	OUT expected_items bigint,
	OUT target_false_positive_rate double precision,
	OUT seed bigint,
	OUT bits bigint,
	OUT hashes integer,
	OUT bits_set bigint,
	OUT fill double precision,
	OUT estimated_items bigint,
	OUT estimated_false_positive_rate double precision,
	OUT bytes bigint,
	OUT stuck_counters bigint)
RETURNS record
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_info'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_info(counting_bloomfilter) IS
'everything about a counting filter in one row; bits, bits_set and fill are those of the bloomfilter which it casts to: counters, and counters that are not zero; stuck_counters: those at 15, which no removal lowers any more; bits_set, fill and stuck_counters of a sparse filter are what they would be were it dense; bytes: uncompressed stored size; NULL for NULL';

CREATE FUNCTION bloom_join_filters(
	query text,
	OUT join_type text,
	OUT join_key text,
	OUT tested_above text,
	OUT verdict text,
	OUT reason text,
	OUT expected_rows bigint,
	OUT pass_fraction double precision,
	OUT filter_bytes bigint)
RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'bloomfilter_join_filters'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000 ROWS 10;
COMMENT ON FUNCTION bloom_join_filters(text) IS
'plans a query without running it, and tells for each join and key why there is a join filter or none; verdict: filter, filter if on (the setting is off), or no filter; expected_rows: those that would be tested; pass_fraction: the part of them, 0 to 1, expected to pass; whoever may EXPLAIN the query may ask; no rows for NULL; syntax_error unless the query is one statement; feature_not_supported for utility statements';

CREATE FUNCTION bloom_join_filter_status(
	OUT join_filters text,
	OUT source text,
	OUT preloaded_by text,
	OUT rejected_value text)
RETURNS record
	AS 'MODULE_PATHNAME', 'bloomfilter_join_filter_status'
	LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000;
COMMENT ON FUNCTION bloom_join_filter_status() IS
'whether this session has join filters, and new ones of this user in this database will; join_filters: the value of bloomfilter.join_filters; source: where it comes from, as in pg_settings; preloaded_by: the setting that loads the library in new sessions, NULL if none does; rejected_value: an unknown value that bloomfilter.join_filters was given before the library was loaded, NULL if there is none; the call loads the library';
