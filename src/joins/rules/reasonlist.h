/*-------------------------------------------------------------------------
 *
 * reasonlist.h
 *		The reasons why a join has no filter, or why rows are not tested deeper,
 *		and their texts.
 *
 * There is no guard: whoever includes the file defines BF_REASON(name, text).
 *
 *-------------------------------------------------------------------------
 */

/* no rule forbids it */
BF_REASON(BF_JOIN_ALLOWED, NULL)

/* of a join */
BF_REASON(BF_JOIN_KEEPS_UNMATCHED, "The join returns rows of its outer side that have no match.")
BF_REASON(BF_JOIN_MERGES, "The merge join sorts neither side, or returns rows of the other side that have no match.")
BF_REASON(BF_JOIN_DEPENDS_ON_PARAMETER, "The hashed side depends on a parameter, such as a column of an outer row.")
BF_REASON(BF_JOIN_ROWS_MAY_CHANGE, "UPDATE, DELETE, MERGE, FOR UPDATE and FOR SHARE may run the join again, for a row that another session has changed.")
BF_REASON(BF_JOIN_VOLATILE_KEY, "A key of the join calls a volatile function or has a sub-select.")
BF_REASON(BF_JOIN_VOLATILE_HASHED, "The hashed side has side effects, calls volatile functions or has an unknown plan node.")
BF_REASON(BF_JOIN_CHANGES_SHARED, "Workers share the hash table, which may have other rows when it is built again.")

/* of a key */
BF_REASON(BF_JOIN_KEY_PARAMETER, "The key's outer side depends on a parameter, such as the result of a sub-select.")
BF_REASON(BF_JOIN_NOT_STRICT, "The join's operator is not strict: NULL may have a match.")
BF_REASON(BF_JOIN_NO_COLLATION, "The two sides of the key have different collations.")
BF_REASON(BF_JOIN_MERGED_OTHERWISE, "The merge join does not hash: equal values may have several hashes, or the hash function may fail.")
BF_REASON(BF_JOIN_BEHIND_OTHER_KEY, "The join evaluates the key only where the keys before it are not NULL, and these are not in the same filter.")

/* nothing is below the node */
BF_REASON(BF_JOIN_LEAF, NULL)

/* of the way down: about the node at which it ends */
BF_REASON(BF_JOIN_COMPUTED, "The node computes the key.")
BF_REASON(BF_JOIN_GROUPING_SETS, "The key is not a column of all grouping sets.")
BF_REASON(BF_JOIN_OTHER_GROUPS, "The key is not a column of its GROUP BY, DISTINCT or PARTITION BY.")
BF_REASON(BF_JOIN_OTHER_EQUALITY, "It groups rows by another equality than the join's: another operator, collation or hash.")
BF_REASON(BF_JOIN_INNER_SIDE, "The key is not a column of the outer side of that join.")
BF_REASON(BF_JOIN_OUTER_DEPENDS, "That join returns rows of its inner side that have no match.")
BF_REASON(BF_JOIN_HASHED_NOT_INNER, "The key is a column of the hashed side of that join, which is not an inner join.")
BF_REASON(BF_JOIN_OTHER_SIDE_VOLATILE, "The other side of that join has effects or calls volatile functions, and might run less often.")
BF_REASON(BF_JOIN_OTHER_PROCESSES, "Each process may hash other rows for this join, and all processes share the hash table of that join.")
BF_REASON(BF_JOIN_KEEPS_ROWS, "The node keeps rows, and may be filled before the filter is complete or for another scan.")
BF_REASON(BF_JOIN_ENDS_EARLY, "The merge join stops before that side ends, and would read on until a row passes.")
BF_REASON(BF_JOIN_FEW_ROWS, "Only a few rows are needed, and the node would read on until a row passes.")
BF_REASON(BF_JOIN_FIRST_ROW, "The join reads its first row before it hashes, so the group of this row might lose other rows.")
BF_REASON(BF_JOIN_KEPT_VOLATILE, "Volatile functions or effects below would run less often, because fewer rows may be kept for the next scan.")
BF_REASON(BF_JOIN_READ_ON_VOLATILE, "Volatile functions or effects below might run more often, because more rows are read until one passes.")
BF_REASON(BF_JOIN_GROUPS_ANEW, "When the join runs again, a part of a group may be kept, or come without the filter, and the rest be tested by it.")
BF_REASON(BF_JOIN_STOPS_ANEW, "That join may stop after one row of each of many scans, and would read on until a row passes.")
BF_REASON(BF_JOIN_ENDLESS, "The node below may return rows without end, and would be read until a row passes.")
BF_REASON(BF_JOIN_NOT_CALM, "The node calls a volatile function, or a sub-select for every row.")
BF_REASON(BF_JOIN_NOT_KNOWN, "No rows can be tested above the node below.")
BF_REASON(BF_JOIN_HIDDEN_ROWS, "The query has a security barrier view, and the join's operator is not LEAKPROOF.")
BF_REASON(BF_JOIN_TELLING_HASH, "The hash function may reveal its argument, so it is called only for rows that the join hashes.")
BF_REASON(BF_JOIN_EXPRESSION, "The key is an expression, which is evaluated only for rows for which the join evaluates it.")
BF_REASON(BF_JOIN_LIMIT, "LIMIT would return other rows.")
BF_REASON(BF_JOIN_LOCKS, "FOR UPDATE or FOR SHARE would lock fewer rows.")
BF_REASON(BF_JOIN_SET_OPERATION, "EXCEPT and INTERSECT compare rows with those of another query.")
BF_REASON(BF_JOIN_SET_FUNCTION, "A function that returns a set is called for each row.")
BF_REASON(BF_JOIN_WORKERS, "Other processes make the rows, and might start before the filter is complete.")
BF_REASON(BF_JOIN_UNSAFE_HASH, "Other processes make the rows, and the hash function is not PARALLEL SAFE.")
BF_REASON(BF_JOIN_CTE, "The rows of a CTE may have other readers.")
BF_REASON(BF_JOIN_FOREIGN, "A foreign data wrapper makes the rows.")
BF_REASON(BF_JOIN_CUSTOM, "Another extension makes the rows.")
BF_REASON(BF_JOIN_CUSTOM_CHILDREN, "Another extension reads the tables below, so none of them is skipped.")

/* of a possible filter */
BF_REASON(BF_JOIN_FEW_TESTED, "Fewer rows than bloomfilter.join_filter_min_rows are expected there and at the join, and few are skipped.")
BF_REASON(BF_JOIN_HASHES_LARGER, "The larger side is hashed, and fewer rows than bloomfilter.join_filter_min_rows are expected on the other, which would be tested.")
BF_REASON(BF_JOIN_NO_GAIN, "The filter is expected to cost more than it saves.")
BF_REASON(BF_JOIN_TOO_MANY_KEYS, "The keys are expected to take more than bloomfilter.join_filter_memory, or than work_mem times hash_mem_multiplier.")
BF_REASON(BF_JOIN_TESTED_BY_HAND, "The query tests the key with a filter of its own.")
BF_REASON(BF_JOIN_OTHERS_GAIN_MORE, "Other filters gain more at the same place: their number is limited, or they leave too few rows.")

/* of a plan without a join, or of a join without keys */
BF_REASON(BF_JOIN_NONE, "The plan has no join.")
BF_REASON(BF_JOIN_BY_INDEX, "A nested loop hashes nothing: the inner table is reached by index.")
BF_REASON(BF_JOIN_BY_ROW, "A nested loop hashes nothing: its inner side depends on the outer row.")
BF_REASON(BF_JOIN_NO_EQUALITY, "No condition of the join is an equality of both sides that can be hashed.")
BF_REASON(BF_JOIN_LOOPS, "A nested loop hashes nothing, and is expected to cost less than a hash join.")

/* of a foreign table that gets no filter */
BF_REASON(BF_JOIN_NO_LOCAL_TABLE, "No inner or semi join of the same query compares one of its columns with a column of a local table.")
BF_REASON(BF_JOIN_NO_EXTENSION, "The extension is not in this database, or not everybody may call the functions that are needed.")
BF_REASON(BF_JOIN_OTHER_WRAPPER, "The foreign table does not use postgres_fdw.")
BF_REASON(BF_JOIN_NOT_LISTED, "The option extensions of the foreign server does not list bloomfilter.")
BF_REASON(BF_JOIN_CHANGES_ROWS, "The statement locks rows, or changes rows other than by inserting them into a local table.")
BF_REASON(BF_JOIN_VOLATILE_CONDITION, "The query calls a volatile function, which might be called less often.")
BF_REASON(BF_JOIN_ROW_SECURITY, "A policy or a security barrier view hides rows of one of the two tables.")
BF_REASON(BF_JOIN_NOT_A_TABLE, "The other side is not a local table that can be read twice: it is sampled, or others inherit from it, or some of its partitions are foreign.")
BF_REASON(BF_JOIN_OTHER_HASH, "The key's types or its operator do not have the same hashes on every server.")
BF_REASON(BF_JOIN_LOOSE_COLLATION, "A collation of the key is not deterministic.")
BF_REASON(BF_JOIN_OTHER_ENCODING, "The key is text, and the database's encoding is not UTF8.")
BF_REASON(BF_JOIN_LONG_PLANNING, "Planning the query once more takes too long for what it is expected to cost.")
BF_REASON(BF_JOIN_DEARER_PLAN, "The plan with the filter is expected to cost more.")
