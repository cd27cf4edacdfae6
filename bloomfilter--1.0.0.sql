/* bloomfilter--1.0.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION bloomfilter" to load this file. \quit

--
-- Every function of values and filters but the planner's two estimators is
-- IMMUTABLE: values are hashed by canonical bytes, or by their type's extended
-- hash function, which has to be immutable too.  What that depends on beyond
-- the value, a database's encoding and locale, cannot change while the database
-- exists and is recorded in the filter.
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
'Compact set of values of one type. A test never misses a stored value, but some absent values are found too.';
COMMENT ON FUNCTION bloomfilter_in(cstring) IS 'I/O';
COMMENT ON FUNCTION bloomfilter_out(bloomfilter) IS 'I/O';
COMMENT ON FUNCTION bloomfilter_recv(internal) IS 'I/O';
COMMENT ON FUNCTION bloomfilter_send(bloomfilter) IS 'I/O';

CREATE FUNCTION bloomfilter_from_bytea(bytea) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_from_bytea(bytea) IS
'Reads a filter from its binary form. NULL if an argument is NULL. Error if the bytes are damaged or of an unknown version.';

CREATE FUNCTION bloomfilter_to_bytea(bloomfilter) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_to_bytea(bloomfilter) IS
'Returns the binary form of a filter, with a checksum; docs/format.md describes it. NULL if an argument is NULL.';

CREATE CAST (bytea AS bloomfilter) WITH FUNCTION bloomfilter_from_bytea(bytea);
COMMENT ON CAST (bytea AS bloomfilter) IS 'Reads a filter from its binary form';
CREATE CAST (bloomfilter AS bytea) WITH FUNCTION bloomfilter_to_bytea(bloomfilter);
COMMENT ON CAST (bloomfilter AS bytea) IS 'Returns the binary form of a filter';

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
'Returns an empty filter for expected_items distinct values (1 or more, rounded up) at the false positive rate (0.000001 or more, less than 1). Filters with different seeds have different false positives. NULL if an argument is NULL. Error if a number is out of range or the filter would be larger than 512 MB.';

CREATE FUNCTION bloom_create_like(filter bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_create_like'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_create_like(bloomfilter) IS
'Returns an empty filter with the same parameters, to which values of any type can be added. NULL if an argument is NULL.';

CREATE FUNCTION bloom_add(filter bloomfilter, value anycompatible) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_add'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_add(bloomfilter, anycompatible) IS
'Returns the filter with the value added; an array is one value, and bloom_add_all adds its elements. A counting filter counts every addition. A NULL value changes nothing; a value for a NULL filter is an error. Error if the filter holds values of another type, or if no filter can hold values of this type.';

CREATE FUNCTION bloom_add_all(filter bloomfilter, "values" anycompatiblearray) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_add_all'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_add_all(bloomfilter, anycompatiblearray) IS
'Returns the filter with every value of the array added, as by bloom_add. NULLs in the array are ignored, a NULL or empty array changes nothing, and values for a NULL filter are an error. Errors as for bloom_add.';

CREATE FUNCTION bloom_add_new(
	filter bloomfilter,
	"values" anycompatiblearray,
	OUT filter bloomfilter,
	OUT new_values anycompatiblearray)
RETURNS record
	AS 'MODULE_PATHNAME', 'bloomfilter_add_new'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_add_new(bloomfilter, anycompatiblearray) IS
'Returns the filter with every value of the array added; new_values has those that were certainly not in it before, each once, in order. New values that are false positives are missing there. Lock the row of a stored filter first (SELECT ... FOR UPDATE), or values that other sessions add are lost. NULL as for bloom_add_all; new_values is NULL if the array is. Errors as for bloom_add.';

--
-- Testing
--

CREATE FUNCTION bloomfilter_contains_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_contains_support(internal) IS
'Planner support for bloom_contains, bloom_contained_by, bloom_contains_any and bloom_contains_all';

CREATE FUNCTION bloomfilter_contains_sel(internal, oid, internal, integer) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_contains_sel(internal, oid, internal, integer) IS
'Restriction selectivity of @> and <@';

CREATE FUNCTION bloomfilter_contains_joinsel(internal, oid, internal, smallint, internal) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_contains_joinsel(internal, oid, internal, smallint, internal) IS
'Join selectivity of @> and <@';

CREATE FUNCTION bloom_contains(filter bloomfilter, value anycompatible) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_contains'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains(bloomfilter, anycompatible) IS
'Returns false if the value is certainly not in the filter, true if it is or if it is a false positive. NULL if an argument is NULL. Error if the filter holds values of another type.';

CREATE FUNCTION bloom_contained_by(value anycompatible, filter bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_contained_by'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contained_by(anycompatible, bloomfilter) IS
'Returns the same as bloom_contains(filter, value). NULL if an argument is NULL. Errors as for bloom_contains.';

CREATE FUNCTION bloom_contains_any(filter bloomfilter, "values" anycompatiblearray) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_contains_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains_any(bloomfilter, anycompatiblearray) IS
'Returns true if bloom_contains is true for at least one value of the array; false for an empty array. NULLs in the array are ignored. NULL if an argument is NULL. Errors as for bloom_contains.';

CREATE FUNCTION bloom_contains_all(filter bloomfilter, "values" anycompatiblearray) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_contains_all'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains_all(bloomfilter, anycompatiblearray) IS
'Returns true if bloom_contains is true for every value of the array; true for an empty array. NULLs in the array are ignored. NULL if an argument is NULL. Errors as for bloom_contains.';

CREATE FUNCTION bloomfilter_may_match(filter bloomfilter, value "any", declared text) RETURNS boolean
	AS 'MODULE_PATHNAME'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloomfilter_may_match(bloomfilter, "any", text) IS
'Tests a value on a remote server for a join filter. declared is the type that the querying server declares for the column; if the column has another type here, the result is true. NULL if an argument is NULL.';

CREATE OPERATOR @> (
	LEFTARG = bloomfilter, RIGHTARG = anycompatible, FUNCTION = bloom_contains,
	COMMUTATOR = <@, RESTRICT = bloomfilter_contains_sel, JOIN = bloomfilter_contains_joinsel
);
COMMENT ON OPERATOR @> (bloomfilter, anycompatible) IS 'Same as bloom_contains(filter, value)';

CREATE OPERATOR <@ (
	LEFTARG = anycompatible, RIGHTARG = bloomfilter, FUNCTION = bloom_contained_by,
	COMMUTATOR = @>, RESTRICT = bloomfilter_contains_sel, JOIN = bloomfilter_contains_joinsel
);
COMMENT ON OPERATOR <@ (anycompatible, bloomfilter) IS 'Same as bloom_contained_by(value, filter)';

--
-- Combining
--

CREATE FUNCTION bloom_union(a bloomfilter, b bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_union'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_union(bloomfilter, bloomfilter) IS
'Returns the filter that the values of both would have built. A NULL filter counts as empty; the result is NULL if both are. Error unless both have the same bits, hashes and seed (see bloom_info), and values of one type.';

CREATE FUNCTION bloom_intersection(a bloomfilter, b bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_intersection'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_intersection(bloomfilter, bloomfilter) IS
'Returns a filter that holds at least the common values. Its false positive rate is at least that of a filter built from them. Its bloom_cardinality is too high: use bloom_intersection_cardinality. NULL if an argument is NULL. Errors as for bloom_union.';

CREATE OPERATOR | (
	LEFTARG = bloomfilter, RIGHTARG = bloomfilter, FUNCTION = bloom_union,
	COMMUTATOR = |
);
COMMENT ON OPERATOR | (bloomfilter, bloomfilter) IS 'Same as bloom_union(a, b)';

CREATE OPERATOR & (
	LEFTARG = bloomfilter, RIGHTARG = bloomfilter, FUNCTION = bloom_intersection,
	COMMUTATOR = &
);
COMMENT ON OPERATOR & (bloomfilter, bloomfilter) IS
'Same as bloom_intersection(a, b). To count common values, use bloom_intersection_cardinality.';

CREATE FUNCTION bloom_compatible(a bloomfilter, b bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_compatible'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_compatible(bloomfilter, bloomfilter) IS
'Returns true if the filters can be combined: they have the same bits, hashes and seed (see bloom_info), and values of one type or none yet. NULL if an argument is NULL. Never an error.';

CREATE FUNCTION bloom_is_superset(a bloomfilter, b bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_is_superset'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_is_superset(bloomfilter, bloomfilter) IS
'Returns false if b holds a value that a certainly does not, true if every bit or hash of b is in a. NULL if an argument is NULL. Errors as for bloom_union.';

CREATE FUNCTION bloom_shrink(filter bloomfilter, factor integer) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_shrink'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_shrink(bloomfilter, integer) IS
'Returns the filter that the same values would have built with 1/factor of the blocks and of expected_items (rounded down, at least 1). The factor must divide the number of blocks (bits / 512 in bloom_info). Filters of the same parameters, shrunk by the same factor, can be combined. NULL if an argument is NULL. Error if the factor does not divide the number of blocks.';

--
-- Equality
--

CREATE FUNCTION bloomfilter_eq(bloomfilter, bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloomfilter_eq(bloomfilter, bloomfilter) IS 'Implementation of the operator =';

CREATE FUNCTION bloomfilter_ne(bloomfilter, bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloomfilter_ne(bloomfilter, bloomfilter) IS 'Implementation of the operator <>';

CREATE FUNCTION bloomfilter_hash(bloomfilter) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloomfilter_hash(bloomfilter) IS
'Hash of a filter, for hash joins and hash indexes';

CREATE FUNCTION bloomfilter_hash_extended(bloomfilter, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloomfilter_hash_extended(bloomfilter, bigint) IS
'Hash of a filter, for hash joins and hash indexes';

CREATE OPERATOR = (
	LEFTARG = bloomfilter, RIGHTARG = bloomfilter, FUNCTION = bloomfilter_eq,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES
);
COMMENT ON OPERATOR = (bloomfilter, bloomfilter) IS
'Returns true if the stored bytes are the same. NULL if an argument is NULL.';

CREATE OPERATOR <> (
	LEFTARG = bloomfilter, RIGHTARG = bloomfilter, FUNCTION = bloomfilter_ne,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (bloomfilter, bloomfilter) IS
'Returns true if the stored bytes differ. NULL if an argument is NULL.';

CREATE OPERATOR CLASS bloomfilter_ops DEFAULT FOR TYPE bloomfilter USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 bloomfilter_hash(bloomfilter),
	FUNCTION 2 bloomfilter_hash_extended(bloomfilter, bigint);
COMMENT ON OPERATOR CLASS bloomfilter_ops USING hash IS
'Equality of filters, for DISTINCT, GROUP BY, UNION, hash joins and hash indexes';
COMMENT ON OPERATOR FAMILY bloomfilter_ops USING hash IS 'Equality of filters';

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
COMMENT ON FUNCTION bloomfilter_agg_transfn(bloomfilter, "any") IS 'Transition function of bloom_agg';

CREATE FUNCTION bloomfilter_agg_transfn(state bloomfilter, value "any", expected_items double precision)
RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_agg_transfn(bloomfilter, "any", double precision) IS
'Transition function of bloom_agg';

CREATE FUNCTION bloomfilter_agg_transfn(
	state bloomfilter, value "any", expected_items double precision,
	false_positive_rate double precision)
RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_agg_transfn(bloomfilter, "any", double precision, double precision) IS
'Transition function of bloom_agg';

CREATE FUNCTION bloomfilter_agg_transfn(
	state bloomfilter, value "any", expected_items double precision,
	false_positive_rate double precision, seed bigint)
RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_agg_transfn(bloomfilter, "any", double precision, double precision, bigint) IS
'Transition function of bloom_agg';

CREATE FUNCTION bloomfilter_agg_combinefn(state bloomfilter, other bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_agg_combinefn(bloomfilter, bloomfilter) IS
'Combine function of bloom_agg: union of two states. NULL states are ignored. Error if bloom_agg had different parameters for them.';

CREATE FUNCTION bloomfilter_agg_finalfn(state bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_agg_finalfn(bloomfilter) IS
'Final function of bloom_agg: gives a filter without a size the size that its values need, and returns any other filter unchanged. NULL if an argument is NULL.';

CREATE FUNCTION bloomfilter_union_transfn(state bloomfilter, filter bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_union_transfn(bloomfilter, bloomfilter) IS
'Transition and combine function of bloom_union_agg. NULL filters are ignored.';

CREATE FUNCTION bloomfilter_intersection_transfn(state bloomfilter, filter bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloomfilter_intersection_transfn(bloomfilter, bloomfilter) IS
'Transition and combine function of bloom_intersection_agg. NULL filters are ignored.';

CREATE AGGREGATE bloom_agg(value "any") (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, SSPACE = 16384,
	FINALFUNC = bloomfilter_agg_finalfn, FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any") IS
'Builds a filter of all values, sized for their exact number at a false positive rate of 0.01. It needs 8 to 18 bytes of memory per distinct value, which work_mem does not limit. To combine filters, give expected_items. NULL values are ignored; NULL if there are no other values. Error beyond bloomfilter.max_exact_hashes distinct values; other errors as for bloom_add.';

CREATE AGGREGATE bloom_agg(value "any", expected_items double precision) (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, SSPACE = 16384,
	FINALFUNC = bloomfilter_agg_finalfn, FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any", double precision) IS
'Builds a filter of all values, for expected_items distinct values at the false positive rate (default 0.01), with the seed (default 0). NULL values are ignored; NULL if there are no other values. If expected_items is NULL, the filter is sized for the exact number. Error if the rate or the seed is NULL, or a parameter changes within a group; other errors as for bloom_create and bloom_add.';

CREATE AGGREGATE bloom_agg(
	value "any", expected_items double precision, false_positive_rate double precision) (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, SSPACE = 16384,
	FINALFUNC = bloomfilter_agg_finalfn, FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any", double precision, double precision) IS
'Builds a filter of all values, for expected_items distinct values at the false positive rate (default 0.01), with the seed (default 0). NULL values are ignored; NULL if there are no other values. If expected_items is NULL, the filter is sized for the exact number. Error if the rate or the seed is NULL, or a parameter changes within a group; other errors as for bloom_create and bloom_add.';

CREATE AGGREGATE bloom_agg(
	value "any", expected_items double precision, false_positive_rate double precision,
	seed bigint) (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, SSPACE = 16384,
	FINALFUNC = bloomfilter_agg_finalfn, FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any", double precision, double precision, bigint) IS
'Builds a filter of all values, for expected_items distinct values at the false positive rate (default 0.01), with the seed (default 0). NULL values are ignored; NULL if there are no other values. If expected_items is NULL, the filter is sized for the exact number. Error if the rate or the seed is NULL, or a parameter changes within a group; other errors as for bloom_create and bloom_add.';

CREATE AGGREGATE bloom_union_agg(filter bloomfilter) (
	SFUNC = bloomfilter_union_transfn, STYPE = bloomfilter, SSPACE = 16384,
	COMBINEFUNC = bloomfilter_union_transfn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_union_agg(bloomfilter) IS
'Builds the union of all filters. NULL filters are ignored; NULL if there are no others. Errors as for bloom_union.';

CREATE AGGREGATE bloom_intersection_agg(filter bloomfilter) (
	SFUNC = bloomfilter_intersection_transfn, STYPE = bloomfilter, SSPACE = 16384,
	COMBINEFUNC = bloomfilter_intersection_transfn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_intersection_agg(bloomfilter) IS
'Builds the intersection of all filters. Its bloom_cardinality is too high, as for bloom_intersection. NULL filters are ignored; NULL if there are no others. Errors as for bloom_union.';

--
-- Inspection
--

CREATE FUNCTION bloom_cardinality(filter bloomfilter) RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_cardinality'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_cardinality(bloomfilter) IS
'Estimates the number of distinct values; exact for a list (sparse). If the filter was made for n values at a rate of 0.01 and holds n, the relative standard deviation is about 0.25/sqrt(n). Where all bits are set (fill = 1 in bloom_info), only the least that the filter may hold. NULL if an argument is NULL.';

CREATE FUNCTION bloom_false_positive_rate(filter bloomfilter) RETURNS double precision
	AS 'MODULE_PATHNAME', 'bloomfilter_false_positive_rate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_false_positive_rate(bloomfilter) IS
'Returns the false positive rate of the filter as it is filled now, 0 to 1, from the fill of its blocks (at most 65,536 of them). NULL if an argument is NULL.';

CREATE FUNCTION bloom_union_cardinality(a bloomfilter, b bloomfilter) RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_union_cardinality'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_union_cardinality(bloomfilter, bloomfilter) IS
'Estimates the number of distinct values that are in at least one of the filters. NULL if an argument is NULL. Errors as for bloom_union.';

CREATE FUNCTION bloom_intersection_cardinality(a bloomfilter, b bloomfilter) RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_intersection_cardinality'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_intersection_cardinality(bloomfilter, bloomfilter) IS
'Estimates the number of distinct values that are in both filters, by inclusion and exclusion; never negative. NULL if an argument is NULL. Errors as for bloom_union.';

CREATE FUNCTION bloom_jaccard(a bloomfilter, b bloomfilter) RETURNS double precision
	AS 'MODULE_PATHNAME', 'bloomfilter_jaccard'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_jaccard(bloomfilter, bloomfilter) IS
'Estimates the number of common values divided by that of all values, 0 to 1 (Jaccard coefficient); 1 for two empty filters. NULL if an argument is NULL. Errors as for bloom_union.';

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
'Describes the filter in one row. element_type is unknown (NULL) before the first value; bits_set and fill of a list (sparse) are those of its dense form; bytes is the stored size without compression. NULL if an argument is NULL.';

CREATE FUNCTION bloom_size(
	expected_items double precision,
	false_positive_rate double precision DEFAULT 0.01)
RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_size'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_size(double precision, double precision) IS
'Returns the stored size in bytes of a full filter for expected_items at the false positive rate. NULL if an argument is NULL. Errors as for bloom_create.';

CREATE FUNCTION bloom_hash(value anycompatible, seed bigint DEFAULT 0) RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_hash_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_hash(anycompatible, bigint) IS
'Returns the 64-bit hash of the value in filters with this seed. Never shard by its bits: use bloom_shard. NULL if an argument is NULL. Error if no filter can hold values of this type.';

CREATE FUNCTION bloom_shard(value anycompatible, shards integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'bloomfilter_shard'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_shard(anycompatible, integer) IS
'Returns the shard of the value, 0 to shards - 1, by a hash that is independent of those in filters. It is the same for all types of a family, and for text and char(n) without trailing blanks. NULL if an argument is NULL. Error if shards is less than 1; other errors as for bloom_hash.';

--
-- Sets: filters in the rows of a table, to which values are added one by one
--
-- These functions run SQL, with the rights of the caller.
--

CREATE FUNCTION bloom_set_create(
	name text,
	expected_items double precision,
	false_positive_rate double precision DEFAULT 0.01,
	seed bigint DEFAULT 0)
RETURNS regclass
	AS 'MODULE_PATHNAME', 'bloomfilter_set_create'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION bloom_set_create(text, double precision, double precision, bigint) IS
'Creates the table of an empty set and returns it. The name is as in CREATE TABLE, the parameters are those of bloom_create. NULL if an argument is NULL. Errors as for bloom_create and CREATE TABLE.';

CREATE FUNCTION bloom_set_add(set regclass, value anycompatible) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_set_add'
	LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION bloom_set_add(regclass, anycompatible) IS
'Adds the value and returns true if it was certainly not in the set. Waits for transactions that change its row. NULL if the value is NULL; a value for a NULL set is an error. Error if the set holds values of another type, if the table is no set or is damaged; other errors as for bloom_add and UPDATE.';

CREATE FUNCTION bloom_set_add_all(set regclass, "values" anycompatiblearray) RETURNS anycompatiblearray
	AS 'MODULE_PATHNAME', 'bloomfilter_set_add_all'
	LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION bloom_set_add_all(regclass, anycompatiblearray) IS
'Adds every value of the array and returns those that were certainly not in the set, each once, in order. NULLs in the array are ignored; NULL if the array is NULL; values for a NULL set are an error. Errors as for bloom_set_add.';

CREATE FUNCTION bloom_set_contains(set regclass, value anycompatible) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_set_contains'
	LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 500;
COMMENT ON FUNCTION bloom_set_contains(regclass, anycompatible) IS
'Returns false if the value was certainly not in the set when the query began, true if it was or is a false positive. NULL if an argument is NULL. Errors as for bloom_set_add.';

CREATE FUNCTION bloom_set_clear(set regclass) RETURNS void
	AS 'MODULE_PATHNAME', 'bloomfilter_set_clear'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION bloom_set_clear(regclass) IS
'Takes all values out of the set, which keeps its parameters and the type of its values. Waits for transactions that add, which then wait for its own (SHARE ROW EXCLUSIVE); until that commits, others find the values. NULL if an argument is NULL. Error if the table is no set or is damaged; other errors as for UPDATE.';

CREATE FUNCTION bloom_set_filter(set regclass) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_set_filter'
	LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100000;
COMMENT ON FUNCTION bloom_set_filter(regclass) IS
'Returns all values of the set as a dense filter, which combines with others of its parameters. NULL if an argument is NULL. Error if the table is no set or is damaged.';

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
'Bloom filter from which values can be removed; four times as large as a bloomfilter.';
COMMENT ON FUNCTION counting_bloomfilter_in(cstring) IS 'I/O';
COMMENT ON FUNCTION counting_bloomfilter_out(counting_bloomfilter) IS 'I/O';
COMMENT ON FUNCTION counting_bloomfilter_recv(internal) IS 'I/O';
COMMENT ON FUNCTION counting_bloomfilter_send(counting_bloomfilter) IS 'I/O';

CREATE FUNCTION counting_bloomfilter_from_bytea(bytea) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloomfilter_from_bytea(bytea) IS
'Reads a filter from its binary form. NULL if an argument is NULL. Error if the bytes are damaged or of an unknown version.';

CREATE FUNCTION counting_bloomfilter_to_bytea(counting_bloomfilter) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloomfilter_to_bytea(counting_bloomfilter) IS
'Returns the binary form of a filter, with a checksum; docs/format.md describes it. NULL if an argument is NULL.';

CREATE CAST (bytea AS counting_bloomfilter) WITH FUNCTION counting_bloomfilter_from_bytea(bytea);
COMMENT ON CAST (bytea AS counting_bloomfilter) IS 'Reads a filter from its binary form';
CREATE CAST (counting_bloomfilter AS bytea) WITH FUNCTION counting_bloomfilter_to_bytea(counting_bloomfilter);
COMMENT ON CAST (counting_bloomfilter AS bytea) IS 'Returns the binary form of a filter';

CREATE FUNCTION counting_bloomfilter_to_bloomfilter(counting_bloomfilter) RETURNS bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloomfilter_to_bloomfilter(counting_bloomfilter) IS
'Returns the bloomfilter of the values in a counting filter, with the same parameters. Its bits are those that bloom_agg would set for these values, unless counters are stuck at 15. NULL if an argument is NULL.';

CREATE CAST (counting_bloomfilter AS bloomfilter) WITH FUNCTION counting_bloomfilter_to_bloomfilter(counting_bloomfilter);
COMMENT ON CAST (counting_bloomfilter AS bloomfilter) IS
'Returns the bloomfilter of the values in a counting filter';

CREATE FUNCTION counting_bloomfilter_from_bloomfilter_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_from_bloomfilter_support(internal) IS
'Planner support for counting_bloomfilter_from_bloomfilter: raises its error when a statement is planned';

CREATE FUNCTION counting_bloomfilter_from_bloomfilter(bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT counting_bloomfilter_from_bloomfilter_support;
COMMENT ON FUNCTION counting_bloomfilter_from_bloomfilter(bloomfilter) IS
'Raises an error that says how to build a counting filter. NULL if an argument is NULL.';

-- implicit, so that bloom_remove(bloomfilter, value) and its like find a function
CREATE CAST (bloomfilter AS counting_bloomfilter) WITH FUNCTION counting_bloomfilter_from_bloomfilter(bloomfilter) AS IMPLICIT;
COMMENT ON CAST (bloomfilter AS counting_bloomfilter) IS
'Raises an error that says how to build a counting filter';

CREATE FUNCTION counting_bloom_create(
	expected_items double precision,
	false_positive_rate double precision DEFAULT 0.01,
	seed bigint DEFAULT 0)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_create'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_create(double precision, double precision, bigint) IS
'Returns an empty filter for expected_items distinct values (1 or more, rounded up) at the false positive rate (0.000001 or more, less than 1). Filters with different seeds have different false positives. NULL if an argument is NULL. Error if a number is out of range or the filter would be larger than 512 MB.';

CREATE FUNCTION bloom_create_like(filter counting_bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_create_like'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_create_like(counting_bloomfilter) IS
'Returns an empty filter with the same parameters, to which values of any type can be added. NULL if an argument is NULL.';

CREATE FUNCTION bloom_add(filter counting_bloomfilter, value anycompatible) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_add'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_add(counting_bloomfilter, anycompatible) IS
'Returns the filter with the value added; an array is one value, and bloom_add_all adds its elements. A counting filter counts every addition. A NULL value changes nothing; a value for a NULL filter is an error. Error if the filter holds values of another type, or if no filter can hold values of this type.';

CREATE FUNCTION bloom_add_all(filter counting_bloomfilter, "values" anycompatiblearray) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_add_all'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_add_all(counting_bloomfilter, anycompatiblearray) IS
'Returns the filter with every value of the array added, as by bloom_add. NULLs in the array are ignored, a NULL or empty array changes nothing, and values for a NULL filter are an error. Errors as for bloom_add.';

CREATE FUNCTION bloom_remove(filter counting_bloomfilter, value anycompatible) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_remove'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_remove(counting_bloomfilter, anycompatible) IS
'Returns the filter with the value removed once. Remove only values that were added: removing a false positive damages other values, which are then not found. A NULL value changes nothing; a value for a NULL filter is an error. Error if the value is certainly not in the filter, or if the filter holds values of another type.';

CREATE FUNCTION bloom_remove_all(filter counting_bloomfilter, "values" anycompatiblearray) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_remove_all'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_remove_all(counting_bloomfilter, anycompatiblearray) IS
'Returns the filter with every value of the array removed, as often as it is in the array. Remove only what was added. NULLs in the array are ignored, a NULL or empty array changes nothing, and values for a NULL filter are an error. Errors as for bloom_remove; then nothing is removed.';

CREATE FUNCTION bloom_contains(filter counting_bloomfilter, value anycompatible) RETURNS boolean
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_contains'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains(counting_bloomfilter, anycompatible) IS
'Returns false if the value is certainly not in the filter, true if it is or if it is a false positive. NULL if an argument is NULL. Error if the filter holds values of another type.';

CREATE FUNCTION bloom_contained_by(value anycompatible, filter counting_bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_contained_by'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contained_by(anycompatible, counting_bloomfilter) IS
'Returns the same as bloom_contains(filter, value). NULL if an argument is NULL. Errors as for bloom_contains.';

CREATE FUNCTION bloom_contains_any(filter counting_bloomfilter, "values" anycompatiblearray) RETURNS boolean
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_contains_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains_any(counting_bloomfilter, anycompatiblearray) IS
'Returns true if bloom_contains is true for at least one value of the array; false for an empty array. NULLs in the array are ignored. NULL if an argument is NULL. Errors as for bloom_contains.';

CREATE FUNCTION bloom_contains_all(filter counting_bloomfilter, "values" anycompatiblearray) RETURNS boolean
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_contains_all'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT bloomfilter_contains_support;
COMMENT ON FUNCTION bloom_contains_all(counting_bloomfilter, anycompatiblearray) IS
'Returns true if bloom_contains is true for every value of the array; true for an empty array. NULLs in the array are ignored. NULL if an argument is NULL. Errors as for bloom_contains.';

CREATE FUNCTION bloom_count(filter counting_bloomfilter, value anycompatible) RETURNS integer
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION bloom_count(counting_bloomfilter, anycompatible) IS
'Returns an upper bound of how often the value is in the filter: 0 to 15, where 15 means 15 or more. NULL if an argument is NULL. Error if the filter holds values of another type.';

CREATE OPERATOR @> (
	LEFTARG = counting_bloomfilter, RIGHTARG = anycompatible, FUNCTION = bloom_contains,
	COMMUTATOR = <@, RESTRICT = bloomfilter_contains_sel, JOIN = bloomfilter_contains_joinsel
);
COMMENT ON OPERATOR @> (counting_bloomfilter, anycompatible) IS
'Same as bloom_contains(filter, value)';

CREATE OPERATOR <@ (
	LEFTARG = anycompatible, RIGHTARG = counting_bloomfilter, FUNCTION = bloom_contained_by,
	COMMUTATOR = @>, RESTRICT = bloomfilter_contains_sel, JOIN = bloomfilter_contains_joinsel
);
COMMENT ON OPERATOR <@ (anycompatible, counting_bloomfilter) IS
'Same as bloom_contained_by(value, filter)';

CREATE FUNCTION bloom_sum(a counting_bloomfilter, b counting_bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_sum'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_sum(counting_bloomfilter, counting_bloomfilter) IS
'Returns the filter that the values of both would have built: it adds the counters, up to 15. A NULL filter counts as empty; the result is NULL if both are. Errors as for bloom_union.';

CREATE FUNCTION bloom_difference(a counting_bloomfilter, b counting_bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_difference'
	LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_difference(counting_bloomfilter, counting_bloomfilter) IS
'Returns filter a without the values of b, each removed as often as b holds it. Subtract only what was added. A NULL b changes nothing; subtracting from a NULL filter is an error. Error if b holds a value more often than a; other errors as for bloom_union.';

CREATE OPERATOR + (
	LEFTARG = counting_bloomfilter, RIGHTARG = counting_bloomfilter, FUNCTION = bloom_sum,
	COMMUTATOR = +
);
COMMENT ON OPERATOR + (counting_bloomfilter, counting_bloomfilter) IS 'Same as bloom_sum(a, b)';

CREATE OPERATOR - (
	LEFTARG = counting_bloomfilter, RIGHTARG = counting_bloomfilter, FUNCTION = bloom_difference
);
COMMENT ON OPERATOR - (counting_bloomfilter, counting_bloomfilter) IS
'Same as bloom_difference(a, b)';

CREATE FUNCTION bloom_union(a counting_bloomfilter, b counting_bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_refuse'
	LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_union(counting_bloomfilter, counting_bloomfilter) IS
'Raises an error that names bloom_sum. Error always.';

CREATE FUNCTION bloom_intersection(a counting_bloomfilter, b counting_bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_refuse'
	LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_intersection(counting_bloomfilter, counting_bloomfilter) IS
'Raises an error that says to cast the filters to bloomfilter. Error always.';

CREATE OPERATOR | (
	LEFTARG = counting_bloomfilter, RIGHTARG = counting_bloomfilter, FUNCTION = bloom_union
);
COMMENT ON OPERATOR | (counting_bloomfilter, counting_bloomfilter) IS 'Same as bloom_union(a, b)';

CREATE OPERATOR & (
	LEFTARG = counting_bloomfilter, RIGHTARG = counting_bloomfilter, FUNCTION = bloom_intersection
);
COMMENT ON OPERATOR & (counting_bloomfilter, counting_bloomfilter) IS 'Same as bloom_intersection(a, b)';

CREATE FUNCTION bloom_compatible(a counting_bloomfilter, b counting_bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_compatible'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_compatible(counting_bloomfilter, counting_bloomfilter) IS
'Returns true if the filters can be combined: they have the same bits, hashes and seed (see bloom_info), and values of one type or none yet. NULL if an argument is NULL. Never an error.';

CREATE FUNCTION counting_bloomfilter_eq(counting_bloomfilter, counting_bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION counting_bloomfilter_eq(counting_bloomfilter, counting_bloomfilter) IS
'Implementation of the operator =';

CREATE FUNCTION counting_bloomfilter_ne(counting_bloomfilter, counting_bloomfilter) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION counting_bloomfilter_ne(counting_bloomfilter, counting_bloomfilter) IS
'Implementation of the operator <>';

CREATE FUNCTION counting_bloomfilter_hash(counting_bloomfilter) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION counting_bloomfilter_hash(counting_bloomfilter) IS
'Hash of a filter, for hash joins and hash indexes';

CREATE FUNCTION counting_bloomfilter_hash_extended(counting_bloomfilter, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION counting_bloomfilter_hash_extended(counting_bloomfilter, bigint) IS
'Hash of a filter, for hash joins and hash indexes';

CREATE OPERATOR = (
	LEFTARG = counting_bloomfilter, RIGHTARG = counting_bloomfilter, FUNCTION = counting_bloomfilter_eq,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES
);
COMMENT ON OPERATOR = (counting_bloomfilter, counting_bloomfilter) IS
'Returns true if the stored bytes are the same. NULL if an argument is NULL.';

CREATE OPERATOR <> (
	LEFTARG = counting_bloomfilter, RIGHTARG = counting_bloomfilter, FUNCTION = counting_bloomfilter_ne,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (counting_bloomfilter, counting_bloomfilter) IS
'Returns true if the stored bytes differ. NULL if an argument is NULL.';

CREATE OPERATOR CLASS counting_bloomfilter_ops DEFAULT FOR TYPE counting_bloomfilter USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 counting_bloomfilter_hash(counting_bloomfilter),
	FUNCTION 2 counting_bloomfilter_hash_extended(counting_bloomfilter, bigint);
COMMENT ON OPERATOR CLASS counting_bloomfilter_ops USING hash IS
'Equality of filters, for DISTINCT, GROUP BY, UNION, hash joins and hash indexes';
COMMENT ON OPERATOR FAMILY counting_bloomfilter_ops USING hash IS 'Equality of filters';

--
-- The transition state is a filter, as for bloomfilter.  There is no
-- moving-aggregate mode: what was added at a stuck counter does not go out.
--

CREATE FUNCTION counting_bloomfilter_agg_transfn(
	state counting_bloomfilter, value "any", expected_items double precision)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_agg_transfn(counting_bloomfilter, "any", double precision) IS
'Transition function of counting_bloom_agg';

CREATE FUNCTION counting_bloomfilter_agg_transfn(
	state counting_bloomfilter, value "any", expected_items double precision,
	false_positive_rate double precision)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_agg_transfn(counting_bloomfilter, "any", double precision, double precision) IS
'Transition function of counting_bloom_agg';

CREATE FUNCTION counting_bloomfilter_agg_transfn(
	state counting_bloomfilter, value "any", expected_items double precision,
	false_positive_rate double precision, seed bigint)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_agg_transfn(counting_bloomfilter, "any", double precision, double precision, bigint) IS
'Transition function of counting_bloom_agg';

CREATE FUNCTION counting_bloomfilter_agg_combinefn(state counting_bloomfilter, other counting_bloomfilter)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloomfilter_agg_combinefn(counting_bloomfilter, counting_bloomfilter) IS
'Combine function of counting_bloom_agg: sum of two states. NULL states are ignored. Error if counting_bloom_agg had different parameters for them.';

CREATE FUNCTION counting_bloomfilter_sum_transfn(state counting_bloomfilter, filter counting_bloomfilter)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloomfilter_sum_transfn(counting_bloomfilter, counting_bloomfilter) IS
'Transition and combine function of counting_bloom_sum_agg. NULL filters are ignored.';

CREATE FUNCTION counting_bloomfilter_agg_transfn(state counting_bloomfilter, value "any")
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_agg_unsized'
	LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_agg_transfn(counting_bloomfilter, "any") IS
'Transition function of counting_bloom_agg without expected_items: raises an error';

CREATE FUNCTION counting_bloomfilter_agg_finalfn(state counting_bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_agg_unsized'
	LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_agg_finalfn(counting_bloomfilter) IS
'Final function of counting_bloom_agg without expected_items: raises an error';

CREATE AGGREGATE counting_bloom_agg(value "any") (
	SFUNC = counting_bloomfilter_agg_transfn, STYPE = counting_bloomfilter,
	FINALFUNC = counting_bloomfilter_agg_finalfn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE counting_bloom_agg("any") IS
'Raises an error that asks for expected_items. Error always.';

CREATE AGGREGATE counting_bloom_agg(value "any", expected_items double precision) (
	SFUNC = counting_bloomfilter_agg_transfn, STYPE = counting_bloomfilter, SSPACE = 16384,
	COMBINEFUNC = counting_bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE counting_bloom_agg("any", double precision) IS
'Builds a counting filter of all values, each added as often as it occurs. Parameters as for bloom_agg, but expected_items is required. NULL values are ignored; NULL if there are no other values. Error if a parameter is NULL or changes within a group; other errors as for bloom_create and bloom_add.';

CREATE AGGREGATE counting_bloom_agg(
	value "any", expected_items double precision, false_positive_rate double precision) (
	SFUNC = counting_bloomfilter_agg_transfn, STYPE = counting_bloomfilter, SSPACE = 16384,
	COMBINEFUNC = counting_bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE counting_bloom_agg("any", double precision, double precision) IS
'Builds a counting filter of all values, each added as often as it occurs. Parameters as for bloom_agg, but expected_items is required. NULL values are ignored; NULL if there are no other values. Error if a parameter is NULL or changes within a group; other errors as for bloom_create and bloom_add.';

CREATE AGGREGATE counting_bloom_agg(
	value "any", expected_items double precision, false_positive_rate double precision,
	seed bigint) (
	SFUNC = counting_bloomfilter_agg_transfn, STYPE = counting_bloomfilter, SSPACE = 16384,
	COMBINEFUNC = counting_bloomfilter_agg_combinefn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE counting_bloom_agg("any", double precision, double precision, bigint) IS
'Builds a counting filter of all values, each added as often as it occurs. Parameters as for bloom_agg, but expected_items is required. NULL values are ignored; NULL if there are no other values. Error if a parameter is NULL or changes within a group; other errors as for bloom_create and bloom_add.';

CREATE FUNCTION counting_bloomfilter_union_transfn(state counting_bloomfilter, filter counting_bloomfilter)
RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_refuse'
	LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_union_transfn(counting_bloomfilter, counting_bloomfilter) IS
'Transition function of bloom_union_agg for counting filters: raises an error';

CREATE FUNCTION counting_bloomfilter_union_finalfn(state counting_bloomfilter) RETURNS counting_bloomfilter
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_refuse'
	LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloomfilter_union_finalfn(counting_bloomfilter) IS
'Final function of bloom_union_agg for counting filters: raises the same error if there are no rows';

CREATE AGGREGATE bloom_union_agg(filter counting_bloomfilter) (
	SFUNC = counting_bloomfilter_union_transfn, STYPE = counting_bloomfilter,
	FINALFUNC = counting_bloomfilter_union_finalfn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_union_agg(counting_bloomfilter) IS
'Raises an error that names counting_bloom_sum_agg. Error always.';

CREATE AGGREGATE counting_bloom_sum_agg(filter counting_bloomfilter) (
	SFUNC = counting_bloomfilter_sum_transfn, STYPE = counting_bloomfilter, SSPACE = 16384,
	COMBINEFUNC = counting_bloomfilter_sum_transfn, PARALLEL = SAFE
);
COMMENT ON AGGREGATE counting_bloom_sum_agg(counting_bloomfilter) IS
'Builds the sum of all counting filters. NULL filters are ignored; NULL if there are no others. Errors as for bloom_union.';

CREATE FUNCTION bloom_cardinality(filter counting_bloomfilter) RETURNS bigint
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_cardinality'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_cardinality(counting_bloomfilter) IS
'Estimates the number of distinct values; exact for a list (sparse). If the filter was made for n values at a rate of 0.01 and holds n, the relative standard deviation is about 0.25/sqrt(n). Where all bits are set (fill = 1 in bloom_info), only the least that the filter may hold. NULL if an argument is NULL.';

CREATE FUNCTION bloom_false_positive_rate(filter counting_bloomfilter) RETURNS double precision
	AS 'MODULE_PATHNAME', 'counting_bloomfilter_false_positive_rate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION bloom_false_positive_rate(counting_bloomfilter) IS
'Returns the false positive rate of the filter as it is filled now, 0 to 1, from the fill of its blocks (at most 65,536 of them). NULL if an argument is NULL.';

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
'Describes the bloomfilter that the filter casts to, but bytes is its own stored size. stuck_counters is the number of counters at 15, which no removal lowers. NULL if an argument is NULL.';

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
'Plans a query without running it, and returns for each join key whether a filter would test it, and why. verdict is "filter", "filter if on" (bloomfilter.join_filters is off) or "no filter"; expected_rows is the number of rows that it would test, pass_fraction the part of them (0 to 1) expected to pass. A plan without a join gives one row, of which join_type is NULL. Whoever may EXPLAIN the query may call this. A NULL query gives no rows. Error unless the query is one statement that can be planned.';

CREATE FUNCTION bloom_join_filter_status(
	OUT join_filters text,
	OUT source text,
	OUT preloaded_by text,
	OUT rejected_value text)
RETURNS record
	AS 'MODULE_PATHNAME', 'bloomfilter_join_filter_status'
	LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000;
COMMENT ON FUNCTION bloom_join_filter_status() IS
'Shows whether this session uses join filters, and whether new sessions of this user in this database will. join_filters and source are the setting''s value and its source; preloaded_by is the setting that loads the library in new sessions; rejected_value is an unknown value from before the library was loaded. The call loads the library.';

--
-- The access method: indexes of Bloom filters
--

CREATE FUNCTION bloomfilter_index_handler(internal) RETURNS index_am_handler
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloomfilter_index_handler(internal) IS
'Handler of the access method bloomfilter. NULL if an argument is NULL.';

CREATE ACCESS METHOD bloomfilter TYPE INDEX HANDLER bloomfilter_index_handler;
COMMENT ON ACCESS METHOD bloomfilter IS
'Indexes of Bloom filters of the table''s pages, for column = value and column = ANY (array), and for what arrays and documents contain';

CREATE FUNCTION bloom_index_info(
	index regclass,
	OUT groups bigint,
	OUT ranges bigint,
	OUT pages bigint,
	OUT bytes bigint,
	OUT bits_per_row double precision,
	OUT target_false_positive_rate double precision,
	OUT range_false_positive_rate double precision,
	OUT page_false_positive_rate double precision,
	OUT worst_group_false_positive_rate double precision,
	OUT scope text,
	OUT expected_items bigint,
	OUT estimated_items bigint,
	OUT worn boolean,
	OUT covers bigint,
	OUT covered_groups bigint,
	OUT cover_false_positive_rate double precision)
RETURNS record
	AS 'MODULE_PATHNAME', 'bloomfilter_index_info'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10000;
COMMENT ON FUNCTION bloom_index_info(regclass) IS
'Describes a bloomfilter index; reads all of it. Of a partitioned table it sums up the indexes of the partitions; foreign tables have none; the rates are means over them. ranges is the number of ranges of the table that have values, groups the number of groups of ranges. bits_per_row uses the number of rows as of the last VACUUM or build. The rates, 0 to 1, are those at which the index, as filled now, finds an absent value in a range, and in one of the sets of pages of a range that was found; worst_group_false_positive_rate is the highest mean rate of a group''s ranges. With scope ''table'' the index is one filter, and range_false_positive_rate is its rate; expected_items is the number of distinct values that it was made for, estimated_items how many it seems to hold; groups, ranges, covers, covered_groups and the other rates are NULL. worn tells that the rate of the filter, or of a group, has doubled since it was new; VACUUM rebuilds that, but no filter whose index has expected_items. A lookup reads a page of each of the covers, the covered_groups at the cover_false_positive_rate, and all other groups. Where the indexes of partitions differ in scope or target_false_positive_rate, these are NULL. Whoever may read the table may call this. NULL if an argument is NULL. Error unless it is a valid bloomfilter index.';

CREATE FUNCTION bloom_index_check(index regclass) RETURNS bigint
	AS 'MODULE_PATHNAME', 'bloomfilter_index_check'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION bloom_index_check(regclass) IS
'Counts the rows of the table that a bloomfilter index would not find: 0, unless the index is damaged; of a partitioned table, in all partitions but foreign tables. Reads the whole table, with a lock that blocks neither reading nor writing. Whoever may read the table may call this; if the index has expressions or a condition, only roles with the privileges of the table''s owner. NULL if an argument is NULL. Error unless it is a valid bloomfilter index.';

CREATE FUNCTION bloom_index_filter(index regclass) RETURNS bloomfilter
	AS 'MODULE_PATHNAME', 'bloomfilter_index_filter'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10000;
COMMENT ON FUNCTION bloom_index_filter(regclass) IS
'The filter that a bloomfilter index with scope = ''table'' keeps of its column: the filter that bloom_agg(column, expected_items, false_positive_rate) makes of the same values, as blocks; for a partitioned table the union over the partitions. It holds the values of all rows that the caller can see, and possibly of rows that were deleted, rolled back or are not committed. For those who may read the column; an error where row-level security hides rows. NULL if an argument is NULL. Also NULL if there are no partitions. Error unless it is such an index and valid, if a partition is not in it or differs in size, for text if the database''s encoding is SQL_ASCII, and in a REPEATABLE READ transaction that is older than the index.';

CREATE FUNCTION bloom_index_contains(index regclass, value anycompatible) RETURNS boolean
	AS 'MODULE_PATHNAME', 'bloomfilter_index_contains'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 100;
COMMENT ON FUNCTION bloom_index_contains(regclass, anycompatible) IS
'Tests a value against the filter that bloom_index_filter returns: false if no row that the caller can see has it in the column. Reads one page of the index of the table or of each partition. For those who may read the column; an error where row-level security hides rows. NULL if an argument is NULL. Error for a value of another type than the column''s.';

--
-- Operator classes for the types that the server can hash.  The families have
-- the operators that the server's hash families have.
--

CREATE OPERATOR CLASS aclitem_ops DEFAULT FOR TYPE aclitem USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (aclitem, aclitem) pg_catalog.hash_aclitem_extended(aclitem, bigint);
COMMENT ON OPERATOR CLASS aclitem_ops USING bloomfilter IS 'Bloom filter indexes of aclitem';
COMMENT ON OPERATOR FAMILY aclitem_ops USING bloomfilter IS 'Bloom filter indexes of aclitem';

CREATE OPERATOR CLASS array_ops DEFAULT FOR TYPE anyarray USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (anyarray, anyarray) pg_catalog.hash_array_extended(anyarray, bigint);
COMMENT ON OPERATOR CLASS array_ops USING bloomfilter IS 'Bloom filter indexes of arrays';
COMMENT ON OPERATOR FAMILY array_ops USING bloomfilter IS 'Bloom filter indexes of arrays';

CREATE OPERATOR CLASS bool_ops DEFAULT FOR TYPE bool USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (bool, bool) pg_catalog.hashcharextended("char", bigint);
COMMENT ON OPERATOR CLASS bool_ops USING bloomfilter IS 'Bloom filter indexes of boolean';
COMMENT ON OPERATOR FAMILY bool_ops USING bloomfilter IS 'Bloom filter indexes of boolean';

CREATE OPERATOR CLASS bpchar_ops DEFAULT FOR TYPE bpchar USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (bpchar, bpchar) pg_catalog.hashbpcharextended(bpchar, bigint);
COMMENT ON OPERATOR CLASS bpchar_ops USING bloomfilter IS 'Bloom filter indexes of char(n)';
COMMENT ON OPERATOR FAMILY bpchar_ops USING bloomfilter IS 'Bloom filter indexes of char(n)';

CREATE OPERATOR CLASS bytea_ops DEFAULT FOR TYPE bytea USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (bytea, bytea) pg_catalog.hashvarlenaextended(internal, bigint);
COMMENT ON OPERATOR CLASS bytea_ops USING bloomfilter IS 'Bloom filter indexes of bytea';
COMMENT ON OPERATOR FAMILY bytea_ops USING bloomfilter IS 'Bloom filter indexes of bytea';

CREATE OPERATOR CLASS char_ops DEFAULT FOR TYPE "char" USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 ("char", "char") pg_catalog.hashcharextended("char", bigint);
COMMENT ON OPERATOR CLASS char_ops USING bloomfilter IS 'Bloom filter indexes of "char"';
COMMENT ON OPERATOR FAMILY char_ops USING bloomfilter IS 'Bloom filter indexes of "char"';

CREATE OPERATOR CLASS cid_ops DEFAULT FOR TYPE cid USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (cid, cid) pg_catalog.hashint4extended(integer, bigint);
COMMENT ON OPERATOR CLASS cid_ops USING bloomfilter IS 'Bloom filter indexes of cid';
COMMENT ON OPERATOR FAMILY cid_ops USING bloomfilter IS 'Bloom filter indexes of cid';

CREATE OPERATOR CLASS date_ops DEFAULT FOR TYPE date USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (date, date) pg_catalog.hashint4extended(integer, bigint);
COMMENT ON OPERATOR CLASS date_ops USING bloomfilter IS 'Bloom filter indexes of date';
COMMENT ON OPERATOR FAMILY date_ops USING bloomfilter IS 'Bloom filter indexes of date';

CREATE OPERATOR CLASS enum_ops DEFAULT FOR TYPE anyenum USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (anyenum, anyenum) pg_catalog.hashenumextended(anyenum, bigint);
COMMENT ON OPERATOR CLASS enum_ops USING bloomfilter IS 'Bloom filter indexes of enums';
COMMENT ON OPERATOR FAMILY enum_ops USING bloomfilter IS 'Bloom filter indexes of enums';

CREATE OPERATOR FAMILY float_ops USING bloomfilter;
CREATE OPERATOR CLASS float4_ops DEFAULT FOR TYPE float4 USING bloomfilter FAMILY float_ops AS
	OPERATOR 1 =, FUNCTION 1 (float4, float4) pg_catalog.hashfloat4extended(real, bigint);
COMMENT ON OPERATOR CLASS float4_ops USING bloomfilter IS 'Bloom filter indexes of real';
CREATE OPERATOR CLASS float8_ops DEFAULT FOR TYPE float8 USING bloomfilter FAMILY float_ops AS
	OPERATOR 1 =, FUNCTION 1 (float8, float8) pg_catalog.hashfloat8extended(float8, bigint);
COMMENT ON OPERATOR CLASS float8_ops USING bloomfilter IS 'Bloom filter indexes of double precision';
ALTER OPERATOR FAMILY float_ops USING bloomfilter ADD
	OPERATOR 1 = (float4, float8),
	OPERATOR 1 = (float8, float4);
COMMENT ON OPERATOR FAMILY float_ops USING bloomfilter IS 'Bloom filter indexes of floats, compared with each other';

CREATE OPERATOR FAMILY integer_ops USING bloomfilter;
CREATE OPERATOR CLASS int2_ops DEFAULT FOR TYPE int2 USING bloomfilter FAMILY integer_ops AS
	OPERATOR 1 =, FUNCTION 1 (int2, int2) pg_catalog.hashint2extended(smallint, bigint);
COMMENT ON OPERATOR CLASS int2_ops USING bloomfilter IS 'Bloom filter indexes of smallint';
CREATE OPERATOR CLASS int4_ops DEFAULT FOR TYPE int4 USING bloomfilter FAMILY integer_ops AS
	OPERATOR 1 =, FUNCTION 1 (int4, int4) pg_catalog.hashint4extended(integer, bigint);
COMMENT ON OPERATOR CLASS int4_ops USING bloomfilter IS 'Bloom filter indexes of integer';
CREATE OPERATOR CLASS int8_ops DEFAULT FOR TYPE int8 USING bloomfilter FAMILY integer_ops AS
	OPERATOR 1 =, FUNCTION 1 (int8, int8) pg_catalog.hashint8extended(bigint, bigint);
COMMENT ON OPERATOR CLASS int8_ops USING bloomfilter IS 'Bloom filter indexes of bigint';
ALTER OPERATOR FAMILY integer_ops USING bloomfilter ADD
	OPERATOR 1 = (int8, int2),
	OPERATOR 1 = (int8, int4),
	OPERATOR 1 = (int2, int8),
	OPERATOR 1 = (int2, int4),
	OPERATOR 1 = (int4, int8),
	OPERATOR 1 = (int4, int2);
COMMENT ON OPERATOR FAMILY integer_ops USING bloomfilter IS 'Bloom filter indexes of integers, compared with each other';

CREATE OPERATOR CLASS interval_ops DEFAULT FOR TYPE interval USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (interval, interval) pg_catalog.interval_hash_extended(interval, bigint);
COMMENT ON OPERATOR CLASS interval_ops USING bloomfilter IS 'Bloom filter indexes of interval';
COMMENT ON OPERATOR FAMILY interval_ops USING bloomfilter IS 'Bloom filter indexes of interval';

CREATE OPERATOR CLASS jsonb_ops DEFAULT FOR TYPE jsonb USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (jsonb, jsonb) pg_catalog.jsonb_hash_extended(jsonb, bigint);
COMMENT ON OPERATOR CLASS jsonb_ops USING bloomfilter IS 'Bloom filter indexes of jsonb';
COMMENT ON OPERATOR FAMILY jsonb_ops USING bloomfilter IS 'Bloom filter indexes of jsonb';

CREATE OPERATOR CLASS macaddr8_ops DEFAULT FOR TYPE macaddr8 USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (macaddr8, macaddr8) pg_catalog.hashmacaddr8extended(macaddr8, bigint);
COMMENT ON OPERATOR CLASS macaddr8_ops USING bloomfilter IS 'Bloom filter indexes of macaddr8';
COMMENT ON OPERATOR FAMILY macaddr8_ops USING bloomfilter IS 'Bloom filter indexes of macaddr8';

CREATE OPERATOR CLASS macaddr_ops DEFAULT FOR TYPE macaddr USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (macaddr, macaddr) pg_catalog.hashmacaddrextended(macaddr, bigint);
COMMENT ON OPERATOR CLASS macaddr_ops USING bloomfilter IS 'Bloom filter indexes of macaddr';
COMMENT ON OPERATOR FAMILY macaddr_ops USING bloomfilter IS 'Bloom filter indexes of macaddr';

CREATE OPERATOR CLASS multirange_ops DEFAULT FOR TYPE anymultirange USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (anymultirange, anymultirange) pg_catalog.hash_multirange_extended(anymultirange, bigint);
COMMENT ON OPERATOR CLASS multirange_ops USING bloomfilter IS 'Bloom filter indexes of multiranges';
COMMENT ON OPERATOR FAMILY multirange_ops USING bloomfilter IS 'Bloom filter indexes of multiranges';

CREATE OPERATOR CLASS inet_ops DEFAULT FOR TYPE inet USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (inet, inet) pg_catalog.hashinetextended(inet, bigint);
COMMENT ON OPERATOR CLASS inet_ops USING bloomfilter IS 'Bloom filter indexes of inet';
COMMENT ON OPERATOR FAMILY inet_ops USING bloomfilter IS 'Bloom filter indexes of inet';

CREATE OPERATOR CLASS numeric_ops DEFAULT FOR TYPE numeric USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (numeric, numeric) pg_catalog.hash_numeric_extended(numeric, bigint);
COMMENT ON OPERATOR CLASS numeric_ops USING bloomfilter IS 'Bloom filter indexes of numeric';
COMMENT ON OPERATOR FAMILY numeric_ops USING bloomfilter IS 'Bloom filter indexes of numeric';

CREATE OPERATOR CLASS oid_ops DEFAULT FOR TYPE oid USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (oid, oid) pg_catalog.hashoidextended(oid, bigint);
COMMENT ON OPERATOR CLASS oid_ops USING bloomfilter IS 'Bloom filter indexes of oid';
COMMENT ON OPERATOR FAMILY oid_ops USING bloomfilter IS 'Bloom filter indexes of oid';

CREATE OPERATOR CLASS oidvector_ops DEFAULT FOR TYPE oidvector USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (oidvector, oidvector) pg_catalog.hashoidvectorextended(oidvector, bigint);
COMMENT ON OPERATOR CLASS oidvector_ops USING bloomfilter IS 'Bloom filter indexes of oidvector';
COMMENT ON OPERATOR FAMILY oidvector_ops USING bloomfilter IS 'Bloom filter indexes of oidvector';

CREATE OPERATOR CLASS pg_lsn_ops DEFAULT FOR TYPE pg_lsn USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (pg_lsn, pg_lsn) pg_catalog.pg_lsn_hash_extended(pg_lsn, bigint);
COMMENT ON OPERATOR CLASS pg_lsn_ops USING bloomfilter IS 'Bloom filter indexes of pg_lsn';
COMMENT ON OPERATOR FAMILY pg_lsn_ops USING bloomfilter IS 'Bloom filter indexes of pg_lsn';

CREATE OPERATOR CLASS range_ops DEFAULT FOR TYPE anyrange USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (anyrange, anyrange) pg_catalog.hash_range_extended(anyrange, bigint);
COMMENT ON OPERATOR CLASS range_ops USING bloomfilter IS 'Bloom filter indexes of ranges';
COMMENT ON OPERATOR FAMILY range_ops USING bloomfilter IS 'Bloom filter indexes of ranges';

CREATE OPERATOR CLASS record_ops DEFAULT FOR TYPE record USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (record, record) pg_catalog.hash_record_extended(record, bigint);
COMMENT ON OPERATOR CLASS record_ops USING bloomfilter IS 'Bloom filter indexes of composite types';
COMMENT ON OPERATOR FAMILY record_ops USING bloomfilter IS 'Bloom filter indexes of composite types';

CREATE OPERATOR FAMILY text_ops USING bloomfilter;
CREATE OPERATOR CLASS text_ops DEFAULT FOR TYPE text USING bloomfilter FAMILY text_ops AS
	OPERATOR 1 =, FUNCTION 1 (text, text) pg_catalog.hashtextextended(text, bigint);
COMMENT ON OPERATOR CLASS text_ops USING bloomfilter IS 'Bloom filter indexes of text';
CREATE OPERATOR CLASS name_ops DEFAULT FOR TYPE name USING bloomfilter FAMILY text_ops AS
	OPERATOR 1 =, FUNCTION 1 (name, name) pg_catalog.hashnameextended(name, bigint);
COMMENT ON OPERATOR CLASS name_ops USING bloomfilter IS 'Bloom filter indexes of name';
ALTER OPERATOR FAMILY text_ops USING bloomfilter ADD
	OPERATOR 1 = (name, text),
	OPERATOR 1 = (text, name);
COMMENT ON OPERATOR FAMILY text_ops USING bloomfilter IS 'Bloom filter indexes of text and name, compared with each other';

CREATE OPERATOR CLASS tid_ops DEFAULT FOR TYPE tid USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (tid, tid) pg_catalog.hashtidextended(tid, bigint);
COMMENT ON OPERATOR CLASS tid_ops USING bloomfilter IS 'Bloom filter indexes of tid';
COMMENT ON OPERATOR FAMILY tid_ops USING bloomfilter IS 'Bloom filter indexes of tid';

CREATE OPERATOR CLASS time_ops DEFAULT FOR TYPE time USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (time, time) pg_catalog.time_hash_extended(time, bigint);
COMMENT ON OPERATOR CLASS time_ops USING bloomfilter IS 'Bloom filter indexes of time';
COMMENT ON OPERATOR FAMILY time_ops USING bloomfilter IS 'Bloom filter indexes of time without time zone';

CREATE OPERATOR CLASS timestamp_ops DEFAULT FOR TYPE timestamp USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (timestamp, timestamp) pg_catalog.timestamp_hash_extended(timestamp, bigint);
COMMENT ON OPERATOR CLASS timestamp_ops USING bloomfilter IS 'Bloom filter indexes of timestamp';
COMMENT ON OPERATOR FAMILY timestamp_ops USING bloomfilter IS 'Bloom filter indexes of timestamp';

CREATE OPERATOR CLASS timestamptz_ops DEFAULT FOR TYPE timestamptz USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (timestamptz, timestamptz) pg_catalog.timestamp_hash_extended(timestamp, bigint);
COMMENT ON OPERATOR CLASS timestamptz_ops USING bloomfilter IS 'Bloom filter indexes of timestamp with time zone';
COMMENT ON OPERATOR FAMILY timestamptz_ops USING bloomfilter IS 'Bloom filter indexes of timestamp with time zone';

CREATE OPERATOR CLASS timetz_ops DEFAULT FOR TYPE timetz USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (timetz, timetz) pg_catalog.timetz_hash_extended(timetz, bigint);
COMMENT ON OPERATOR CLASS timetz_ops USING bloomfilter IS 'Bloom filter indexes of time with time zone';
COMMENT ON OPERATOR FAMILY timetz_ops USING bloomfilter IS 'Bloom filter indexes of time with time zone';

CREATE OPERATOR CLASS uuid_ops DEFAULT FOR TYPE uuid USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (uuid, uuid) pg_catalog.uuid_hash_extended(uuid, bigint);
COMMENT ON OPERATOR CLASS uuid_ops USING bloomfilter IS 'Bloom filter indexes of uuid';
COMMENT ON OPERATOR FAMILY uuid_ops USING bloomfilter IS 'Bloom filter indexes of uuid';

CREATE OPERATOR CLASS xid8_ops DEFAULT FOR TYPE xid8 USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (xid8, xid8) pg_catalog.hashint8extended(bigint, bigint);
COMMENT ON OPERATOR CLASS xid8_ops USING bloomfilter IS 'Bloom filter indexes of xid8';
COMMENT ON OPERATOR FAMILY xid8_ops USING bloomfilter IS 'Bloom filter indexes of xid8';

CREATE OPERATOR CLASS xid_ops DEFAULT FOR TYPE xid USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 (xid, xid) pg_catalog.hashint4extended(integer, bigint);
COMMENT ON OPERATOR CLASS xid_ops USING bloomfilter IS 'Bloom filter indexes of xid';
COMMENT ON OPERATOR FAMILY xid_ops USING bloomfilter IS 'Bloom filter indexes of xid';

--
-- Operator classes of keys: elements of arrays, words of documents, keys and values
-- of jsonb.  They have the operators, strategies and functions of GIN's.
--

CREATE OPERATOR CLASS array_key_ops FOR TYPE anyarray USING bloomfilter AS
	OPERATOR 1 &&, OPERATOR 2 @>, OPERATOR 3 <@, OPERATOR 4 =,
	FUNCTION 2 pg_catalog.ginarrayextract(anyarray, internal, internal),
	FUNCTION 3 pg_catalog.ginqueryarrayextract(anyarray, internal, smallint, internal, internal, internal, internal),
	FUNCTION 4 pg_catalog.ginarraytriconsistent(internal, smallint, anyarray, integer, internal, internal, internal),
	STORAGE anyelement;
COMMENT ON OPERATOR CLASS array_key_ops USING bloomfilter IS 'Bloom filter indexes of the elements of arrays';
COMMENT ON OPERATOR FAMILY array_key_ops USING bloomfilter IS 'Bloom filter indexes of the elements of arrays';

CREATE OPERATOR CLASS jsonb_key_ops FOR TYPE jsonb USING bloomfilter AS
	OPERATOR 7 @>, OPERATOR 9 ? (jsonb, text), OPERATOR 10 ?| (jsonb, text[]), OPERATOR 11 ?& (jsonb, text[]),
	OPERATOR 15 @? (jsonb, jsonpath), OPERATOR 16 @@ (jsonb, jsonpath),
	FUNCTION 1 pg_catalog.hashtextextended(text, bigint),
	FUNCTION 2 pg_catalog.gin_extract_jsonb(jsonb, internal, internal),
	FUNCTION 3 pg_catalog.gin_extract_jsonb_query(jsonb, internal, smallint, internal, internal, internal, internal),
	FUNCTION 4 pg_catalog.gin_triconsistent_jsonb(internal, smallint, jsonb, integer, internal, internal, internal),
	STORAGE text;
COMMENT ON OPERATOR CLASS jsonb_key_ops USING bloomfilter IS 'Bloom filter indexes of the keys and values of jsonb';
COMMENT ON OPERATOR FAMILY jsonb_key_ops USING bloomfilter IS 'Bloom filter indexes of the keys and values of jsonb';

CREATE OPERATOR CLASS jsonb_path_key_ops FOR TYPE jsonb USING bloomfilter AS
	OPERATOR 7 @>, OPERATOR 15 @? (jsonb, jsonpath), OPERATOR 16 @@ (jsonb, jsonpath),
	FUNCTION 1 pg_catalog.hashint4extended(integer, bigint),
	FUNCTION 2 pg_catalog.gin_extract_jsonb_path(jsonb, internal, internal),
	FUNCTION 3 pg_catalog.gin_extract_jsonb_query_path(jsonb, internal, smallint, internal, internal, internal, internal),
	FUNCTION 4 pg_catalog.gin_triconsistent_jsonb_path(internal, smallint, jsonb, integer, internal, internal, internal),
	STORAGE integer;
COMMENT ON OPERATOR CLASS jsonb_path_key_ops USING bloomfilter IS 'Bloom filter indexes of the values of jsonb with their paths';
COMMENT ON OPERATOR FAMILY jsonb_path_key_ops USING bloomfilter IS 'Bloom filter indexes of the values of jsonb with their paths';

CREATE OPERATOR CLASS tsvector_key_ops FOR TYPE tsvector USING bloomfilter AS
	OPERATOR 1 @@ (tsvector, tsquery),
	FUNCTION 1 pg_catalog.hashtextextended(text, bigint),
	FUNCTION 2 pg_catalog.gin_extract_tsvector(tsvector, internal, internal),
	FUNCTION 3 pg_catalog.gin_extract_tsquery(tsvector, internal, smallint, internal, internal, internal, internal),
	FUNCTION 4 pg_catalog.gin_tsquery_triconsistent(internal, smallint, tsvector, integer, internal, internal, internal),
	STORAGE text;
COMMENT ON OPERATOR CLASS tsvector_key_ops USING bloomfilter IS 'Bloom filter indexes of the words of documents';
COMMENT ON OPERATOR FAMILY tsvector_key_ops USING bloomfilter IS 'Bloom filter indexes of the words of documents';

--
-- Statistics
--

CREATE FUNCTION bloomfilter_stat_tables(
	OUT relid oid,
	OUT executions bigint,
	OUT filters bigint,
	OUT rows_tested bigint,
	OUT rows_removed bigint,
	OUT blocks_skipped bigint,
	OUT partitions_skipped bigint,
	OUT switched_off bigint,
	OUT too_many_keys bigint,
	OUT since timestamp with time zone,
	OUT evicted bigint,
	OUT scope text)
RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 100 ROWS 100;
COMMENT ON FUNCTION bloomfilter_stat_tables() IS
'Rows of the view bloom_stat_join_filters.';

-- Operators stand between values of one type, which are found in pg_catalog: a
-- schema that this one is installed into may have operators of other types.
CREATE VIEW bloom_stat_join_filters AS
SELECT CASE WHEN s.relid <> 0::oid THEN s.relid END AS relid, n.nspname AS schemaname, c.relname,
	s.executions, s.filters, s.rows_tested, s.rows_removed, s.blocks_skipped, s.partitions_skipped,
	s.switched_off, s.too_many_keys, s.since, s.evicted, s.scope
FROM bloomfilter_stat_tables() AS s
	LEFT JOIN pg_class AS c ON c.oid = s.relid
	LEFT JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE s.relid = 0::oid OR c.oid IS NOT NULL;
GRANT SELECT ON bloom_stat_join_filters TO PUBLIC;
COMMENT ON VIEW bloom_stat_join_filters IS
'What join filters did in each table of this database since the server started, added when an execution ends, also if it fails.';
COMMENT ON COLUMN bloom_stat_join_filters.relid IS 'The table whose rows were tested. NULL: rows that are not those of one table.';
COMMENT ON COLUMN bloom_stat_join_filters.schemaname IS 'The schema of the table.';
COMMENT ON COLUMN bloom_stat_join_filters.relname IS 'The name of the table.';
COMMENT ON COLUMN bloom_stat_join_filters.executions IS 'Plans executed that had filters there, counted for each place in the plan.';
COMMENT ON COLUMN bloom_stat_join_filters.filters IS 'Filters there in these plans.';
COMMENT ON COLUMN bloom_stat_join_filters.rows_tested IS 'Rows tested by at least one filter.';
COMMENT ON COLUMN bloom_stat_join_filters.rows_removed IS 'Rows removed by filters.';
COMMENT ON COLUMN bloom_stat_join_filters.blocks_skipped IS 'Blocks of the table that were not read because no key can be there.';
COMMENT ON COLUMN bloom_stat_join_filters.partitions_skipped IS 'Scans of the table, or partition, that were left out because no key can be there.';
COMMENT ON COLUMN bloom_stat_join_filters.switched_off IS 'How often a process stopped testing by a filter for a time, because too many rows passed.';
COMMENT ON COLUMN bloom_stat_join_filters.too_many_keys IS 'How often a process had no filter because the join had too many keys for bloomfilter.join_filter_memory.';
COMMENT ON COLUMN bloom_stat_join_filters.since IS 'When counting began: when the row was made. A row that had to go comes back with new counts.';
COMMENT ON COLUMN bloom_stat_join_filters.evicted IS 'How many rows, of all databases, had to go since the server started because there were bloomfilter.stat_entries.';
COMMENT ON COLUMN bloom_stat_join_filters.scope IS '"shared": of all sessions; "session": of this session alone, without its parallel workers, because the server is older than 17 and the library is not in shared_preload_libraries.';

CREATE FUNCTION bloomfilter_stat_indexes(
	OUT indexrelid oid,
	OUT lookups bigint,
	OUT ranges_tested bigint,
	OUT ranges_matched bigint,
	OUT pages_returned bigint,
	OUT pages_rebuilt bigint,
	OUT last_rebuild timestamp with time zone,
	OUT since timestamp with time zone,
	OUT evicted bigint,
	OUT scope text)
RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 100 ROWS 100;
COMMENT ON FUNCTION bloomfilter_stat_indexes() IS
'Rows of the view bloom_stat_indexes.';

CREATE VIEW bloom_stat_indexes AS
SELECT i.indrelid AS relid, s.indexrelid, n.nspname AS schemaname, t.relname, c.relname AS indexrelname,
	s.lookups, s.ranges_tested, s.ranges_matched, s.pages_returned, s.pages_rebuilt, s.last_rebuild, s.since, s.evicted, s.scope
FROM bloomfilter_stat_indexes() AS s
	JOIN pg_class AS c ON c.oid = s.indexrelid
	JOIN pg_index AS i ON i.indexrelid = s.indexrelid
	JOIN pg_class AS t ON t.oid = i.indrelid
	JOIN pg_namespace AS n ON n.oid = c.relnamespace;
GRANT SELECT ON bloom_stat_indexes TO PUBLIC;
COMMENT ON VIEW bloom_stat_indexes IS
'What was done with each bloomfilter index of this database since the server started, added when an execution ends, also if it fails. REINDEX CONCURRENTLY begins anew.';
COMMENT ON COLUMN bloom_stat_indexes.relid IS 'The table.';
COMMENT ON COLUMN bloom_stat_indexes.indexrelid IS 'The index.';
COMMENT ON COLUMN bloom_stat_indexes.schemaname IS 'The schema of the index.';
COMMENT ON COLUMN bloom_stat_indexes.relname IS 'The name of the table.';
COMMENT ON COLUMN bloom_stat_indexes.indexrelname IS 'The name of the index.';
COMMENT ON COLUMN bloom_stat_indexes.lookups IS 'Searches of the index by queries, not calls of bloom_index_contains and bloom_index_filter.';
COMMENT ON COLUMN bloom_stat_indexes.ranges_tested IS 'Ranges of the table whose filters were tested.';
COMMENT ON COLUMN bloom_stat_indexes.ranges_matched IS 'Of these, ranges that may have had a match.';
COMMENT ON COLUMN bloom_stat_indexes.pages_returned IS 'Pages of the table that may have had a match and were to be read.';
COMMENT ON COLUMN bloom_stat_indexes.pages_rebuilt IS 'Pages of the index that VACUUM made anew.';
COMMENT ON COLUMN bloom_stat_indexes.last_rebuild IS 'When VACUUM last did so. NULL: it has not.';
COMMENT ON COLUMN bloom_stat_indexes.since IS 'When counting began: when the row was made. A row that had to go comes back with new counts.';
COMMENT ON COLUMN bloom_stat_indexes.evicted IS 'How many rows, of all databases, had to go since the server started because there were bloomfilter.stat_entries.';
COMMENT ON COLUMN bloom_stat_indexes.scope IS '"shared": of all sessions; "session": of this session alone, without its parallel workers, because the server is older than 17 and the library is not in shared_preload_libraries.';

CREATE FUNCTION bloomfilter_index_health(
	index oid,
	OUT scope text,
	OUT bytes bigint,
	OUT groups bigint,
	OUT worn_groups bigint,
	OUT target_false_positive_rate double precision,
	OUT range_false_positive_rate double precision,
	OUT page_false_positive_rate double precision)
RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION bloomfilter_index_health(oid) IS
'Columns of the view bloom_indexes.';

CREATE VIEW bloom_indexes AS
SELECT i.indrelid AS relid, c.oid AS indexrelid, n.nspname AS schemaname, t.relname, c.relname AS indexrelname, i.indisvalid AS valid,
	h.scope, h.bytes, h.target_false_positive_rate, h.range_false_positive_rate, h.page_false_positive_rate, h.groups, h.worn_groups,
	s.last_rebuild
FROM pg_class AS c
	JOIN pg_am AS a ON a.oid = c.relam AND a.amname = 'bloomfilter'
	JOIN pg_index AS i ON i.indexrelid = c.oid
	JOIN pg_class AS t ON t.oid = i.indrelid
	JOIN pg_namespace AS n ON n.oid = c.relnamespace
	LEFT JOIN bloomfilter_stat_indexes() AS s ON s.indexrelid = c.oid
	CROSS JOIN LATERAL bloomfilter_index_health(c.oid) AS h
WHERE c.relkind = 'i';
GRANT SELECT ON bloom_indexes TO PUBLIC;
COMMENT ON VIEW bloom_indexes IS
'All bloomfilter indexes of this database, and how worn they are, from a sample: some 32 pages for each group and column, or 16 with scope ''table''. scope to worn_groups are for those who may read the table, and members of pg_stat_scan_tables; NULL for others, and for an index that is invalid, damaged, being changed, temporary of another session, or unlogged during recovery.';
COMMENT ON COLUMN bloom_indexes.relid IS 'The table, or partition.';
COMMENT ON COLUMN bloom_indexes.indexrelid IS 'The index.';
COMMENT ON COLUMN bloom_indexes.schemaname IS 'The schema of the index.';
COMMENT ON COLUMN bloom_indexes.relname IS 'The name of the table.';
COMMENT ON COLUMN bloom_indexes.indexrelname IS 'The name of the index.';
COMMENT ON COLUMN bloom_indexes.valid IS 'false: a build with CONCURRENTLY failed or goes on.';
COMMENT ON COLUMN bloom_indexes.scope IS '"ranges" or "table".';
COMMENT ON COLUMN bloom_indexes.bytes IS 'The size of the index.';
COMMENT ON COLUMN bloom_indexes.target_false_positive_rate IS 'The rate asked, 0 to 1.';
COMMENT ON COLUMN bloom_indexes.range_false_positive_rate IS 'The rate now: of ranges, or of the one filter. NULL: no range has values.';
COMMENT ON COLUMN bloom_indexes.page_false_positive_rate IS 'The same of sets of pages in a range. NULL with scope ''table''.';
COMMENT ON COLUMN bloom_indexes.groups IS 'Groups of up to 126 ranges. NULL with scope ''table''.';
COMMENT ON COLUMN bloom_indexes.worn_groups IS 'Of these, groups whose rates have doubled, which VACUUM rebuilds. With scope ''table'' 1 if that of the filter has, or 0; VACUUM rebuilds it unless the index has expected_items.';
COMMENT ON COLUMN bloom_indexes.last_rebuild IS 'As in bloom_stat_indexes.';

CREATE FUNCTION bloomfilter_trials(
	OUT userid oid,
	OUT queryid bigint,
	OUT query text,
	OUT executions_with bigint,
	OUT executions_without bigint,
	OUT plans_with bigint,
	OUT plans_without bigint,
	OUT mean_ms_with double precision,
	OUT mean_ms_without double precision,
	OUT ratio double precision,
	OUT ratio_low double precision,
	OUT ratio_high double precision,
	OUT verdict text,
	OUT guarded_since timestamp with time zone,
	OUT since timestamp with time zone,
	OUT evicted bigint,
	OUT scope text)
RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 100 ROWS 100;
COMMENT ON FUNCTION bloomfilter_trials() IS
'Rows of the view bloom_join_filter_trials.';

CREATE VIEW bloom_join_filter_trials AS SELECT * FROM bloomfilter_trials();
GRANT SELECT ON bloom_join_filter_trials TO PUBLIC;
COMMENT ON VIEW bloom_join_filter_trials IS
'How long queries of this database took with join filters and without, in executions planned while bloomfilter.join_filter_trial was above 0.';
COMMENT ON COLUMN bloom_join_filter_trials.userid IS 'The role that the query was planned for.';
COMMENT ON COLUMN bloom_join_filter_trials.queryid IS 'The identifier of the query, as in pg_stat_statements. NULL: it is another role''s, for members of pg_read_all_stats.';
COMMENT ON COLUMN bloom_join_filter_trials.query IS 'The text of one execution, up to 1,023 bytes. NULL as queryid.';
COMMENT ON COLUMN bloom_join_filter_trials.executions_with IS 'Complete executions of plans with filters, in the last two periods.';
COMMENT ON COLUMN bloom_join_filter_trials.executions_without IS 'Complete executions of plans without, in trials.';
COMMENT ON COLUMN bloom_join_filter_trials.plans_with IS 'Plans with filters that were executed in the last two periods. A plan counts once, by the geometric mean of its executions in the last period. A period ends when there are 256 plans of each kind, or after bloomfilter.join_filter_guard_time if there are 16.';
COMMENT ON COLUMN bloom_join_filter_trials.plans_without IS 'Plans without, in trials.';
COMMENT ON COLUMN bloom_join_filter_trials.mean_ms_with IS 'Geometric mean of the time of plans with filters, in milliseconds.';
COMMENT ON COLUMN bloom_join_filter_trials.mean_ms_without IS 'Geometric mean of the time of plans without.';
COMMENT ON COLUMN bloom_join_filter_trials.ratio IS 'The first mean divided by the second: below 1, filters make the query faster. NULL: there are fewer than 16 plans of one kind.';
COMMENT ON COLUMN bloom_join_filter_trials.ratio_low IS 'Lower end of the 95 % interval of the ratio.';
COMMENT ON COLUMN bloom_join_filter_trials.ratio_high IS 'Upper end of the 95 % interval of the ratio.';
COMMENT ON COLUMN bloom_join_filter_trials.verdict IS '"faster" or "slower" with filters, if all of the interval is below or above 1; otherwise "no difference seen"; "too few" if ratio is NULL.';
COMMENT ON COLUMN bloom_join_filter_trials.guarded_since IS 'Since when the query is planned without filters, because they made it slower; NULL: it is not.';
COMMENT ON COLUMN bloom_join_filter_trials.since IS 'When the first of the two periods began. Periods begin anew when the row is made, or the guard ends.';
COMMENT ON COLUMN bloom_join_filter_trials.evicted IS 'How many rows, of all databases, had to go since the server started because there were bloomfilter.stat_entries.';
COMMENT ON COLUMN bloom_join_filter_trials.scope IS '"shared" or "session", as in bloom_stat_join_filters.';

CREATE FUNCTION bloom_stat_reset() RETURNS void
	AS 'MODULE_PATHNAME', 'bloomfilter_stat_reset'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 100;
REVOKE EXECUTE ON FUNCTION bloom_stat_reset() FROM PUBLIC;
COMMENT ON FUNCTION bloom_stat_reset() IS
'Forgets all statistics and trials of this database. For superusers, and for those to whom they GRANT EXECUTE.';
