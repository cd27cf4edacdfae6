/*-------------------------------------------------------------------------
 *
 * estimate.c
 *		The false positive rate of a filter, estimated from the bits that are
 *		set.
 *
 *-------------------------------------------------------------------------
 */
#include "core/estimate.h"

#include "core/block.h"

/*
 * The mean, over the starting words, of the product of the fills of the words
 * that a value probes.  The second round probes k - 8 of the words once more,
 * at positions independent of the first.
 */
double
bf_block_rate(const uint8_t *block, int k)
{
	int			window = k <= BF_BLOCK_WORDS ? k : k - BF_BLOCK_WORDS;
	double		fill[BF_BLOCK_WORDS];
	double		every = 1;
	double		sum = 0;
	int			start;
	int			i;

	for (i = 0; i < BF_BLOCK_WORDS; i++)
	{
		fill[i] = bf_popcount64(bf_load_u64(block + 8 * i)) / 64.0;
		every *= fill[i];
	}
	for (start = 0; start < BF_BLOCK_WORDS; start++)
	{
		double		product = k <= BF_BLOCK_WORDS ? 1 : every;

		for (i = 0; i < window; i++)
			product *= fill[(start + i) & 7];
		sum += product;
	}
	return sum / BF_BLOCK_WORDS;
}
