/*-------------------------------------------------------------------------
 *
 * aggregate.c
 *		Support functions of the aggregates.
 *
 * The transition state is a filter like any other, as an expanded object in
 * the aggregate's context.  Without expected_items it is an unsized one,
 * which keeps the distinct hashes; the final function sizes a filter for
 * their number.  So partial states need no functions of their own to travel
 * between processes or servers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "settings.h"
#include "type/aggregate.h"
#include "type/blocks.h"
#include "type/compatible.h"
#include "type/element.h"
#include "type/expanded.h"
#include "type/flat.h"
#include "type/params.h"
#include "type/setops.h"
#include "type/view.h"

BF_SQL_FUNCTION(bloomfilter_agg_transfn);
BF_SQL_FUNCTION(bloomfilter_agg_finalfn);
BF_SQL_FUNCTION(bloomfilter_union_transfn);
BF_SQL_FUNCTION(bloomfilter_intersection_transfn);

/*
 * The context in which the states of one aggregate's context live.  There is
 * one per grouping set.
 */
typedef struct StateContext
{
	MemoryContext aggregate;
	MemoryContext states;		/* NULL once it is gone */
	MemoryContextCallback forget;
	struct StateContext *next;
} StateContext;

/* What a call site remembers. */
typedef struct AggregateSite
{
	BfElement	element;		/* of bloom_agg */
	StateContext *contexts;
} AggregateSite;

static AggregateSite *
aggregate_site(FunctionCallInfo fcinfo)
{
	AggregateSite *site = fcinfo->flinfo->fn_extra;

	if (unlikely(site == NULL))
	{
		site = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(AggregateSite));
		fcinfo->flinfo->fn_extra = site;
	}
	return site;
}

static void
forget_states(void *arg)
{
	((StateContext *) arg)->states = NULL;
}

/*
 * The context for new states.  The executor takes an expanded object over
 * without a copy if its context is a child of the aggregate's.  It never
 * deletes an object that is returned each time anew, only resets the
 * aggregate's context.
 */
static MemoryContext
states_context(FunctionCallInfo fcinfo)
{
	AggregateSite *site = aggregate_site(fcinfo);
	MemoryContext aggregate;
	StateContext *context;

	if (!AggCheckCallContext(fcinfo, &aggregate))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("support function of a bloomfilter aggregate called outside of an aggregate")));

	for (context = site->contexts; context != NULL; context = context->next)
		if (context->aggregate == aggregate)
			break;
	if (context == NULL)
	{
		context = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(StateContext));
		context->aggregate = aggregate;
		context->next = site->contexts;
		site->contexts = context;
	}
	if (context->states == NULL)
	{
		context->states = AllocSetContextCreate(aggregate, "bloomfilter states",
												ALLOCSET_DEFAULT_SIZES);
		context->forget.func = forget_states;
		context->forget.arg = context;
		MemoryContextRegisterResetCallback(context->states, &context->forget);
	}
	return context->states;
}

/* bloom_agg's parameters for a row. */
typedef struct AggregateParameters
{
	bool		sized;			/* false: the filter is to be sized in the end */
	double		expected_items;
	double		rate;
} AggregateParameters;

static inline void
get_parameters(FunctionCallInfo fcinfo, AggregateParameters *params)
{
	params->sized = PG_NARGS() > 2 && !PG_ARGISNULL(2);
	params->expected_items = params->sized ? PG_GETARG_FLOAT8(2) : 0;
	params->rate = BF_DEFAULT_RATE;
	if (PG_NARGS() > 3)
	{
		if (PG_ARGISNULL(3))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("false positive rate must not be null")));
		params->rate = PG_GETARG_FLOAT8(3);
	}
}

static BfExpanded *
first_state(FunctionCallInfo fcinfo, MemoryContext states)
{
	AggregateParameters params;
	BfHeader	header;

	get_parameters(fcinfo, &params);
	if (params.sized)
		bf_sized_header(&header, params.expected_items, params.rate, 0);
	else
		bf_unsized_header(&header, params.rate, 0);
	return bf_state_create(&header, states);
}

static char *
describe_parameters(bool sized, double expected_items, double rate)
{
	if (!sized)
		return psprintf("expected_items NULL and false_positive_rate %g", rate);
	return psprintf("expected_items %.15g and false_positive_rate %g", expected_items, rate);
}

/* The parameters must be the same in every row of a group. */
static void
check_parameters(FunctionCallInfo fcinfo, const BfHeader *header)
{
	AggregateParameters params;
	bool		sized = header->representation != BF_UNSIZED;
	double		capacity = (double) (int64) header->capacity;

	get_parameters(fcinfo, &params);
	/* the capacity of an unsized filter is zero too */
	if (likely(params.sized == sized && params.rate == header->rate &&
			   (params.expected_items == capacity || ceil(params.expected_items) == capacity)))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("parameters of bloom_agg must not change within a group"),
			 errdetail("The group began with %s, then came %s.",
					   describe_parameters(sized, capacity, header->rate),
					   describe_parameters(params.sized, params.expected_items, params.rate))));
}

/* The state where there is none yet, or not in the form that we keep it in. */
static BfExpanded *
state_for_row(FunctionCallInfo fcinfo)
{
	MemoryContext states = states_context(fcinfo);

	if (PG_ARGISNULL(0))
		return first_state(fcinfo, states);
	return bf_state_writable(PG_GETARG_DATUM(0), states);
}

Datum
bloomfilter_agg_transfn(PG_FUNCTION_ARGS)
{
	BfElement  *element;
	BfExpanded *state;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}

	element = &aggregate_site(fcinfo)->element;
	if (unlikely(!OidIsValid(element->typid)))
		bf_element_init_from_arg(element, fcinfo, 1);
	/* a read-write object may be changed wherever it comes from */
	if (likely(!PG_ARGISNULL(0) &&
			   VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(PG_GETARG_DATUM(0)))))
		state = bf_expanded_get(PG_GETARG_DATUM(0));
	else
		state = state_for_row(fcinfo);
	if (PG_NARGS() > 2)
		check_parameters(fcinfo, &state->header);
	bf_expanded_accept(state, element);
	bf_expanded_add(state, bf_hash_value(element, bf_strips_blanks(&state->header),
										 PG_GETARG_DATUM(1), (uint64_t) state->header.seed));
	PG_RETURN_DATUM(EOHPGetRWDatum(&state->hdr));
}

/*
 * Size a filter for exactly the hashes in an unsized one.
 */
static struct varlena *
right_sized(const BfExpanded *unsized)
{
	const BfHashSet *set = &unsized->body->set;
	uint64_t	count = bf_hashset_count(set);
	BfHeader	header;
	struct varlena *flat;
	uint8_t    *data;

	bf_sized_header(&header, Max(count, 1), unsized->header.rate, unsized->header.seed);
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
	BfExpanded *filter;

	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(state)))
	{
		filter = bf_expanded_get(state);
		bf_expanded_settle(filter);
	}
	else
		filter = bf_state_copy(state, CurrentMemoryContext);

	bf_expanded_check_limit(filter);
	if (filter->header.representation == BF_UNSIZED)
		PG_RETURN_POINTER(right_sized(filter));
	PG_RETURN_DATUM(MakeExpandedObjectReadOnly(state, false, -1));
}

typedef void (*Combine) (BfExpanded *filter, const BfView *other);

/*
 * Combine a state with a filter or with another state.  NULLs are ignored.
 */
static Datum
combine_state(FunctionCallInfo fcinfo, Combine combine)
{
	MemoryContext states = states_context(fcinfo);
	BfExpanded *state;
	BfView		other;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	if (PG_ARGISNULL(0))
		state = bf_state_copy(PG_GETARG_DATUM(1), states);
	else
	{
		state = bf_state_writable(PG_GETARG_DATUM(0), states);
		bf_view_open(&other, PG_GETARG_DATUM(1));
		combine(state, &other);
		bf_view_close(&other);
	}
	PG_RETURN_DATUM(EOHPGetRWDatum(&state->hdr));
}

Datum
bloomfilter_union_transfn(PG_FUNCTION_ARGS)
{
	return combine_state(fcinfo, bf_expanded_union);
}

Datum
bloomfilter_intersection_transfn(PG_FUNCTION_ARGS)
{
	return combine_state(fcinfo, bf_expanded_intersect);
}
