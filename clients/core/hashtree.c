/*-------------------------------------------------------------------------
 *
 * hashtree.c
 *		A set of hashes in ascending order, to which hashes can be added.
 *
 *-------------------------------------------------------------------------
 */
#include "hashtree.h"

#include <stdlib.h>
#include <string.h>

#include "core/block.h"
#include "core/sorted.h"

/*
 * Hashes in a leaf: with their number just below 4 kB.  Moving half of them
 * takes about 50 ns.
 */
#define LEAF_ROOM	510

/* Number of hashes per leaf that is made from a list: some room remains. */
#define LEAF_START	(LEAF_ROOM / 4 * 3)

typedef struct Leaf
{
	size_t		count;			/* at least 1, unless the tree is empty */
	uint64_t	hashes[LEAF_ROOM];
} Leaf;

struct BfHashTree
{
	uint64_t	count;
	size_t		nleaves;		/* at least 1 */
	size_t		room;			/* length of the arrays below */
	Leaf	  **leaves;
	uint64_t   *first;			/* smallest hash of each leaf */
};

/* Make room for one more leaf in the arrays. */
static bool
reserve_leaf(BfHashTree *tree)
{
	size_t		room = tree->room * 2;
	Leaf	  **leaves;
	uint64_t   *first;

	if (tree->nleaves < tree->room)
		return true;
	leaves = realloc(tree->leaves, room * sizeof(*leaves));
	if (leaves == NULL)
		return false;
	tree->leaves = leaves;
	first = realloc(tree->first, room * sizeof(*first));
	if (first == NULL)
		return false;
	tree->first = first;
	tree->room = room;
	return true;
}

BfHashTree *
bf_hashtree_create(const uint8_t *list, uint64_t count)
{
	BfHashTree *tree = calloc(1, sizeof(*tree));

	if (tree == NULL)
		return NULL;
	tree->room = (size_t) (count / LEAF_START) + 1;
	tree->leaves = calloc(tree->room, sizeof(*tree->leaves));
	tree->first = calloc(tree->room, sizeof(*tree->first));
	if (tree->leaves == NULL || tree->first == NULL)
	{
		bf_hashtree_free(tree);
		return NULL;
	}
	do
	{
		size_t		n = count - tree->count < LEAF_START ? (size_t) (count - tree->count) : LEAF_START;
		Leaf	   *leaf = malloc(sizeof(*leaf));
		size_t		i;

		if (leaf == NULL)
		{
			bf_hashtree_free(tree);
			return NULL;
		}
		for (i = 0; i < n; i++)
			leaf->hashes[i] = bf_load_u64(list + 8 * (tree->count + i));
		leaf->count = n;
		tree->first[tree->nleaves] = n > 0 ? leaf->hashes[0] : 0;
		tree->leaves[tree->nleaves++] = leaf;
		tree->count += n;
	} while (tree->count < count);
	return tree;
}

void
bf_hashtree_free(BfHashTree *tree)
{
	size_t		i;

	if (tree == NULL)
		return;
	for (i = 0; i < tree->nleaves; i++)
		free(tree->leaves[i]);
	free(tree->leaves);
	free(tree->first);
	free(tree);
}

uint64_t
bf_hashtree_count(const BfHashTree *tree)
{
	return tree->count;
}

size_t
bf_hashtree_memory(const BfHashTree *tree)
{
	return sizeof(*tree) + tree->room * (sizeof(*tree->leaves) + sizeof(*tree->first)) +
		tree->nleaves * sizeof(**tree->leaves);
}

/*
 * The leaf of the hash; if the tree does not contain it, the leaf to add it
 * to.
 */
static size_t
find_leaf(const BfHashTree *tree, uint64_t hash)
{
	/* hashes smaller than the first leaf's belong to the first leaf, too */
	size_t		below = bf_count_below(tree->first + 1, tree->nleaves - 1, hash);

	if (below + 1 < tree->nleaves && tree->first[below + 1] == hash)
		below++;
	return below;
}

/* Does the leaf have the hash at this place? */
static bool
is_at(const Leaf *leaf, size_t at, uint64_t hash)
{
	return at < leaf->count && leaf->hashes[at] == hash;
}

bool
bf_hashtree_contains(const BfHashTree *tree, uint64_t hash)
{
	const Leaf *leaf = tree->leaves[find_leaf(tree, hash)];

	return is_at(leaf, bf_count_below(leaf->hashes, leaf->count, hash), hash);
}

/* Move the upper half of a full leaf to a new leaf after it. */
static bool
split_leaf(BfHashTree *tree, size_t index)
{
	Leaf	   *leaf = tree->leaves[index];
	size_t		kept = LEAF_ROOM / 2;
	size_t		behind = tree->nleaves - index - 1;
	Leaf	   *upper;

	if (!reserve_leaf(tree) || (upper = malloc(sizeof(*upper))) == NULL)
		return false;
	upper->count = leaf->count - kept;
	memcpy(upper->hashes, leaf->hashes + kept, upper->count * sizeof(uint64_t));
	leaf->count = kept;

	memmove(tree->leaves + index + 2, tree->leaves + index + 1, behind * sizeof(*tree->leaves));
	memmove(tree->first + index + 2, tree->first + index + 1, behind * sizeof(*tree->first));
	tree->leaves[index + 1] = upper;
	tree->first[index + 1] = upper->hashes[0];
	tree->nleaves++;
	return true;
}

bool
bf_hashtree_insert(BfHashTree *tree, uint64_t hash)
{
	size_t		index = find_leaf(tree, hash);
	Leaf	   *leaf = tree->leaves[index];
	size_t		at = bf_count_below(leaf->hashes, leaf->count, hash);

	if (is_at(leaf, at, hash))
		return true;
	if (leaf->count == LEAF_ROOM)
	{
		if (!split_leaf(tree, index))
			return false;
		if (at > leaf->count)
		{
			at -= leaf->count;
			leaf = tree->leaves[++index];
		}
	}
	memmove(leaf->hashes + at + 1, leaf->hashes + at, (leaf->count - at) * sizeof(uint64_t));
	leaf->hashes[at] = hash;
	leaf->count++;
	tree->first[index] = leaf->hashes[0];
	tree->count++;
	return true;
}

void
bf_hashtree_write(const BfHashTree *tree, uint8_t *list)
{
	size_t		index;
	size_t		i;

	for (index = 0; index < tree->nleaves; index++)
		for (i = 0; i < tree->leaves[index]->count; i++, list += 8)
			bf_store_u64(list, tree->leaves[index]->hashes[i]);
}
