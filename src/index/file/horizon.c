/*-------------------------------------------------------------------------
 *
 * horizon.c
 *		Snapshots that may see versions of rows that an index does not know.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/snapmgr.h"

#include "index/file/horizon.h"

/*
 * Is the transaction so old that it cannot be compared any more, as no snapshot is?
 * One that has written nothing yet may be unknown to a standby, so that it is
 * newer than the next there.
 */
static bool
is_ancient(FullTransactionId transaction)
{
	FullTransactionId next = ReadNextFullTransactionId();

	return FullTransactionIdPrecedes(transaction, next) &&
		U64FromFullTransactionId(next) - U64FromFullTransactionId(transaction) >= PG_INT32_MAX;
}

bool
bf_is_behind(Snapshot snapshot, FullTransactionId horizon)
{
	return FullTransactionIdIsValid(horizon) && !is_ancient(horizon) &&
		TransactionIdPrecedes(snapshot->xmin, XidFromFullTransactionId(horizon));
}

/*
 * What was left out, transactions had replaced that committed before the builder
 * did, or the builder itself: a snapshot that sees the builder sees them.  But
 * no snapshot tells of its own transaction whether that had built by then.
 */
bool
bf_is_before_build(Snapshot snapshot, FullTransactionId builder)
{
	TransactionId xid = XidFromFullTransactionId(builder);

	return FullTransactionIdIsValid(builder) && !is_ancient(builder) &&
		(TransactionIdIsCurrentTransactionId(xid) || XidInMVCCSnapshot(xid, snapshot));
}
