/*-------------------------------------------------------------------------
 *
 * aggregate.c
 *		Support functions of the aggregates.
 *
 * The transition state is a filter like any other, an expanded object in the
 * aggregate's context.  Without expected_items it is an unsized filter, which
 * keeps the distinct hashes; the final function then sizes a filter for their
 * number.  As states are filters, partial states need no functions of their
 * own to be sent to other processes or servers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "compat.h"
#include "type/hashing/callsite.h"
#include "type/hashing/compatible.h"
#include "type/hashing/element.h"
#include "type/memory/blocks.h"
#include "type/memory/expanded.h"
#include "type/memory/flat.h"
#include "type/sql/change.h"
#include "type/sql/functions.h"
#include "type/sql/params.h"
#include "type/sql/setops.h"
#include "type/stored/view.h"

BF_SQL_FUNCTION(bloomfilter_agg_transfn);
BF_SQL_FUNCTION(bloomfilter_agg_finalfn);
BF_SQL_FUNCTION(bloomfilter_agg_combinefn);
BF_SQL_FUNCTION(bloomfilter_union_transfn);
BF_SQL_FUNCTION(bloomfilter_intersection_transfn);

/*
 * The parameters of bloom_agg or counting_bloom_agg, from the arguments of a
 * row or from a state's header.
 */
typedef struct AggregateParameters
{
	BfFilterType type;			/* of the two aggregates */
	bool		sized;			/* false: the final function chooses the size */
	double		expected_items; /* rounded up in a state; 0 if not sized */
	double		rate;
	int64_t		seed;
} AggregateParameters;

static void
require_parameter(FunctionCallInfo fcinfo, int argno, const char *name, const char *hint)
{
	if (unlikely(PG_ARGISNULL(argno)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must not be null", name),
				 errhint("%s", hint)));
}

static inline AggregateParameters
parameters_of_row(BfFilterType type, FunctionCallInfo fcinfo)
{
	AggregateParameters params = {type, false, 0, BF_DEFAULT_RATE, 0};

	/* a counting filter cannot be unsized */
	if (type == BF_COUNTING)
		require_parameter(fcinfo, 2, "expected number of items",
						  "Give a number: only bloom_agg can size a filter by itself.");
	if (PG_NARGS() > 2 && !PG_ARGISNULL(2))
	{
		params.sized = true;
		params.expected_items = PG_GETARG_FLOAT8(2);
	}
	if (PG_NARGS() > 3)
	{
		require_parameter(fcinfo, 3, "false positive rate", "Give a rate: the default is 0.01.");
		params.rate = PG_GETARG_FLOAT8(3);
	}
	if (PG_NARGS() > 4)
	{
		require_parameter(fcinfo, 4, "seed", "Give a seed: the default is 0.");
		params.seed = PG_GETARG_INT64(4);
	}
	return params;
}

static inline AggregateParameters
parameters_of_state(const BfHeader *header)
{
	/* an unsized filter's capacity is zero */
	return (AggregateParameters) {
		header->type, header->representation != BF_UNSIZED, (double) header->capacity,
		header->rate, header->seed
	};
}

static char *
describe_parameters(const AggregateParameters *params)
{
	return psprintf("expected_items %s, false_positive_rate %s, seed " INT64_FORMAT,
					params->sized ? float8out_internal(params->expected_items) : "NULL",
					float8out_internal(params->rate), (int64) params->seed);
}

static const char *
aggregate_name(BfFilterType type)
{
	return type == BF_COUNTING ? "counting_bloom_agg" : "bloom_agg";
}

/*
 * Check that the parameters of a state are those of a row, or of another
 * state, of the same group.
 */
static inline void
check_parameters(AggregateParameters state, AggregateParameters other)
{
	if (likely(state.sized == other.sized && state.rate == other.rate &&
			   state.seed == other.seed &&
			   (state.expected_items == other.expected_items ||
				state.expected_items == ceil(other.expected_items))))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("parameters of %s must not change within a group",
					aggregate_name(state.type)),
			 errdetail("The group began with %s, then came %s.",
					   describe_parameters(&state), describe_parameters(&other)),
			 errhint("Take the parameters from a subquery, or add what they depend on to GROUP BY.")));
}

static BfExpanded *
first_state(BfFilterType type, FunctionCallInfo fcinfo, MemoryContext states)
{
	AggregateParameters params = parameters_of_row(type, fcinfo);
	BfHeader	header;

	if (params.sized)
		bf_sized_header(type, &header, params.expected_items, params.rate, params.seed);
	else
		bf_unsized_header(&header, params.rate, params.seed);
	return bf_state_create(&header, states);
}

/*
 * A caller other than a query, such as Citus on its workers, may not know the
 * type of "any".
 */
static void
require_known_type(BfFilterType type, FunctionCallInfo fcinfo)
{
	if (!OidIsValid(get_fn_expr_argtype(fcinfo->flinfo, 1)))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s cannot see the type of its values here", aggregate_name(type)),
				 errdetail("It was called without the expression of the query, as extensions that aggregate on several servers call it."),
				 type == BF_COUNTING ?
				 errhint("Aggregate filters instead, as in counting_bloom_sum_agg(bloom_add(counting_bloom_create(1000), value)).") :
				 errhint("Aggregate filters instead, as in bloom_union_agg(bloom_add(bloom_create(1000), value)).")));
}

/* The element type of the row's value. */
static inline BfElement *
element_of_row(BfFilterType type, FunctionCallInfo fcinfo)
{
	if (unlikely(fcinfo->flinfo->fn_extra == NULL))
		require_known_type(type, fcinfo);
	return bf_call_site_of_value(fcinfo, 1, sizeof(BfElement));
}

/* Transition function with a value.  "type" is a constant, for inlining. */
static pg_attribute_always_inline Datum
accumulate(BfFilterType type, FunctionCallInfo fcinfo)
{
	MemoryContext aggregate = bf_require_aggregate(fcinfo);
	BfElement  *element;
	BfExpanded *state = NULL;
	uint64_t	hash;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}

	element = element_of_row(type, fcinfo);
	if (likely(!PG_ARGISNULL(0)))
		state = bf_owned_state(type, PG_GETARG_DATUM(0), aggregate);
	if (unlikely(state == NULL))
		state = PG_ARGISNULL(0) ? first_state(type, fcinfo, bf_states_context(fcinfo, aggregate)) :
			bf_state_copy(type, PG_GETARG_DATUM(0), bf_states_context(fcinfo, aggregate));
	if (PG_NARGS() > 2)
		check_parameters(parameters_of_state(&state->header), parameters_of_row(type, fcinfo));
	bf_expanded_accept(state, element);
	hash = bf_hash_value(element, bf_strips_blanks(&state->header), PG_GETARG_DATUM(1),
						 (uint64_t) state->header.seed);
	if (type == BF_COUNTING)
		bf_expanded_change(state, hash, 1);
	else
		bf_expanded_add(state, hash);
	PG_RETURN_DATUM(EOHPGetRWDatum(&state->hdr));
}

Datum
bf_sql_accumulate(FunctionCallInfo fcinfo)
{
	return accumulate(BF_COUNTING, fcinfo);
}

Datum
bloomfilter_agg_transfn(PG_FUNCTION_ARGS)
{
	return accumulate(BF_PLAIN, fcinfo);
}

/* A filter sized for exactly the hashes of an unsized filter. */
static struct varlena *
right_sized(const BfExpanded *unsized)
{
	const BfHashSet *set = &unsized->body->set;
	uint64_t	count = bf_hashset_count(set);
	BfHeader	header;
	struct varlena *flat;
	uint8_t    *data;

	bf_sized_header(BF_PLAIN, &header, Max(count, 1), unsized->header.rate, unsized->header.seed);
	bf_combine_headers(&header, &unsized->header);
	if (count > header.blocks)
		header.representation = BF_DENSE;
	else
		header.count = count;

	flat = bf_flat_create(&header, &data);
	if (header.representation == BF_SPARSE)
		bf_hashset_read_sorted(set, data);
	else
	{
		memset(data, 0, bf_data_length(&header));
		bf_blocks_add_set(data, header.blocks, header.hashes, set);
	}
	return flat;
}

Datum
bloomfilter_agg_finalfn(PG_FUNCTION_ARGS)
{
	Datum		state = PG_GETARG_DATUM(0);
	BfExpanded *filter = VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(state)) ?
		bf_expanded_get(BF_PLAIN, state) : bf_state_copy(BF_PLAIN, state, CurrentMemoryContext);

	bf_expanded_settle(filter);
	bf_expanded_check_limit(filter);
	if (filter->header.representation == BF_UNSIZED)
		PG_RETURN_POINTER(right_sized(filter));
	PG_RETURN_DATUM(MakeExpandedObjectReadOnly(state, false, -1));
}

/*
 * Transition of a state with a filter or with another state.  NULLs are
 * ignored.
 */
Datum
bf_sql_combine(BfFilterType type, FunctionCallInfo fcinfo, BfCombine combine)
{
	MemoryContext aggregate = bf_require_aggregate(fcinfo);
	BfExpanded *state;
	BfView		other;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	if (PG_ARGISNULL(0))
		state = bf_state_copy(type, PG_GETARG_DATUM(1), bf_states_context(fcinfo, aggregate));
	else
	{
		bf_view_open(type, &other, PG_GETARG_DATUM(1));
		state = bf_owned_state(type, PG_GETARG_DATUM(0), aggregate);
		if (state == NULL)
			state = bf_state_copy(type, PG_GETARG_DATUM(0), bf_states_context(fcinfo, aggregate));
		combine(state, &other);
		bf_view_close(&other);
	}
	PG_RETURN_DATUM(EOHPGetRWDatum(&state->hdr));
}

void
bf_require_same_group(const BfHeader *state, const BfHeader *other)
{
	check_parameters(parameters_of_state(state), parameters_of_state(other));
}

/* Combine two states of bloom_agg, of parts of a group. */
static void
combine_parts(BfExpanded *state, const BfView *other)
{
	bf_require_same_group(&state->header, &other->header);
	bf_expanded_union(state, other);
}

Datum
bloomfilter_agg_combinefn(PG_FUNCTION_ARGS)
{
	return bf_sql_combine(BF_PLAIN, fcinfo, combine_parts);
}

Datum
bloomfilter_union_transfn(PG_FUNCTION_ARGS)
{
	return bf_sql_combine(BF_PLAIN, fcinfo, bf_expanded_union);
}

Datum
bloomfilter_intersection_transfn(PG_FUNCTION_ARGS)
{
	return bf_sql_combine(BF_PLAIN, fcinfo, bf_expanded_intersect);
}
