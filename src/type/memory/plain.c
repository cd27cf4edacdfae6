/*-------------------------------------------------------------------------
 *
 * plain.c
 *		A bloomfilter in memory: adding hashes.
 *
 * A bloomfilter in memory is an expanded object; expanded.c describes its
 * heads and bodies.  Its list is a set of hashes, and a pending change is one
 * hash.  Adding a hash twice does no harm: after an error all pending hashes
 * may be applied again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "type/memory/blocks.h"
#include "type/memory/lifetime.h"
#include "type/memory/plain.h"

/* ---------- lists ---------- */

static void
init_list(const BfExpanded *filter, BfBody *body)
{
	if (bf_is_state(filter) && filter->header.representation == BF_UNSIZED)
		/* the final function will choose its size */
		bf_hashset_init_gathering(&body->set, body->mcxt);
	else
		bf_hashset_init(&body->set, body->mcxt);
}

static void
copy_list(BfBody *body, const BfBody *from)
{
	bf_hashset_copy(&body->set, &from->set);
}

static void
free_list(BfBody *body)
{
	if (body->set.slots != NULL || body->set.log != NULL)
		bf_hashset_free(&body->set);
}

static int
count_in_list(const BfBody *body, uint64_t hash)
{
	return bf_hashset_contains(&body->set, hash) ? 1 : 0;
}

static void
write_list(const BfBody *body, uint8_t *list)
{
	bf_hashset_read_sorted(&body->set, list);
}

static Size
list_bytes(const BfBody *body)
{
	return (Size) body->set.nslots * sizeof(uint64_t);
}

void
bf_plain_densify(BfExpanded *filter)
{
	BfBody	   *body = filter->body;

	bf_expanded_begin_blocks(filter);
	bf_blocks_add_set(body->blocks, filter->header.blocks, filter->header.hashes, &body->set);
	bf_expanded_end_blocks(filter);
}

static void
add_to_list(BfExpanded *filter, const uint64_t *hashes, int n)
{
	bf_hashset_insert(&filter->body->set, hashes, n);
	filter->header.count = bf_hashset_counted(&filter->body->set);

	if (filter->header.representation == BF_SPARSE &&
		filter->header.count > filter->header.blocks)
		bf_plain_densify(filter);
}

/* ---------- changes ---------- */

/* Add hashes to the body. */
static void
add_hashes(BfExpanded *filter, const uint64_t *hashes, int n)
{
	Assert(!bf_is_shared(filter));
	if (filter->header.representation == BF_DENSE)
		bf_blocks_add(filter->body->blocks, filter->header.blocks,
					  filter->header.hashes, hashes, n);
	else
		add_to_list(filter, hashes, n);
}

static void
apply_pending(BfExpanded *filter)
{
	/* adding twice does no harm, so nothing is recorded in case of an error */
	add_hashes(filter, filter->pending, filter->npending);
}

void
bf_plain_add_list(BfExpanded *filter, const uint8_t *list, uint64_t count)
{
	uint64_t	batch[BF_PENDING];
	uint64_t	done = 0;

	while (done < count)
	{
		int			n = (int) Min(count - done, BF_PENDING);
		int			i;

		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < n; i++)
			batch[i] = bf_load_u64(list + 8 * (done + i));
		add_hashes(filter, batch, n);
		done += n;
	}
}

static void
read_list(BfExpanded *filter, const uint8_t *list, uint64_t count)
{
	/* of a state that gathers, there will be more */
	if (filter->body->set.may_log)
		bf_plain_add_list(filter, list, count);
	else
	{
		bf_hashset_read_list(&filter->body->set, list, (uint32_t) count);
		filter->header.count = count;
	}
}

/* ---------- replacing a list ---------- */

BfBody *
bf_plain_begin_list(BfExpanded *filter)
{
	BfBody	   *body = bf_body_create(filter);

	init_list(filter, body);
	return body;
}

void
bf_plain_end_list(BfExpanded *filter, BfBody *body)
{
	bf_body_own(filter, body);
	if (filter->header.representation == BF_DENSE)
		filter->header.representation = BF_SPARSE;
	filter->header.count = bf_hashset_count(&body->set);
	Assert(filter->header.representation == BF_UNSIZED ||
		   filter->header.count <= filter->header.blocks);
	bf_expanded_aim_prefetch(filter);
}

/* ---------- loading ---------- */

void
bf_plain_init(void)
{
	static const BfTypeMethods methods = {
		init_list, copy_list, free_list, read_list, write_list, count_in_list, list_bytes,
		apply_pending
	};

	bf_expanded_set_methods(BF_PLAIN, &methods);
}
