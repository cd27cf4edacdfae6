/*-------------------------------------------------------------------------
 *
 * layout.c
 *		The layout of the structs that are on disk, for ever as it is here.
 *
 * Indexes outlive the version that wrote them.  Whoever changes one of these structs
 * needs a new BF_INDEX_VERSION.  What a stored filter has is written byte by byte
 * (core/format.c), and what a set has is one (sets/layout.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "index/file/meta.h"
#include "index/file/page.h"
#include "index/file/slab.h"

#define FIELD_AT(type, field, offset) \
	StaticAssertDecl(offsetof(type, field) == (offset), #type "." #field " has moved")

/* Of each page, at its end. */
StaticAssertDecl(sizeof(BfPageTail) == 12, "the tail of a page has another size");
FIELD_AT(BfPageTail, block, 0);
FIELD_AT(BfPageTail, slab, 4);
FIELD_AT(BfPageTail, kind, 8);
FIELD_AT(BfPageTail, page_id, 10);

/* In the directory, and in the metapage. */
StaticAssertDecl(sizeof(BfSlab) == 24, "a slab has another size");
FIELD_AT(BfSlab, first_heap_page, 0);
FIELD_AT(BfSlab, first_page, 4);
FIELD_AT(BfSlab, number, 8);
FIELD_AT(BfSlab, blocks, 12);
FIELD_AT(BfSlab, ranges, 16);
FIELD_AT(BfSlab, set_blocks, 18);
FIELD_AT(BfSlab, set_pages, 19);
FIELD_AT(BfSlab, k, 20);
FIELD_AT(BfSlab, set_k, 21);
FIELD_AT(BfSlab, excess, 22);
FIELD_AT(BfSlab, set_excess, 23);

#define SUCCESSORS_BYTES	(4 + 24 * INDEX_MAX_KEYS)
#define COVERS_AT			(40 + BF_ROW_KINDS * SUCCESSORS_BYTES)

StaticAssertDecl(sizeof(BfSuccessors) == SUCCESSORS_BYTES, "successors have another size");
FIELD_AT(BfSuccessors, row, 0);
FIELD_AT(BfSuccessors, slabs, 4);

FIELD_AT(BfMeta, magic, 0);
FIELD_AT(BfMeta, version, 4);
FIELD_AT(BfMeta, columns, 8);
FIELD_AT(BfMeta, groups, 12);
FIELD_AT(BfMeta, generation, 16);
FIELD_AT(BfMeta, slabs, 20);
FIELD_AT(BfMeta, horizon, 24);
FIELD_AT(BfMeta, standby_horizon, 32);
FIELD_AT(BfMeta, successors, 40);
FIELD_AT(BfMeta, covers, COVERS_AT);
FIELD_AT(BfMeta, covered, COVERS_AT + 4);
FIELD_AT(BfMeta, cover_pages, COVERS_AT + 8);
FIELD_AT(BfMeta, directory, COVERS_AT + 8 + 4 * BF_MAX_COVER_PAGES);

/* The metapage of an index with scope = 'table'. */
StaticAssertDecl(MAXALIGN(sizeof(BfTableMeta)) == 120, "the metapage of a table's filter has another size");
FIELD_AT(BfTableMeta, magic, 0);
FIELD_AT(BfTableMeta, version, 4);
FIELD_AT(BfTableMeta, generation, 8);
FIELD_AT(BfTableMeta, slabs, 12);
FIELD_AT(BfTableMeta, environment, 16);
FIELD_AT(BfTableMeta, capacity, 24);
FIELD_AT(BfTableMeta, rate, 32);
FIELD_AT(BfTableMeta, builder, 40);
FIELD_AT(BfTableMeta, standby_builder, 48);
FIELD_AT(BfTableMeta, standby_horizon, 56);
FIELD_AT(BfTableMeta, slab, 64);
FIELD_AT(BfTableMeta, successor, 88);
FIELD_AT(BfTableMeta, family, 112);
