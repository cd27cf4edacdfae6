/*-------------------------------------------------------------------------
 *
 * stream.c
 *		Reading pages of an index that are known in advance, with prefetching.
 *
 * From 17 on the server has this.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/spccache.h"

#include "compat.h"
#include "index/read/stream.h"

#if BF_HAVE_READ_STREAM

#include "storage/read_stream.h"

struct BfStream
{
	ReadStream *stream;
	BfNextPage	next;
	void	   *state;
};

static BlockNumber
next_page(ReadStream *stream pg_attribute_unused(), void *private_data,
		  void *per_buffer_data pg_attribute_unused())
{
	BfStream   *self = private_data;

	return self->next(self->state);
}

BfStream *
bf_stream_begin(Relation index, BfNextPage next, void *state)
{
	BfStream   *self = palloc(sizeof(BfStream));

	self->next = next;
	self->state = state;
	self->stream = read_stream_begin_relation(READ_STREAM_DEFAULT, NULL, index, MAIN_FORKNUM,
											  next_page, self, 0);
	return self;
}

Buffer
bf_stream_next(BfStream *stream)
{
	return read_stream_next_buffer(stream->stream, NULL);
}

void
bf_stream_end(BfStream *stream)
{
	read_stream_end(stream->stream);
	pfree(stream);
}

#else

struct BfStream
{
	Relation	index;
	BfNextPage	next;
	void	   *state;
	int			distance;		/* pages that are asked for in advance */
	int			first;			/* of the ring */
	int			count;
	bool		at_end;
	BlockNumber ring[FLEXIBLE_ARRAY_MEMBER];
};

BfStream *
bf_stream_begin(Relation index, BfNextPage next, void *state)
{
	int			distance = get_tablespace_io_concurrency(index->rd_rel->reltablespace);
	BfStream   *self = palloc0(offsetof(BfStream, ring) +
							   ((Size) distance + 1) * sizeof(BlockNumber));

	self->index = index;
	self->next = next;
	self->state = state;
	self->distance = distance;
	return self;
}

/* Ask for pages until there are enough. */
static void
fill_ring(BfStream *stream)
{
	int			room = stream->distance + 1;

	while (stream->count < room && !stream->at_end)
	{
		BlockNumber page = stream->next(stream->state);

		if (page == InvalidBlockNumber)
		{
			stream->at_end = true;
			break;
		}
		/* the first page is read at once */
		if (stream->count > 0)
			PrefetchBuffer(stream->index, MAIN_FORKNUM, page);
		stream->ring[(stream->first + stream->count) % room] = page;
		stream->count++;
	}
}

Buffer
bf_stream_next(BfStream *stream)
{
	BlockNumber page;

	fill_ring(stream);
	if (stream->count == 0)
		return InvalidBuffer;
	page = stream->ring[stream->first];
	stream->first = (stream->first + 1) % (stream->distance + 1);
	stream->count--;
	return ReadBuffer(stream->index, page);
}

void
bf_stream_end(BfStream *stream)
{
	pfree(stream);
}

#endif
