/*-------------------------------------------------------------------------
 *
 * hashlog.c
 *		A set for many hashes that are collected first and read later.
 *
 * A hash table larger than the cache loads a cache line from memory for every
 * hash.  Here a hash is only appended to one of 256 partitions, chosen by its
 * upper byte: the 256 places that are written to stay in the cache.  A
 * partition is a chain of pages, which grows without being moved.
 *
 * When the log has grown by three quarters, the partitions are sorted and
 * repetitions removed, one partition after the other, each small enough for
 * the cache.  So repetitions never take more space than what they repeat.  A
 * sample of the partitions is sorted first.  If hardly anything repeats in the
 * sample, the others stay as they are, and each hash is sorted once, at the
 * end.
 *
 * Sorting distributes hashes by the upper bits in which they differ, by as
 * many bits at a time as make buckets of one or two hashes if hashes are
 * uniform.  If they are not, because somebody chose the values accordingly,
 * every round still uses up at least one bit, which limits the number of
 * rounds.
 *
 * bench/results/results.md compares this with a table, by bench/hashset.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "settings.h"
#include "type/memory/arrays.h"
#include "type/memory/hashlog.h"

/*
 * Partitions by a hash's upper byte, and pages of 2 kB, aligned to their size,
 * so that an address tells where its page ends.  Larger pages are hardly
 * faster, and half of each partition's last page is empty.  Fuzzers make both
 * smaller.
 */
#ifndef BF_LOG_PARTITION_BITS
#define BF_LOG_PARTITION_BITS	8
#endif
#ifndef BF_LOG_PAGE_BYTES
#define BF_LOG_PAGE_BYTES	2048
#endif
#define PARTITIONS		(1 << BF_LOG_PARTITION_BITS)
#define PAGE_BYTES		BF_LOG_PAGE_BYTES
#define PAGE_HASHES		(PAGE_BYTES / sizeof(uint64_t) - 1)

typedef struct Page
{
	union
	{
		struct Page *next;		/* NULL: the last one of its chain */
		uint64_t	unused;		/* eight bytes on every machine */
	}			link;
	uint64_t	hashes[PAGE_HASHES];
} Page;

StaticAssertDecl(sizeof(Page) == PAGE_BYTES, "a page's size is its alignment");

typedef struct Partition
{
	Page	   *first;
	uint64_t   *end;			/* in the last page, or just after it */
	uint64_t	npages;
	uint64_t	nsorted;		/* number of sorted hashes at the start */
} Partition;

/* A chunk of memory in which pages are allocated. */
typedef struct Segment
{
	struct Segment *next;
} Segment;

/*
 * Segments: at first two pages per partition, then a quarter of all pages.  A
 * segment of several huge pages is aligned to huge pages.
 */
#define MIN_PAGES		(2 * PARTITIONS)
#define MORE_PAGES(n)	((n) / 4)
#define MIN_HUGE_BYTES	(2 * BF_HUGE_PAGE_BYTES)

/* Pages to use before looking for repetitions: 14 bytes per distinct hash. */
#define MAX_USED(distinct)	(PARTITIONS + (distinct) / PAGE_HASHES * 7 / 4)

/* The sample is one of so many partitions. */
#define SAMPLE_STEP		16

/* Buckets of at most so many hashes are sorted by insertion. */
#define SMALL_BUCKET	24

/* The counters of 2^13 buckets, 32 kB, stay in the first-level cache. */
#define MAX_BUCKET_BITS	13

struct BfHashLog
{
	MemoryContext mcxt;
	Partition	partitions[PARTITIONS];
	bool		is_counted;		/* all partitions are sorted */
	uint64_t	counted;		/* distinct hashes when they were sorted */
	Segment    *segments;
	Page	   *unused;			/* chain of pages that were given back */
	Page	   *fresh;			/* start of the pages that were never used */
	Page	   *fresh_end;
	uint64_t	npages;			/* pages in all segments */
	uint64_t	nused;			/* pages in all partitions */
	uint64_t	max_used;		/* remove repetitions before using more pages */
	int			nsamples;		/* number of samples taken */
	uint64_t   *scratch;		/* to sort in */
	uint64_t	nscratch;
	uint32_t	starts[1 << MAX_BUCKET_BITS];	/* of buckets */
};

/* ---------- pages ---------- */

static inline Partition *
partition_of(BfHashLog *log, uint64_t hash)
{
	return &log->partitions[hash >> (64 - BF_LOG_PARTITION_BITS)];
}

/* Does a page end before this address?  Another page may begin here. */
static inline bool
is_boundary(const uint64_t *place)
{
	return (uintptr_t) place % PAGE_BYTES == 0;
}

/* The page of the hash, or of the link, before this address. */
static inline Page *
page_before(const uint64_t *place)
{
	return (Page *) TYPEALIGN_DOWN(PAGE_BYTES, place - 1);
}

/* Allocate at least npages more pages. */
static void
allocate_segment(BfHashLog *log, uint64_t npages)
{
	Size		bytes = Max(npages, Max(MIN_PAGES, MORE_PAGES(log->npages))) * PAGE_BYTES;
	Size		alignment = bytes < MIN_HUGE_BYTES ? PAGE_BYTES : BF_HUGE_PAGE_BYTES;
	Segment    *segment;

	/* the room for alignment also has room for the segment's link */
	bytes = TYPEALIGN(alignment, bytes);
	segment = bf_allocate_unset_array(log->mcxt, bytes + alignment);
	segment->next = log->segments;
	log->segments = segment;
	log->fresh = (Page *) TYPEALIGN(alignment, segment + 1);
	log->fresh_end = log->fresh + bytes / PAGE_BYTES;
	log->npages += bytes / PAGE_BYTES;
}

static Page *
take_page(BfHashLog *log)
{
	Page	   *page = log->unused;

	if (page != NULL)
		log->unused = page->link.next;
	else
	{
		if (log->fresh == log->fresh_end)
			allocate_segment(log, 1);
		page = log->fresh++;
	}
	page->link.next = NULL;
	log->nused++;
	return page;
}

/* Give back a chain of pages. */
static void
return_pages(BfHashLog *log, Page *page)
{
	while (page != NULL)
	{
		Page	   *next = page->link.next;

		page->link.next = log->unused;
		log->unused = page;
		log->nused--;
		page = next;
	}
}

BfHashLog *
bf_hashlog_create(MemoryContext mcxt, uint64_t expected)
{
	BfHashLog  *log = MemoryContextAllocZero(mcxt, sizeof(BfHashLog));
	int			i;

	log->mcxt = mcxt;
	log->is_counted = true;
	log->max_used = MIN_PAGES + expected / PAGE_HASHES;
	allocate_segment(log, log->max_used);
	for (i = 0; i < PARTITIONS; i++)
	{
		Partition  *partition = &log->partitions[i];

		partition->first = take_page(log);
		partition->end = partition->first->hashes;
		partition->npages = 1;
	}
	return log;
}

void
bf_hashlog_free(BfHashLog *log)
{
	while (log->segments != NULL)
	{
		Segment    *segment = log->segments;

		log->segments = segment->next;
		pfree(segment);
	}
	if (log->scratch != NULL)
		pfree(log->scratch);
	pfree(log);
}

/* ---------- sorting ---------- */

/* The bits in which not all hashes are the same. */
static uint64_t
differing_bits(const uint64_t *hashes, uint64_t n)
{
	uint64_t	bits = 0;
	uint64_t	i;

	for (i = 1; i < n; i++)
		bits |= hashes[i] ^ hashes[0];
	return bits;
}

static void
insertion_sort(uint64_t *hashes, uint64_t n)
{
	uint64_t	i;

	for (i = 1; i < n; i++)
	{
		uint64_t	hash = hashes[i];
		uint64_t	place = i;

		for (; place > 0 && hashes[place - 1] > hash; place--)
			hashes[place] = hashes[place - 1];
		hashes[place] = hash;
	}
}

/*
 * Distribute hashes to buckets by some of their bits.  Returns the size of the
 * largest bucket.
 */
static uint32_t
distribute(BfHashLog *log, const uint64_t *hashes, uint64_t n, int shift, int bits, uint64_t *dst)
{
	uint32_t   *starts = log->starts;
	uint32_t	nbuckets = UINT32_C(1) << bits;
	uint32_t	largest = 0;
	uint32_t	start = 0;
	uint32_t	bucket;
	uint64_t	i;

	memset(starts, 0, nbuckets * sizeof(uint32_t));
	for (i = 0; i < n; i++)
		starts[(hashes[i] >> shift) & (nbuckets - 1)]++;
	for (bucket = 0; bucket < nbuckets; bucket++)
	{
		uint32_t	count = starts[bucket];

		largest = Max(largest, count);
		starts[bucket] = start;
		start += count;
	}
	for (i = 0; i < n; i++)
		dst[starts[(hashes[i] >> shift) & (nbuckets - 1)]++] = hashes[i];
	return largest;
}

/* Sort hashes; the spare array has room for n hashes. */
static void
sort_hashes(BfHashLog *log, uint64_t *hashes, uint64_t n, uint64_t *spare)
{
	uint64_t	differing;
	uint32_t	largest;
	int			shift;
	int			bits;
	uint64_t	start;
	uint64_t	end;

	CHECK_FOR_INTERRUPTS();
	if (n <= SMALL_BUCKET)
	{
		insertion_sort(hashes, n);
		return;
	}
	differing = differing_bits(hashes, n);
	if (differing == 0)
		return;

	/* log2(n) bits, from the first bit that differs */
	shift = pg_leftmost_one_pos64(differing) + 1;
	bits = Min(pg_leftmost_one_pos64(n), Min(MAX_BUCKET_BITS, shift));
	shift -= bits;
	largest = distribute(log, hashes, n, shift, bits, spare);
	memcpy(hashes, spare, n * sizeof(uint64_t));
	if (largest <= SMALL_BUCKET)
	{
		/* every hash is close to its place: sort all buckets at once */
		insertion_sort(hashes, n);
		return;
	}
	for (start = 0; start < n; start = end)
	{
		for (end = start + 1; end < n && hashes[end] >> shift == hashes[start] >> shift; end++)
			;
		sort_hashes(log, hashes + start, end - start, spare);
	}
}

static inline uint64_t
partition_size(const Partition *partition)
{
	return (partition->npages - 1) * PAGE_HASHES +
		(uint64_t) (partition->end - page_before(partition->end)->hashes);
}

/* The number of hashes in this page of the partition. */
static inline int
page_size(const Partition *partition, const Page *page)
{
	return page->link.next != NULL ? (int) PAGE_HASHES : (int) (partition->end - page->hashes);
}

static void
read_partition(const Partition *partition, uint64_t *dst)
{
	const Page *page;

	for (page = partition->first; page != NULL; page = page->link.next)
	{
		int			n = page_size(partition, page);

		memcpy(dst, page->hashes, n * sizeof(uint64_t));
		dst += n;
	}
}

/* State of writing hashes in ascending order to the pages of a partition. */
typedef struct Writer
{
	Page	   *page;
	uint64_t   *place;
	uint64_t	npages;
	uint64_t	previous;
} Writer;

/*
 * No branch for repetitions, which would often be mispredicted: a repetition
 * is written, and overwritten by the next hash.
 */
static inline void
write_distinct(Writer *writer, uint64_t hash)
{
	if (unlikely(is_boundary(writer->place)))
	{
		writer->page = writer->page->link.next;
		writer->place = writer->page->hashes;
		writer->npages++;
	}
	*writer->place = hash;
	writer->place += hash != writer->previous;
	writer->previous = hash;
}

/*
 * Write two arrays in ascending order, of which the second is not empty, to a
 * partition's pages, without repetitions.  The pages have room for all hashes.
 */
static void
rewrite_partition(BfHashLog *log, Partition *partition, const uint64_t *a, uint64_t na,
				  const uint64_t *b, uint64_t nb)
{
	const uint64_t *a_end = a + na;
	const uint64_t *b_end = b + nb;
	Writer		writer = {partition->first, partition->first->hashes, 1, 0};

	/* anything but the first hash */
	writer.previous = ~(na > 0 ? Min(*a, *b) : *b);
	while (a < a_end && b < b_end)
	{
		uint64_t	hash = Min(*a, *b);

		a += *a == hash;
		b += *b == hash;
		write_distinct(&writer, hash);
	}
	while (a < a_end)
		write_distinct(&writer, *a++);
	while (b < b_end)
		write_distinct(&writer, *b++);

	return_pages(log, writer.page->link.next);
	writer.page->link.next = NULL;
	partition->end = writer.place;
	partition->npages = writer.npages;
	partition->nsorted = partition_size(partition);
}

static void
reserve_scratch(BfHashLog *log, uint64_t n)
{
	if (n <= log->nscratch)
		return;
	if (log->scratch != NULL)
		pfree(log->scratch);
	log->scratch = NULL;
	log->nscratch = 0;
	/* reserve more: other partitions may be a little larger */
	n += n / 16;
	log->scratch = MemoryContextAllocHuge(log->mcxt, n * sizeof(uint64_t));
	log->nscratch = n;
}

/*
 * Sort a partition.  The partition does not change before everything that can
 * fail is done.
 */
static void
sort_partition(BfHashLog *log, Partition *partition)
{
	uint64_t	size = partition_size(partition);
	uint64_t	nsorted = partition->nsorted;
	uint64_t	nappended = size - nsorted;
	uint64_t   *hashes;

	if (nappended == 0)
		return;
	reserve_scratch(log, size + nappended);
	hashes = log->scratch;
	read_partition(partition, hashes);
	sort_hashes(log, hashes + nsorted, nappended, hashes + size);
	rewrite_partition(log, partition, hashes, nsorted, hashes + nsorted, nappended);
}

static void
sort_all(BfHashLog *log)
{
	uint64_t	counted = 0;
	int			i;

	for (i = 0; i < PARTITIONS; i++)
	{
		CHECK_FOR_INTERRUPTS();
		sort_partition(log, &log->partitions[i]);
		counted += log->partitions[i].nsorted;
	}
	log->counted = counted;
	log->max_used = Max(MIN_PAGES, MAX_USED(counted));
}

/*
 * Are fewer than one in eight hashes repetitions, judging by a sample of the
 * partitions?
 */
static bool
seems_distinct(BfHashLog *log)
{
	uint64_t	appended = 0;
	uint64_t	distinct = 0;
	int			i;

	/* a partition much larger than the others contains repetitions */
	for (i = 0; i < PARTITIONS; i++)
		if (log->partitions[i].npages > 2 + 2 * log->nused / PARTITIONS)
			return false;
	for (i = log->nsamples++ % SAMPLE_STEP; i < PARTITIONS; i += SAMPLE_STEP)
	{
		appended += partition_size(&log->partitions[i]);
		sort_partition(log, &log->partitions[i]);
		distinct += log->partitions[i].nsorted;
	}
	return distinct >= appended - appended / 8;
}

/*
 * Remove repetitions, or allow more pages.  The hashes of values are uniform,
 * so that a sample of the partitions represents all.  The sample is not used
 * once there may be more hashes than bloomfilter.max_exact_hashes: their
 * number must then be known.
 */
static void
reconsider_size(BfHashLog *log)
{
	if (log->nused < (uint64_t) bf_max_exact_hashes / PAGE_HASHES && seems_distinct(log))
		log->max_used = MAX_USED((log->nused - PARTITIONS) * PAGE_HASHES * 7 / 8);
	else
		sort_all(log);
}

/* ---------- interface ---------- */

/* Make room at the end of a partition. */
static void
extend_partition(BfHashLog *log, Partition *partition)
{
	Page	   *page;

	if (log->nused >= log->max_used)
	{
		reconsider_size(log);
		if (!is_boundary(partition->end))
			return;
	}
	page = take_page(log);
	page_before(partition->end)->link.next = page;
	partition->end = page->hashes;
	partition->npages++;
}

void
bf_hashlog_append(BfHashLog *log, const uint64_t *hashes, int n)
{
	int			i;

	log->is_counted = false;
	for (i = 0; i < n; i++)
	{
		Partition  *partition = partition_of(log, hashes[i]);

		/* values often come several times in a row */
		if (!is_boundary(partition->end - 1) && unlikely(partition->end[-1] == hashes[i]))
			continue;
		if (unlikely(is_boundary(partition->end)))
			extend_partition(log, partition);
		*partition->end++ = hashes[i];
	}
}

uint64_t
bf_hashlog_count(BfHashLog *log)
{
	if (!log->is_counted)
	{
		sort_all(log);
		log->is_counted = true;
	}
	return log->counted;
}

uint64_t
bf_hashlog_counted(const BfHashLog *log)
{
	return log->counted;
}

bool
bf_hashlog_contains(BfHashLog *log, uint64_t hash)
{
	Partition  *partition = partition_of(log, hash);
	const Page *page;
	int			low = 0;
	int			high;

	sort_partition(log, partition);
	for (page = partition->first; page->link.next != NULL; page = page->link.next)
		if (hash <= page->hashes[PAGE_HASHES - 1])
			break;
	high = page_size(partition, page);
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (page->hashes[middle] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low < page_size(partition, page) && page->hashes[low] == hash;
}

void
bf_hashlog_scan_begin(BfHashLogScan *scan, BfHashLog *log)
{
	(void) bf_hashlog_count(log);
	scan->log = log;
	scan->partition = 0;
	scan->page = log->partitions[0].first;
}

const uint64_t *
bf_hashlog_scan_next(BfHashLogScan *scan, int *n)
{
	for (;;)
	{
		const Page *page = scan->page;

		if (page == NULL)
		{
			if (scan->partition == PARTITIONS - 1)
				break;
			scan->partition++;
			scan->page = scan->log->partitions[scan->partition].first;
			continue;
		}
		*n = page_size(&scan->log->partitions[scan->partition], page);
		scan->page = page->link.next;
		/* a partition's only page may be empty */
		if (*n > 0)
			return page->hashes;
	}
	*n = 0;
	return NULL;
}
