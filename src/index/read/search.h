/*-------------------------------------------------------------------------
 *
 * search.h
 *		A search of a filter index by ranges: what is looked for, and where it has
 *		been found.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_SEARCH_H
#define BF_INDEX_SEARCH_H

#include "nodes/tidbitmap.h"
#include "utils/snapshot.h"

#include "evidence/counts.h"
#include "index/file/directory.h"
#include "index/read/match.h"
#include "index/read/query.h"

/* A hash of the second level, and which of the first level's it is of. */
typedef struct BfSecondHash
{
	uint64		hash;
	int			first;
} BfSecondHash;

/* column = value, column = ANY (values), or another condition on its keys */
typedef struct BfSearchKey
{
	uint32		column;
	uint64	   *hashes;			/* ascending */
	int			count;
	BfQueries  *queries;		/* that the hashes are of; NULL: any hash matches */
	BfMask	   *groups;			/* of each of the search's covers, for each hash */
	BfMask	   *ranges;			/* of each hash, in the current group */
	BfSecondHash *second;		/* of the second level, in the current range */
	BfMask	   *sets;			/* of each hash, in the current range; NULL without queries */
} BfSearchKey;

typedef struct BfSearch
{
	Relation	index;
	Snapshot	snapshot;
	const BfDirectory *directory;
	bool		has_queries;	/* whose functions may do anything: the directory is a copy */
	BlockNumber heap_pages;
	BfSearchKey *keys;
	int			nkeys;
	uint32		first_cover;	/* those that have been searched */
	uint32		covers;
	BfMask	   *groups;			/* of each of these, that may have a value of every key */
	TIDBitmap  *bitmap;
	int64		found;			/* pages */
	bool		is_stale;		/* the directory is too old for the current group, or cover */
	BfIndexCounts *counts;
} BfSearch;

/* The number of hashes from the given one on whose blocks are in the same page. */
extern int bf_hashes_in_page(const BfSearchKey *key, const BfSlab *slab, int first);

/*
 * Which of the first members, ranges or sets or groups, may match the key, if each
 * of its hashes may be where its mask says?  No page may be locked.
 */
extern BfMask bf_search_decide(const BfSearchKey *key, const BfMask *found, uint32 members);

/* Is the page, which is locked, still the slab's?  If not, the search is stale. */
extern bool bf_search_has_page(BfSearch *search, Buffer buffer, const BfSlab *slab);

#endif							/* BF_INDEX_SEARCH_H */
