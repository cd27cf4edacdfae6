/*-------------------------------------------------------------------------
 *
 * lifetime.c
 *		Who owns a filter in memory, and when it is freed.
 *
 * A filter in memory is a head (BfExpanded) and a body (BfBody), which several
 * heads may own.  Heads and bodies are of two kinds:
 *
 * - An aggregate's states are in one context, a child of the aggregate's, and
 *	 share nothing.  They are freed with that context only.
 *
 * - All others, the objects, are in a context of their own, "bloomfilter
 *	 objects", that is never reset.  Two contexts keep an object alive:
 *
 *	 The home is the context that was current when the object was made.  No slot
 *	 holds a pointer to the object after the end of its home.  filter->home
 *	 points to the home; a reset callback of the home, home_gone, points to the
 *	 object.
 *
 *	 The taker is a variable of PL/pgSQL that takes the object over.  PL/pgSQL
 *	 does so by moving the context hdr.eoh_context, which is empty, below one of
 *	 its own, and frees the variable by deleting that context.  A reset callback
 *	 of eoh_context, taker_gone, points to the object.  Until somebody has taken
 *	 it over, eoh_context is a child of the home.  The parent of eoh_context is
 *	 the object's place.
 *
 * Why an object must outlive its taker: PL/pgSQL deletes eoh_context with the
 * variable while a slot may still contain a read-only pointer to the object
 * (from 18 on; up to 17, a pointer that a function returned).  Why it must
 * outlive its home: an object that a function made and returns is moved out of
 * the function's contexts, which then end.
 *
 * Several parameters of a function may take the same object over (from 18 on).
 * Each ends by deleting eoh_context, which it believes to be its own: so while
 * the home is alive there always is one, below "bloomfilter objects" after the
 * first of them has ended.
 *
 *	home	taker	what points where				what happens
 *	------	------	------------------------------	------------------------------
 *	alive	alive	home -> object -> home,			nothing: the object is in use
 *					eoh_context -> object
 *	ends	alive	the object's place becomes its	nothing is freed; from here on
 *					home (enter_home)				as in the row above
 *	alive	ends	home = place, or the home is a	freed at once, as no pointer is
 *					function's variables			left
 *	alive	ends	otherwise: eoh_context is a		nothing: slots may read it, and
 *					new one							others take it over
 *	ends	gone	home = NULL						home_gone() frees the object
 *	gone	gone	nothing							the object has been freed
 *
 * The state "home gone, taker alive" does not last: the place becomes the home
 * at once.  The callbacks are in the object's head, so a freed object must
 * leave no callback behind: the context that ended has dropped its own, and
 * taker_gone() takes the other one from its list.
 *
 * A body is freed with the last head that owns it (references).  Until a head
 * owns it, its context is a child of the current context, so that an error
 * frees it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "compat.h"
#include "type/memory/lifetime.h"

/*
 * With these sizes the server keeps freed contexts that were small for reuse.
 */
#define SMALL_CONTEXT_SIZES \
	ALLOCSET_SMALL_MINSIZE, ALLOCSET_SMALL_INITSIZE, ALLOCSET_DEFAULT_MAXSIZE

/* The context of all heads and bodies that do not belong to states. */
static MemoryContext objects;

static const ExpandedObjectMethods *object_methods;

/* ---------- bodies ---------- */

BfBody *
bf_body_create(const BfExpanded *filter)
{
	MemoryContext mcxt = filter->mcxt;
	BfBody	   *body;

	if (!bf_is_state(filter))
		mcxt = AllocSetContextCreate(CurrentMemoryContext, "bloomfilter body",
									 SMALL_CONTEXT_SIZES);
	body = MemoryContextAllocZero(mcxt, sizeof(BfBody));
	body->mcxt = mcxt;
	return body;
}

/* Free a state's body. */
static void
free_body(const BfExpanded *filter, BfBody *body)
{
	if (body->chunk != NULL)
		pfree(body->chunk);
	filter->type_methods->free_list(body);
	pfree(body);
}

static void
let_go_of_body(BfExpanded *filter)
{
	BfBody	   *body = filter->body;

	filter->body = NULL;
	if (body == NULL)
		return;
	Assert(body->references > 0);
	if (--body->references > 0)
		return;
	if (bf_is_state(filter))
		free_body(filter, body);
	else
		MemoryContextDelete(body->mcxt);
}

void
bf_body_own(BfExpanded *filter, BfBody *body)
{
	let_go_of_body(filter);
	if (body->references == 0 && !bf_is_state(filter))
		MemoryContextSetParent(body->mcxt, objects);
	body->references++;
	filter->body = body;
}

/* ---------- heads ---------- */

/* A head in mcxt.  PL/pgSQL may move or delete eoh_context. */
static BfExpanded *
create_head(BfFilterType type, const BfTypeMethods *type_methods, MemoryContext mcxt,
			MemoryContext eoh_context)
{
	BfExpanded *filter = MemoryContextAlloc(mcxt, sizeof(BfExpanded));

	EOH_init_header(&filter->hdr, object_methods, eoh_context);
	filter->magic = BF_EXPANDED_MAGIC + (int) type;
	filter->type_methods = type_methods;
	filter->mcxt = mcxt;
	filter->body = NULL;
	filter->npending = 0;
	filter->napplied = 0;
	filter->max_pending = BF_PENDING;
	filter->pending = filter->pending_space;
	memset(&filter->header, 0, sizeof(BfHeader));
	return filter;
}

/* Free the object, unless it has a home or a taker. */
static void
free_object(BfExpanded *filter)
{
	if (filter->home != NULL || filter->hdr.eoh_context != NULL)
		return;
	let_go_of_body(filter);
	if (filter->pending != filter->pending_space)
		pfree(filter->pending);
	if (filter->header.name_len > 0)
		pfree(unconstify(char *, filter->header.name));
	filter->magic = 0;
	pfree(filter);
}

static void
enter_home(BfExpanded *filter, MemoryContext home)
{
	filter->home = home;
	MemoryContextRegisterResetCallback(home, &filter->home_gone);
}

static MemoryContext
create_eoh_context(MemoryContext parent)
{
	return AllocSetContextCreate(parent, "bloomfilter", SMALL_CONTEXT_SIZES);
}

/* Delete what nobody has taken over. */
static void
delete_eoh_context(BfExpanded *filter)
{
	MemoryContext eoh_context = filter->hdr.eoh_context;

	BF_UNREGISTER_RESET_CALLBACK(eoh_context, &filter->taker_gone);
	filter->hdr.eoh_context = NULL;
	MemoryContextDelete(eoh_context);
}

static void
home_gone(void *arg)
{
	BfExpanded *filter = arg;
	MemoryContext place = NULL;

	filter->home = NULL;
	if (filter->hdr.eoh_context != NULL)
		place = MemoryContextGetParent(filter->hdr.eoh_context);
	if (place != NULL && place != objects)
	{
		enter_home(filter, place);
		return;
	}
	if (place == objects)
		delete_eoh_context(filter);
	free_object(filter);
}

/*
 * Is PL/pgSQL the only one with pointers to the object?  Others get a
 * read-only pointer to a variable's value, or, from 18 on, the value itself
 * for good.
 */
static bool
is_variable(const BfExpanded *filter)
{
	return BF_HOLDS_PLPGSQL_VARIABLES(filter->home);
}

/*
 * An eoh_context for others who take the object over, or have done so.  This is a
 * reset callback, which must not raise an error: without memory the object's
 * pointers become read-only, so that at least nobody takes it over from now on.
 */
static void
renew_eoh_context(BfExpanded *filter)
{
	MemoryContext old_context = CurrentMemoryContext;

	filter->hdr.eoh_context = NULL;
	PG_TRY();
	{
		filter->hdr.eoh_context = create_eoh_context(objects);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(old_context);
		FlushErrorState();
	}
	PG_END_TRY();
	if (filter->hdr.eoh_context != NULL)
		MemoryContextRegisterResetCallback(filter->hdr.eoh_context, &filter->taker_gone);
	else
		SET_VARTAG_EXTERNAL(filter->hdr.eoh_rw_ptr, VARTAG_EXPANDED_RO);
}

/*
 * If the object's place was its home, or if it was only in a variable, no
 * pointers are left.
 */
static void
taker_gone(void *arg)
{
	BfExpanded *filter = arg;
	MemoryContext place = MemoryContextGetParent(filter->hdr.eoh_context);

	if (filter->home != place && !is_variable(filter))
	{
		renew_eoh_context(filter);
		return;
	}
	BF_UNREGISTER_RESET_CALLBACK(filter->home, &filter->home_gone);
	filter->home = NULL;
	filter->hdr.eoh_context = NULL;
	free_object(filter);
}

BfExpanded *
bf_object_create(BfFilterType type, const BfTypeMethods *type_methods)
{
	MemoryContext eoh_context = create_eoh_context(CurrentMemoryContext);
	BfExpanded *filter = create_head(type, type_methods, objects, eoh_context);

	/* from here on an error frees the object, too */
	filter->home_gone.func = home_gone;
	filter->home_gone.arg = filter;
	enter_home(filter, CurrentMemoryContext);
	filter->taker_gone.func = taker_gone;
	filter->taker_gone.arg = filter;
	MemoryContextRegisterResetCallback(eoh_context, &filter->taker_gone);
	return filter;
}

BfExpanded *
bf_object_create_state(BfFilterType type, const BfTypeMethods *type_methods, MemoryContext states)
{
	return create_head(type, type_methods, states, states);
}

/* ---------- loading ---------- */

void
bf_lifetime_init(const ExpandedObjectMethods *methods)
{
	object_methods = methods;
	objects = AllocSetContextCreate(TopMemoryContext, "bloomfilter objects",
									ALLOCSET_DEFAULT_SIZES);
}
