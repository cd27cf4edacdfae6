/*-------------------------------------------------------------------------
 *
 * reasons.c
 *		Why a join has no filter, or why rows are not tested deeper.
 *
 * Each rule returns a reason where it forbids something, so a rule and the text
 * about it cannot differ.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "joins/rules/reasons.h"

#define BF_REASON(name, text)	text,

static const char *const texts[] = {
#include "joins/rules/reasonlist.h"
};

const char *
bf_join_reason_text(BfJoinReason reason)
{
	return texts[reason];
}
