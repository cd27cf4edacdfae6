/*-------------------------------------------------------------------------
 *
 * settings.h
 *		The extension's settings, bloomfilter.*.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SETTINGS_H
#define BF_SETTINGS_H

/* Most hashes that an unsized filter may hold. */
extern int	bf_max_exact_hashes;

/*
 * Largest stored filter that a process keeps although work_mem has no room for
 * it, in kB.
 */
extern int	bf_stored_filter_memory;

/* bloomfilter.join_filters */
typedef enum BfJoinFilters
{
	BF_JOIN_FILTERS_OFF,
	BF_JOIN_FILTERS_ON,			/* where they are expected to pay */
	BF_JOIN_FILTERS_FORCE		/* wherever they are possible */
} BfJoinFilters;

extern int	bf_join_filters;

/*
 * The value that bloomfilter.join_filters had before the library was loaded,
 * if that value is not valid: the server warns and ignores it.  Otherwise
 * NULL.
 */
extern char *bf_rejected_join_filters;

/* Do join filters make scans skip partitions and blocks that cannot match? */
extern bool bf_join_skip;

/* Fewest expected rows that are worth a join filter. */
extern int	bf_join_filter_min_rows;

/* Most memory for one join filter and its hashes, in kB. */
extern int	bf_join_filter_memory;

/* The part of plannings, 0 to 1, that leave out join filters to compare. */
extern double bf_join_filter_trial;

/* Are queries planned without filters that trials found to be slower with them? */
extern bool bf_join_filter_guard;

/* For how long, in seconds. */
extern int	bf_join_filter_guard_time;

/* Number of tables, of indexes, and of queries in trials, that have statistics. */
extern int	bf_stat_entries;

/*
 * Define the settings.  Called once when the library is loaded.  The functions
 * are called, perhaps more than once, when join_filters is not off, and when
 * join_filter_trial is not 0.
 */
extern void bf_settings_init(void (*when_joins_are_enabled) (void),
							 void (*when_trials_are_enabled) (void));

#endif							/* BF_SETTINGS_H */
