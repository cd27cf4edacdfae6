/*-------------------------------------------------------------------------
 *
 * server.c
 *		A stand-in for the server, for harnesses of sources that need its
 *		memory contexts and its errors.
 *
 * Every allocation is one of malloc()'s, so that the address sanitizer sees
 * where it ends and when it is freed.  An error returns to server_try() and
 * frees nothing, as in the server, where that is left to the contexts.
 *
 * Built with the headers of the server and its libraries for programs,
 * libpgcommon and libpgport.  What the sources mention but no harness calls
 * (the catalogs, mostly) is left unresolved.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <setjmp.h>

#include "common/pg_prng.h"
#include "common/shortest_dec.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/expandeddatum.h"
#include "utils/memutils.h"

#include "server.h"

/* ---------- errors ---------- */

sigjmp_buf *PG_exception_stack;
ErrorContextCallback *error_context_stack;

static int	error_code;
static char error_message[512];

int
server_try(void (*action) (void *), void *argument)
{
	MemoryContext context = CurrentMemoryContext;
	sigjmp_buf *outer = PG_exception_stack;
	sigjmp_buf	here;

	error_code = 0;
	error_message[0] = '\0';
	if (sigsetjmp(here, 0) == 0)
	{
		PG_exception_stack = &here;
		action(argument);
	}
	else
		CurrentMemoryContext = context;
	PG_exception_stack = outer;
	return error_code;
}

const char *
server_message(void)
{
	return error_message;
}

bool
errstart(int elevel, const char *domain)
{
	(void) domain;
	if (elevel < ERROR)
		return false;
	/* what elog() leaves it at */
	error_code = ERRCODE_INTERNAL_ERROR;
	return true;
}

bool
errstart_cold(int elevel, const char *domain)
{
	return errstart(elevel, domain);
}

void
errfinish(const char *filename, int lineno, const char *funcname)
{
	(void) funcname;
	if (PG_exception_stack == NULL)
	{
		fprintf(stderr, "%s:%d: unexpected error: %s\n", filename, lineno, error_message);
		abort();
	}
	siglongjmp(*PG_exception_stack, 1);
}

/* What PG_TRY() has caught is not the action's error. */
void
FlushErrorState(void)
{
	error_code = 0;
	error_message[0] = '\0';
}

#if PG_VERSION_NUM >= 160000
bool
errsave_start(struct Node *context, const char *domain)
{
	(void) context;
	return errstart(ERROR, domain);
}

void
errsave_finish(struct Node *context, const char *filename, int lineno, const char *funcname)
{
	(void) context;
	errfinish(filename, lineno, funcname);
}
#endif

int
errcode(int sqlerrcode)
{
	error_code = sqlerrcode;
	return 0;
}

/* Format it, so that bad arguments are seen; only messages are kept. */
#define FORMAT_INTO(buffer, format) \
	do { \
		va_list		arguments; \
		va_start(arguments, format); \
		vsnprintf(buffer, sizeof(buffer), format, arguments); \
		va_end(arguments); \
	} while (0)

int
errmsg(const char *fmt,...)
{
	FORMAT_INTO(error_message, fmt);
	return 0;
}

int
errmsg_internal(const char *fmt,...)
{
	FORMAT_INTO(error_message, fmt);
	return 0;
}

int
errdetail(const char *fmt,...)
{
	char		detail[2048];

	FORMAT_INTO(detail, fmt);
	return 0;
}

int
errdetail_internal(const char *fmt,...)
{
	char		detail[2048];

	FORMAT_INTO(detail, fmt);
	return 0;
}

int
errhint(const char *fmt,...)
{
	char		hint[2048];

	FORMAT_INTO(hint, fmt);
	return 0;
}

void
#if PG_VERSION_NUM >= 160000
ExceptionalCondition(const char *condition, const char *file, int line)
#else
ExceptionalCondition(const char *condition, const char *type, const char *file, int line)
#endif
{
#if PG_VERSION_NUM < 160000
	(void) type;
#endif
	fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
	abort();
}

volatile sig_atomic_t InterruptPending = false;

void
ProcessInterrupts(void)
{
	abort();
}

/* ---------- memory contexts ---------- */

/* Before each allocation.  The sources see a context's address only. */
typedef struct Chunk
{
	struct Chunk *next;
	struct Chunk *previous;
	struct Context *owner;
	size_t		size;
} Chunk;

typedef struct Context
{
	MemoryContextData server;	/* of which parent, name and reset_cbs are used */
	Chunk		chunks;			/* a ring */
	struct Context *next;		/* all contexts */
} Context;

MemoryContext TopMemoryContext;
MemoryContext CurrentMemoryContext;

static Context *contexts;
static unsigned allocations_to_failure;

/* Where the server forms a tuple of what it sorts: from 17 on nothing there can be freed. */
static Context *bump_context;

void
server_fail_allocation(unsigned n)
{
	allocations_to_failure = n;
}

unsigned
server_contexts(void)
{
	Context    *context;
	unsigned	n = 0;

	for (context = contexts; context != NULL; context = context->next)
		n++;
	return n;
}

unsigned
server_chunks(void)
{
	Context    *context;
	Chunk	   *chunk;
	unsigned	n = 0;

	for (context = contexts; context != NULL; context = context->next)
		for (chunk = context->chunks.next; chunk != &context->chunks; chunk = chunk->next)
			n++;
	return n;
}

void
server_start(void)
{
	allocations_to_failure = 0;
	if (TopMemoryContext != NULL)
		MemoryContextDelete(TopMemoryContext);
	TopMemoryContext = AllocSetContextCreateInternal(NULL, "top", 0, 0, 0);
	CurrentMemoryContext = TopMemoryContext;
	/* not seeded, it would give zeroes for ever, and no key would help */
	pg_prng_seed(&pg_global_prng_state, 1);
}

static void
may_fail(void)
{
	if (allocations_to_failure > 0 && --allocations_to_failure == 0)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
}

MemoryContext
AllocSetContextCreateInternal(MemoryContext parent, const char *name, Size minContextSize,
							  Size initBlockSize, Size maxBlockSize)
{
	Context    *context;

	(void) minContextSize;
	(void) initBlockSize;
	(void) maxBlockSize;
	may_fail();
	context = calloc(1, sizeof(Context));
	context->chunks.next = context->chunks.previous = &context->chunks;
	context->server.name = name;
	context->server.parent = parent;
	context->next = contexts;
	contexts = context;
	return (MemoryContext) context;
}

void
MemoryContextSetParent(MemoryContext context, MemoryContext new_parent)
{
	context->parent = new_parent;
}

MemoryContext
MemoryContextGetParent(MemoryContext context)
{
	return context->parent;
}

void
MemoryContextRegisterResetCallback(MemoryContext context, MemoryContextCallback *cb)
{
	cb->next = context->reset_cbs;
	context->reset_cbs = cb;
}

#if PG_VERSION_NUM >= 190000
void
MemoryContextUnregisterResetCallback(MemoryContext context, MemoryContextCallback *cb)
{
	MemoryContextCallback **link = &context->reset_cbs;

	while (*link != cb)
		link = &(*link)->next;
	*link = cb->next;
}
#endif

/* Children first, then callbacks, then memory. */
void
MemoryContextDelete(MemoryContext deleted)
{
	Context    *context = (Context *) deleted;
	Context   **link;

	for (link = &contexts; *link != NULL;)
	{
		if ((*link)->server.parent != deleted)
			link = &(*link)->next;
		else
		{
			MemoryContextDelete((MemoryContext) *link);
			link = &contexts;
		}
	}
	while (deleted->reset_cbs != NULL)
	{
		MemoryContextCallback *callback = deleted->reset_cbs;

		deleted->reset_cbs = callback->next;
		callback->func(callback->arg);
	}
	while (context->chunks.next != &context->chunks)
		pfree(context->chunks.next + 1);
	for (link = &contexts; *link != context; link = &(*link)->next)
		;
	*link = context->next;
	free(context);
}

void *
MemoryContextAllocExtended(MemoryContext context, Size size, int flags)
{
	Context    *owner = (Context *) context;
	Chunk	   *chunk;

	if (!((flags & MCXT_ALLOC_HUGE) ? AllocHugeSizeIsValid(size) : AllocSizeIsValid(size)))
		elog(ERROR, "invalid memory alloc request size %zu", size);
	may_fail();
	chunk = malloc(sizeof(Chunk) + size);
	if (chunk == NULL)
		abort();
	chunk->owner = owner;
	chunk->size = size;
	chunk->previous = &owner->chunks;
	chunk->next = owner->chunks.next;
	chunk->next->previous = chunk;
	owner->chunks.next = chunk;
	memset(chunk + 1, (flags & MCXT_ALLOC_ZERO) ? 0 : 0x7F, size);
	return chunk + 1;
}

void *
MemoryContextAlloc(MemoryContext context, Size size)
{
	return MemoryContextAllocExtended(context, size, 0);
}

void *
MemoryContextAllocZero(MemoryContext context, Size size)
{
	return MemoryContextAllocExtended(context, size, MCXT_ALLOC_ZERO);
}

void *
MemoryContextAllocHuge(MemoryContext context, Size size)
{
	return MemoryContextAllocExtended(context, size, MCXT_ALLOC_HUGE);
}

void *
palloc(Size size)
{
	return MemoryContextAlloc(CurrentMemoryContext, size);
}

void *
palloc0(Size size)
{
	return MemoryContextAllocZero(CurrentMemoryContext, size);
}

void *
palloc_extended(Size size, int flags)
{
	return MemoryContextAllocExtended(CurrentMemoryContext, size, flags);
}

void
pfree(void *pointer)
{
	Chunk	   *chunk = (Chunk *) pointer - 1;

	if (chunk->owner == bump_context)
		abort();
	chunk->previous->next = chunk->next;
	chunk->next->previous = chunk->previous;
	free(chunk);
}

void *
repalloc(void *pointer, Size size)
{
	Chunk	   *chunk = (Chunk *) pointer - 1;
	void	   *larger = MemoryContextAlloc((MemoryContext) chunk->owner, size);

	memcpy(larger, pointer, Min(size, chunk->size));
	pfree(pointer);
	return larger;
}

char *
pnstrdup(const char *in, Size len)
{
	Size		n = strnlen(in, len);
	char	   *copy = palloc(n + 1);

	memcpy(copy, in, n);
	copy[n] = '\0';
	return copy;
}

char *
pstrdup(const char *in)
{
	return pnstrdup(in, strlen(in));
}

/* ---------- encodings: the database is UTF-8 ---------- */

int
GetDatabaseEncoding(void)
{
	return PG_UTF8;
}

/* To a whole character: what is no UTF-8 is not split either. */
int
pg_mbcliplen(const char *mbstr, int len, int limit)
{
	int			n = Min(len, limit);

	while (n > 0 && n < len && ((unsigned char) mbstr[n] & 0xC0) == 0x80)
		n--;
	return n;
}

/* ---------- values ---------- */

struct varlena *
pg_detoast_datum_packed(struct varlena *datum)
{
	return datum;
}

const char *
pq_getmsgbytes(StringInfo msg, int datalen)
{
	const char *bytes = msg->data + msg->cursor;

	Assert(datalen >= 0 && datalen <= msg->len - msg->cursor);
	msg->cursor += datalen;
	return bytes;
}

static void
make_expanded_pointer(char *pointer, ExpandedObjectHeader *object, vartag_external tag)
{
	varatt_expanded content = {object};

	SET_VARTAG_EXTERNAL(pointer, tag);
	memcpy(VARDATA_EXTERNAL(pointer), &content, sizeof(content));
}

void
EOH_init_header(ExpandedObjectHeader *eohptr, const ExpandedObjectMethods *methods,
				MemoryContext obj_context)
{
	eohptr->vl_len_ = EOH_HEADER_MAGIC;
	eohptr->eoh_methods = methods;
	eohptr->eoh_context = obj_context;
	make_expanded_pointer(eohptr->eoh_rw_ptr, eohptr, VARTAG_EXPANDED_RW);
	make_expanded_pointer(eohptr->eoh_ro_ptr, eohptr, VARTAG_EXPANDED_RO);
}

/* As into a tuple that is sorted. */
struct varlena *
server_flatten(Datum datum)
{
	varatt_expanded content;
	const ExpandedObjectMethods *methods;
	struct varlena *flat;
	Size		size;

	memcpy(&content, VARDATA_EXTERNAL(DatumGetPointer(datum)), sizeof(content));
	methods = content.eohptr->eoh_methods;
	bump_context = (Context *) CurrentMemoryContext;
	size = methods->get_flat_size(content.eohptr);
	flat = palloc(size);
	methods->flatten_into(content.eohptr, flat, size);
	bump_context = NULL;
	return flat;
}
