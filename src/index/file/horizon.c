/*-------------------------------------------------------------------------
 *
 * horizon.c
 *		Snapshots that may see versions of rows that an index does not know.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "index/file/horizon.h"

bool
bf_is_behind(Snapshot snapshot, FullTransactionId horizon)
{
	FullTransactionId next;

	if (!FullTransactionIdIsValid(horizon))
		return false;
	/* a horizon so old cannot be compared any more, and no snapshot is older */
	next = ReadNextFullTransactionId();
	if (U64FromFullTransactionId(next) - U64FromFullTransactionId(horizon) >= PG_INT32_MAX / 2)
		return false;
	return TransactionIdPrecedes(snapshot->xmin, XidFromFullTransactionId(horizon));
}
