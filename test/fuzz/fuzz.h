/*-------------------------------------------------------------------------
 *
 * fuzz.h
 *		What all harnesses share: stating what must hold, taking numbers from
 *		the input, random numbers for mutators.
 *
 * Does not depend on the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What libFuzzer calls, and what it offers to custom mutators. */
extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
									  unsigned seed);
extern size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* A property of the code under test.  libFuzzer saves the input on abort(). */
#define REQUIRE(condition) \
	do { \
		if (!(condition)) \
		{ \
			fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/* What is left of an input. */
typedef struct FuzzInput
{
	const uint8_t *at;
	size_t		left;
} FuzzInput;

/* The next n bytes as a little-endian number; zeros behind the end. */
static inline uint64_t
fuzz_take(FuzzInput *input, unsigned n)
{
	uint64_t	value = 0;
	unsigned	i;

	for (i = 0; i < n && input->left > 0; i++, input->at++, input->left--)
		value |= (uint64_t) *input->at << (8 * i);
	return value;
}

/* A number below the bound from a mutator's state (a linear generator). */
static inline uint32_t
fuzz_random(uint64_t *state, uint32_t bound)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t) (((*state >> 32) * bound) >> 32);
}

static inline uint64_t
fuzz_random64(uint64_t *state)
{
	uint64_t	high = fuzz_random(state, UINT32_MAX);

	return high << 32 | fuzz_random(state, UINT32_MAX);
}

#endif							/* FUZZ_H */
