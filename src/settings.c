/*-------------------------------------------------------------------------
 *
 * settings.c
 *		The extension's settings, bloomfilter.*.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>

#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "core/format.h"
#include "settings.h"

/*
 * Default: 16 million, 130 to 260 MB while aggregating.  Maximum: the longest
 * list of a stored filter, because a partial state may have to be stored or
 * sent.
 */
#define DEFAULT_MAX_EXACT_HASHES	16000000
#define LARGEST_MAX_EXACT_HASHES	((int) BF_MAX_LIST)

/* The default allows any filter: a value is smaller than 1 GB. */
#define DEFAULT_STORED_FILTER_MEMORY	(1024 * 1024)

/*
 * A join of fewer than some 100,000 rows takes milliseconds: a filter cannot
 * save more than that.
 */
#define DEFAULT_JOIN_FILTER_MIN_ROWS	100000

/*
 * Default: 64 MB, for some 12 million keys.  The server's own limit for hash
 * tables is usually lower.
 */
#define DEFAULT_JOIN_FILTER_MEMORY		65536
#define SMALLEST_JOIN_FILTER_MEMORY		64

/* Six hours: what was slow by night is tried again by day. */
#define DEFAULT_GUARD_TIME		(6 * 60 * 60)
#define LONGEST_GUARD_TIME		(INT_MAX / 1000)

/*
 * A thousand tables, indexes and queries take 1.5 MB, and most databases have
 * fewer with filters.  The least is for tests.
 */
#define DEFAULT_STAT_ENTRIES	1000
#define SMALLEST_STAT_ENTRIES	10
#define LARGEST_STAT_ENTRIES	100000

int			bf_max_exact_hashes = DEFAULT_MAX_EXACT_HASHES;
int			bf_stored_filter_memory = DEFAULT_STORED_FILTER_MEMORY;
int			bf_join_filters = BF_JOIN_FILTERS_OFF;
char	   *bf_rejected_join_filters = NULL;
bool		bf_join_skip = true;
int			bf_join_filter_min_rows = DEFAULT_JOIN_FILTER_MIN_ROWS;
int			bf_join_filter_memory = DEFAULT_JOIN_FILTER_MEMORY;
double		bf_join_filter_trial = 0;
bool		bf_join_filter_guard = true;
int			bf_join_filter_guard_time = DEFAULT_GUARD_TIME;
int			bf_stat_entries = DEFAULT_STAT_ENTRIES;

/*
 * Like the server's own settings with "on" and "off", this one accepts all
 * spellings of a boolean.
 */
static const struct config_enum_entry join_filters_options[] = {
	{"off", BF_JOIN_FILTERS_OFF, false},
	{"on", BF_JOIN_FILTERS_ON, false},
	{"force", BF_JOIN_FILTERS_FORCE, false},
	{"true", BF_JOIN_FILTERS_ON, true},
	{"false", BF_JOIN_FILTERS_OFF, true},
	{"yes", BF_JOIN_FILTERS_ON, true},
	{"no", BF_JOIN_FILTERS_OFF, true},
	{"1", BF_JOIN_FILTERS_ON, true},
	{"0", BF_JOIN_FILTERS_OFF, true},
	{NULL, 0, false}
};

static bool
is_join_filters_option(const char *value)
{
	const struct config_enum_entry *option;

	for (option = join_filters_options; option->name != NULL; option++)
		if (pg_strcasecmp(value, option->name) == 0)
			return true;
	return false;
}

/* Before a setting is defined, the server accepts any value for it. */
static void
remember_rejected_value(void)
{
	const char *value = GetConfigOption("bloomfilter.join_filters", true, false);

	if (value != NULL && !is_join_filters_option(value))
		bf_rejected_join_filters = MemoryContextStrdup(TopMemoryContext, value);
}

static void (*enable_joins) (void);

static void
assign_join_filters(int value, void *extra)
{
	(void) extra;
	if (value != BF_JOIN_FILTERS_OFF)
		enable_joins();
}

static void (*enable_trials) (void);

static void
assign_trial(double value, void *extra)
{
	(void) extra;
	if (value > 0)
		enable_trials();
}

void
bf_settings_init(void (*when_joins_are_enabled) (void), void (*when_trials_are_enabled) (void))
{
	enable_joins = when_joins_are_enabled;
	enable_trials = when_trials_are_enabled;
	remember_rejected_value();
	DefineCustomIntVariable("bloomfilter.max_exact_hashes",
							"Sets the maximum number of distinct values in a group of bloom_agg without expected_items.",
							"bloom_agg keeps a hash of each value, in 8 to 18 bytes, until it knows their number.",
							&bf_max_exact_hashes,
							DEFAULT_MAX_EXACT_HASHES,
							1,
							LARGEST_MAX_EXACT_HASHES,
							PGC_USERSET,
							0,
							NULL,
							NULL,
							NULL);
	DefineCustomIntVariable("bloomfilter.stored_filter_memory",
							"Sets the size of the largest stored filter that a process keeps in memory in addition to those in work_mem.",
							"Of a larger filter, every test reads what it needs. With 0, a process keeps only filters that fit into work_mem.",
							&bf_stored_filter_memory,
							DEFAULT_STORED_FILTER_MEMORY,
							0,
							MAX_KILOBYTES,
							PGC_USERSET,
							GUC_UNIT_KB,
							NULL,
							NULL,
							NULL);
	DefineCustomEnumVariable("bloomfilter.join_filters",
							 "Adds Bloom filters to joins, to drop rows without a match early.",
							 "The value \"force\" is for tests: it adds filters wherever possible, at any cost.",
							 &bf_join_filters,
							 BF_JOIN_FILTERS_OFF,
							 join_filters_options,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL,
							 assign_join_filters,
							 NULL);
	DefineCustomBoolVariable("bloomfilter.join_skip",
							 "Lets scans below join filters skip partitions and blocks that cannot contain a key.",
							 "They compare the keys with partition bounds and BRIN indexes, and look them up in filter indexes.",
							 &bf_join_skip,
							 true,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL,
							 NULL,
							 NULL);
	DefineCustomIntVariable("bloomfilter.join_filter_min_rows",
							"Sets the minimum number of rows that must be expected where a join filter would test them, or at the join.",
							NULL,
							&bf_join_filter_min_rows,
							DEFAULT_JOIN_FILTER_MIN_ROWS,
							0,
							INT_MAX,
							PGC_USERSET,
							GUC_EXPLAIN,
							NULL,
							NULL,
							NULL);
	DefineCustomIntVariable("bloomfilter.join_filter_memory",
							"Sets the maximum memory of one join filter and of the hashes that it is built from.",
							"The server's limit for a hash table applies too.",
							&bf_join_filter_memory,
							DEFAULT_JOIN_FILTER_MEMORY,
							SMALLEST_JOIN_FILTER_MEMORY,
							MAX_KILOBYTES,
							PGC_USERSET,
							GUC_UNIT_KB | GUC_EXPLAIN,
							NULL,
							NULL,
							NULL);
	DefineCustomRealVariable("bloomfilter.join_filter_trial",
							 "Sets the fraction of plannings that leave out join filters, to compare the times of executions.",
							 "The view bloom_join_filter_trials shows the result.",
							 &bf_join_filter_trial,
							 0,
							 0,
							 1,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL,
							 assign_trial,
							 NULL);
	DefineCustomBoolVariable("bloomfilter.join_filter_guard",
							 "Plans queries without join filters that trials found to be slower with them.",
							 "Only while bloomfilter.join_filter_trial is above 0.",
							 &bf_join_filter_guard,
							 true,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL,
							 NULL,
							 NULL);
	DefineCustomIntVariable("bloomfilter.join_filter_guard_time",
							"Sets for how long the guard plans a query without join filters before it is tried again.",
							NULL,
							&bf_join_filter_guard_time,
							DEFAULT_GUARD_TIME,
							1,
							LONGEST_GUARD_TIME,
							PGC_USERSET,
							GUC_UNIT_S,
							NULL,
							NULL,
							NULL);
	/* the memory is allocated when the server starts, or else when it is first needed */
	DefineCustomIntVariable("bloomfilter.stat_entries",
							"Sets the number of tables, of indexes, and of queries in trials, for which statistics are kept.",
							NULL,
							&bf_stat_entries,
							DEFAULT_STAT_ENTRIES,
							SMALLEST_STAT_ENTRIES,
							LARGEST_STAT_ENTRIES,
							process_shared_preload_libraries_in_progress ? PGC_POSTMASTER : PGC_SIGHUP,
							0,
							NULL,
							NULL,
							NULL);
	MarkGUCPrefixReserved("bloomfilter");
}
